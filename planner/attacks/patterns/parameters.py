"""Parameters of patterns tried below a Ladder's level."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from dsl.scenario import LadderOf
from planner.attacks.parameters import Parameters
from planner.channel.channel import Channel
from planner.channel.conditions import FALLING, Condition


def _from_a_level(channel: Channel) -> bool:
    return isinstance(channel.release, LadderOf) and channel.release.start is not None


FROM_A_LEVEL = Condition("release", "a Ladder that starts at a level", _from_a_level, lambda c: "it starts at infinity")
LADDER = (*FALLING, FROM_A_LEVEL)
"""Log-loss of two classes without noise, on a Ladder whose start is public."""


@dataclass(frozen=True, eq=False, repr=False)
class Patterns(Parameters):
    """At the t-th level so many rows are sure, of which those not known yet take all their patterns; others are idle."""

    kind = "patterns"
    told = 2
    adaptive = True  # what is tried next depends on what was right
    doubt: Fraction  # what a sure row leaves to the other class
    sure: tuple[int, ...]  # rows that are sure where the board falls the t-th time: they rise from level to level

    @property
    def asked(self) -> int:
        """Queries at most: all patterns but the last one; where no row is new, one query that is sure to be shown."""
        return sum(max(1, 2 ** (two - one) - 1) for one, two in pairwise((0, *self.sure)))

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Of every attack on a Ladder from a level."""
        return LADDER
