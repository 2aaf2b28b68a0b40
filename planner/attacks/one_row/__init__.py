"""One row predicted 1 a query."""
