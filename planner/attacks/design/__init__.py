"""Designs: every label in every query."""

from planner.attacks.scope import Scope

SCOPE = Scope()
