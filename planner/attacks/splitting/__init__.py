"""Splitting: which labels a guess has wrong."""

from planner.attacks.scope import Scope

SCOPE = Scope()
