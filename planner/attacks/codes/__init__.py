"""Averages of all labels at once, classes by words of a code that lie far apart."""

from planner.attacks.scope import Scope

SCOPE = Scope()
