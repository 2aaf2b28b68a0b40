"""Counts of labels, read off metrics of predicted classes."""

from planner.attacks.scope import Scope
from planner.channel.conditions import COUNTS

SCOPE = Scope(needs=COUNTS)
