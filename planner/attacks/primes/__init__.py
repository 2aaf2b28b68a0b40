"""Primes and their powers as odds."""

from planner.attacks.scope import Scope

SCOPE = Scope()
