"""Labels of a small secret part of many rows, by counting and halving."""

from planner.attacks.scope import Scope

SCOPE = Scope(of_a_part=True)
