"""Parameters of blocks that are read off functions of a sum of squares."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.parameters import Parameters, blocks_of
from planner.channel.conditions import DOUBLES, TWO_CLASSES, Condition


@dataclass(frozen=True, eq=False, repr=False)
class SquareBlock(Parameters):
    """Blocks of m labels, the weights of whose rows are gap, 2 gap, 4 gap and so on; all other rows are at 1/2.

    Where it must be known how many labels are 1, all rows are at t first and, if `before` is 2, then at 1 - t.
    """

    kind = "square_block"
    told = 2  # whether a label is 1
    m: int
    gap: Fraction
    t: Fraction
    before: int  # queries that tell how many labels are 1

    @property
    def listed(self) -> int | None:
        """One for each block, and what is asked before."""
        return blocks_of(self.labels, self.m) + self.before

    @property
    def constants(self) -> tuple[Fraction, ...]:
        """What all rows are at in the queries before."""
        return (self.t, 1 - self.t)[: self.before]

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Predictions are float64."""
        return (TWO_CLASSES, DOUBLES)

    def prediction(self, place: int) -> Fraction:
        """(1 - w)/2 for the weight at a place of the block: label 1 is charged w more than label 0."""
        return (1 - self.gap * (1 << place)) / 2

    def predictions(self) -> tuple[Fraction, ...]:
        """All that are written."""
        return (*(self.prediction(place) for place in range(self.m)), *self.constants)
