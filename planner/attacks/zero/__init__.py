"""Zeros that show as infinity."""

from planner.attacks.scope import Scope

SCOPE = Scope()
