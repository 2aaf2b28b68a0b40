"""Rounding made uniform by the attacker's coins, and averaged."""

from planner.attacks.scope import Scope

SCOPE = Scope()
