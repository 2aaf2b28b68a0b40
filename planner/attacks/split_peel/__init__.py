"""Labels of several classes of a secret part, one kind of row after another."""

from planner.attacks.scope import Scope

SCOPE = Scope(of_a_part=True)
