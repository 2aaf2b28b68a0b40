"""Right rows of three classes, counted."""
