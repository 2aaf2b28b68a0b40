"""Sums of squares behind a root or a quotient."""
