"""Labels of a secret part of the rows, and which part it is, in one round."""
