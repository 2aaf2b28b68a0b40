"""Blocks that grow while labels become known."""
