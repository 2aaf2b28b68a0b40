"""Wrong labels of a guess, hunted down by comparisons of many rows at once."""
