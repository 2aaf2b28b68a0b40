"""Labels of a secret part of the rows, without asking which part."""
