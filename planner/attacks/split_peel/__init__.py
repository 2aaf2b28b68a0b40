"""Labels of several classes of a secret part, one kind of row after another."""
