"""Parameters of the descent."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dsl.scenario import LadderOf
from planner.attacks.parameters import Parameters
from planner.channel.channel import Channel
from planner.channel.conditions import ADAPTIVE, COLUMN_A_CLASS, LOGARITHMIC, TWO_CLASSES, WIDE_FLOATS, WIDE_SCORES
from planner.channel.conditions import Condition as Demand

QUIET = Demand("noise", "none", lambda c: c.law.quiet, lambda c: c.law.name)
STEPS = Demand(
    "decimals", "all digits, or decimals", lambda c: c.shown is None or c.digits.steps, lambda c: c.digits.text
)


def _from_infinity(channel: Channel) -> bool:
    return not isinstance(channel.release, LadderOf) or channel.release.start is None


FROM_INFINITY = Demand(
    "release", "a board that shows the first score", _from_infinity, lambda c: "it starts at a level"
)


@dataclass(frozen=True, eq=False)
class Descent(Parameters):
    """All rows at one side, p for class 1; then one block after the other at weaker predictions, and put right."""

    kind = "descent"
    doubt: Fraction  # p
    weaker: tuple[Fraction, ...]  # of a block's rows, for class 1: they rise from above p to 1 - p at most

    @property
    def m(self) -> int:
        """Labels a query."""
        return len(self.weaker)

    @property
    def told(self) -> int:
        """Binary labels."""
        return 2

    @property
    def adaptive(self) -> bool:
        """A row that is found to be wrong is put right."""
        return True

    @property
    def releases(self) -> tuple[str, ...]:
        """Boards that only fall."""
        return ("best", "ladder")

    @property
    def conditions(self) -> tuple[Demand, ...]:
        """Log-loss of two classes without noise, read in decimals."""
        return (
            LOGARITHMIC,
            TWO_CLASSES,
            COLUMN_A_CLASS,
            ADAPTIVE,
            QUIET,
            STEPS,
            WIDE_FLOATS,
            WIDE_SCORES,
            FROM_INFINITY,
        )
