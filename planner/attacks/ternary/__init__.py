"""Right rows of three classes, counted."""

from planner.attacks.scope import Scope
from planner.channel.conditions import COUNTS

SCOPE = Scope(needs=COUNTS)
