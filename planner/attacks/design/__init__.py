"""Designs: every label in every query."""
