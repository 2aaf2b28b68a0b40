"""Which rows are scored, asked directly where rows need not sum to 1, and then their labels."""

from planner.attacks.scope import Scope

SCOPE = Scope(of_a_part=True)
