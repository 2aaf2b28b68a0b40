"""Ranks: rows that are known part those that are not, and one area tells several labels."""

from planner.attacks.scope import Scope
from planner.channel.conditions import RANKS

SCOPE = Scope(needs=RANKS)
"""Sums of ranks of any two labelings of a block are farther apart than both of their errors."""
