"""The explorer's widgets, one file each."""
