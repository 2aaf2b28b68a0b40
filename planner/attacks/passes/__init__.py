"""Averages of rounded scores in passes by a prefix code of the classes."""
