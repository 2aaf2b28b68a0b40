"""Counts of labels, read off metrics of predicted classes."""
