"""Averages of rounded scores: the size of all weights, drawn anew for each query, makes rounding errors even."""

from planner.attacks.scope import Scope

SCOPE = Scope()
