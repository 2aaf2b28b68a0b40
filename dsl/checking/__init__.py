"""Syntax tree to Scenario: what the statements mean, and every value that cannot be."""
