"""Parameters of rows asked one by one in the room that a first score buys."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dsl.scenario import LadderOf
from planner.attacks.parameters import Parameters
from planner.attacks.promise import COINS
from planner.channel.channel import Channel
from planner.channel.conditions import COINS_DECIDE, FALLING, Condition


def _from_infinity(channel: Channel) -> bool:
    return isinstance(channel.release, LadderOf) and channel.release.start is None


LADDER_FROM_INFINITY = Condition("release", "a Ladder from infinity", _from_infinity, lambda c: "it starts at a level")


@dataclass(frozen=True, eq=False, repr=False)
class Room(Parameters):
    """The rows that are not asked stand at random sides: they pay for the room, and are the offset of every comparison."""

    kind = "room"
    told = 2
    adaptive = True  # how the offset leans depends on what was shown
    doubt: Fraction  # what a sure row leaves to the other class
    below: Fraction  # T: how far below the board's edge a sum is put
    counts: int  # numbers of wrong sides that one first score leaves
    least: int  # sides that are wrong, but for what coins have of delta
    most: int  # times that the board falls for a label
    seed: int  # of the coins

    @property
    def asked(self) -> int:
        """The first score, the count, one a label."""
        return 1 + self.counts + self.labels

    def over(self, channel: Channel) -> str:
        """The coins."""
        return COINS

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Log-loss of two classes without noise, on a Ladder that shows the first score."""
        return (*FALLING, LADDER_FROM_INFINITY, COINS_DECIDE)
