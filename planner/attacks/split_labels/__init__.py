"""Labels of a secret part of the rows, without asking which part."""

from planner.attacks.scope import Scope

SCOPE = Scope(of_a_part=True)
