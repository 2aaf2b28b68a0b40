"""Which rows are scored, asked directly where rows need not sum to 1, and then their labels."""
