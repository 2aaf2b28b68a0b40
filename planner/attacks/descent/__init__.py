"""Boards that only fall, climbed down a row at a time."""
