"""Right rows of several classes, counted."""

from planner.attacks.scope import Scope
from planner.channel.conditions import COUNTS

SCOPE = Scope(needs=COUNTS)
