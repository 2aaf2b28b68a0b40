"""Averages of rounded scores that are listed beforehand, and decoded by what every score allows."""

from planner.attacks.scope import Scope

SCOPE = Scope()
