"""Rows compared at the edge of a cell of rounded accuracy."""

from planner.attacks.scope import Scope
from planner.channel.conditions import COUNTS

SCOPE = Scope(needs=COUNTS)
