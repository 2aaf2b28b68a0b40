"""Comparisons that are listed beforehand: rows that need not sum to 1 shift every score at will."""

from planner.attacks.scope import Scope

SCOPE = Scope()
