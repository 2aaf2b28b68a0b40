"""Comparisons by a prefix code of the classes, in an order that coins choose for every row."""

from planner.attacks.scope import Scope

SCOPE = Scope()
