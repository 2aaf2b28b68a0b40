"""Labels of a secret part of the rows, and which part it is, by averages of random noise."""

from planner.attacks.scope import Scope

SCOPE = Scope(of_a_part=True)
