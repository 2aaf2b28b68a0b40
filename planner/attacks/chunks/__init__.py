"""Chunks of rows that grow as the number of ones becomes known."""
