"""Rows compared at the edge of a cell of rounded accuracy."""
