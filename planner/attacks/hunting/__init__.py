"""Wrong labels of a guess, hunted down by comparisons of many rows at once."""

from planner.attacks.scope import Scope

SCOPE = Scope()
