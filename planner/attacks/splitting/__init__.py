"""Splitting: which labels a guess has wrong."""
