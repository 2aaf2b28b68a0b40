"""Parameters of comparisons that are listed beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.parameters import Parameters
from planner.attacks.promise import NOISE, NOTHING
from planner.channel.conditions import (
    ANY_SUMS,
    BOUNDED_NOISE,
    DOUBT_ALLOWED,
    FEW_DECIMALS,
    LOGARITHMIC,
    ROUNDED,
    WIDE_SCORES,
    Condition,
)
from planner.channel.errors import WHOLE
from planner.channel.sides import bits_of

if TYPE_CHECKING:
    from planner.channel.channel import Channel

FREE_ROWS = (LOGARITHMIC, ANY_SUMS, FEW_DECIMALS, BOUNDED_NOISE, DOUBT_ALLOWED, WIDE_SCORES)
"""Scores that any amount can be added to, whatever the labels are."""

FREE_OFFSET = (*FREE_ROWS, ROUNDED)
"""The same, rounded."""


@dataclass(frozen=True, eq=False, repr=False)
class ScaledThresholds(Parameters):
    """One row is asked at a time: half of the classes get `large`, the others `small`; all other rows give `idle` to each.

    What idle rows are charged puts the boundary above `boundary` units between the two sums that the row may cause.
    """

    kind = "scaled_thresholds"
    rows: int  # of a submission; labels of the first ones are recovered
    classes: int
    small: Fraction
    large: Fraction
    idle: Fraction
    boundary: int

    @property
    def told(self) -> int:
        """Bit by bit of their number."""
        return self.classes

    @property
    def bits(self) -> int:
        """Comparisons a label."""
        return bits_of(self.classes)

    @property
    def listed(self) -> int | None:
        """A query for each bit of a label."""
        return self.labels * self.bits

    def over(self, channel: Channel) -> str:
        """Comparisons are exact, but for noise that has no bound for certain."""
        return NOISE if channel.law.tailed else NOTHING

    @property
    def noise_share(self) -> Fraction:
        """Of delta, that noise without a bound for certain may leave its own with: nothing else is left to chance."""
        return WHOLE

    @property
    def fixes(self) -> dict[str, str]:
        """Every row takes part in every comparison."""
        return {"N": f"{self.rows}", "K": f"{self.classes}"}

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A rounding that any amount can be added before."""
        return FREE_OFFSET
