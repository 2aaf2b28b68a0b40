"""What the mathematics sees of a scenario: the trusted base, and nothing else is trusted."""
