"""Random noise averaged over a Hadamard matrix."""
