"""Rounding as a comparator: one comparison a label."""

from planner.attacks.scope import Scope

SCOPE = Scope()
