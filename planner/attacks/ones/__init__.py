"""Blocks among rows of ones: idle rows that are charged next to nothing."""

from planner.attacks.scope import Scope

SCOPE = Scope()
