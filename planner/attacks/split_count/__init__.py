"""Labels of a small secret part of many rows, by counting and halving."""
