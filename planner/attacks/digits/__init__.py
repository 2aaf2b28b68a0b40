"""Blocks of labels of K classes, read as digits."""
