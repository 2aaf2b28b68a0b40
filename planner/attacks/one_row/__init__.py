"""One row predicted 1 a query."""

from planner.attacks.scope import Scope
from planner.channel.conditions import COUNTS

SCOPE = Scope(needs=COUNTS)
