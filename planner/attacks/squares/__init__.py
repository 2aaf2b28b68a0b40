"""Sums of squares behind a root or a quotient."""

from planner.attacks.scope import Scope
from planner.channel.conditions import SQUARES

SCOPE = Scope(needs=SQUARES)
