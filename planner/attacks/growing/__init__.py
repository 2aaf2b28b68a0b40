"""Blocks that grow while labels become known."""

from planner.attacks.scope import Scope

SCOPE = Scope()
