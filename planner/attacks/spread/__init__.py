"""Random noise averaged over a Hadamard matrix."""

from planner.attacks.scope import Scope

SCOPE = Scope()
