"""Rounding as a comparator: one comparison a label."""
