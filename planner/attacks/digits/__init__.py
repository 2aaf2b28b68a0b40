"""Blocks of labels of K classes, read as digits."""

from planner.attacks.scope import Scope

SCOPE = Scope()
