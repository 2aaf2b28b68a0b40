"""Zeros that show as infinity."""
