"""Scenario to text: the canonical form of files, scenarios written back, and the reference."""
