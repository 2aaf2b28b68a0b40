"""Averages of rounded scores in passes by a prefix code of the classes."""

from planner.attacks.scope import Scope

SCOPE = Scope()
