"""Predictions that may be any number."""

from planner.attacks.scope import Scope

SCOPE = Scope()
