"""Labels of a secret part of the rows, and which part it is, by comparisons past what rounding lets through."""
