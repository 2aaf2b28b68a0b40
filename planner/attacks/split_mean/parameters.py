"""Parameters of averages on a secret part of the rows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.parameters import Parameters
from planner.channel.conditions import (
    AVERAGING,
    CORNERED,
    COUNT_KNOWN,
    PART_SCORED,
    RANDOM_NOISE,
    TWO_CLASSES,
    Condition,
)

SHARE = Fraction(1, 2)  # of delta: some noise is larger than scores are explained with; the other half has the averages


@dataclass(frozen=True, eq=False, repr=False)
class SplitMean(Parameters):
    """All rows at one weight in every query, against one class or the other by the signs of Sylvester's matrix."""

    kind = "split_mean"
    told = 2  # both classes, and rows that are not scored
    membership = True  # it tells which rows are scored
    order: int  # of the matrix: a power of two
    repeats: int
    weight: Fraction

    @property
    def listed(self) -> int | None:
        """Each row of the matrix as often as it is repeated."""
        return self.order * self.repeats

    @property
    def fixes(self) -> dict[str, str]:
        """Rows of two classes are submitted as they are."""
        return {"K": "2"}

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Random noise that does not grow, and a known number of scored rows."""
        return (*AVERAGING, RANDOM_NOISE, CORNERED, TWO_CLASSES, PART_SCORED, COUNT_KNOWN)
