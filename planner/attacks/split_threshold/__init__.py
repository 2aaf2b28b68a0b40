"""Labels of a secret part of the rows, and which part it is, by comparisons past what rounding lets through."""

from planner.attacks.scope import Scope

SCOPE = Scope(of_a_part=True)
