"""Rigorous arithmetic: balls and proved comparisons, tails, primes, one search."""
