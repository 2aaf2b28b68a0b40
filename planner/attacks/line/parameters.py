"""Parameters of blocks of free predictions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.parameters import Parameters, blocks_of
from planner.channel.conditions import DOUBLES, FREE_PREDICTIONS, TWO_CLASSES, Condition


@dataclass(frozen=True, eq=False, repr=False)
class FreeBlock(Parameters):
    """Blocks of m labels, the weights of whose rows are gap, 2 gap, 4 gap and so on; all other rows are at 1/2."""

    kind = "free_block"
    told = 2  # whether a label is 1
    m: int
    gap: Fraction

    @property
    def listed(self) -> int | None:
        """One for each block."""
        return blocks_of(self.labels, self.m)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Any number is taken, as a float64."""
        return (TWO_CLASSES, FREE_PREDICTIONS, DOUBLES)

    def prediction(self, place: int) -> Fraction:
        """(1 - w)/2 for the weight at a place of the block: label 1 is charged w more than label 0."""
        return (1 - self.gap * (1 << place)) / 2
