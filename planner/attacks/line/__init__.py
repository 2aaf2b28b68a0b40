"""Predictions that may be any number."""
