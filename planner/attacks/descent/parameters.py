"""Parameters of the descent."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dsl.scenario import LadderOf
from planner.attacks.parameters import Parameters
from planner.channel.channel import Channel
from planner.channel.conditions import FALLING, Condition


def _from_infinity(channel: Channel) -> bool:
    return not isinstance(channel.release, LadderOf) or channel.release.start is None


FROM_INFINITY = Condition(
    "release", "a board that shows the first score", _from_infinity, lambda c: "it starts at a level"
)


@dataclass(frozen=True, eq=False, repr=False)
class Descent(Parameters):
    """All rows at one side, p for class 1; then one block after the other at weaker predictions, and put right."""

    kind = "descent"
    told = 2
    adaptive = True  # a row that is found to be wrong is put right
    doubt: Fraction  # p
    weaker: tuple[Fraction, ...]  # of a block's rows, for class 1: they rise from above p to 1 - p at most

    @property
    def m(self) -> int:
        """Labels a query."""
        return len(self.weaker)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Log-loss of two classes without noise, read in decimals."""
        return (*FALLING, FROM_INFINITY)
