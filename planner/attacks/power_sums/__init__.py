"""Power sums: which labels a guess has wrong, by queries that are listed beforehand."""

from planner.attacks.scope import Scope

SCOPE = Scope()
