"""Primes and their powers as odds."""
