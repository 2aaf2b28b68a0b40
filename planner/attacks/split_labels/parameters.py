"""Parameters of the attack on labels of a secret part."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.parameters import Parameters
from planner.channel.conditions import (
    COLUMN_A_CLASS,
    CORNERED,
    COUNT_KNOWN,
    FLOATING_PREDICTIONS,
    PART_SCORED,
    Condition,
)
from planner.designs.base import Design


@dataclass(frozen=True, eq=False, repr=False)
class SplitLabels(Parameters):
    """Which rows are scored and of a class with a binary digit of 1: a stage for each digit of the class.

    A stage is a design whose entries stand about a weight in the middle of the corner: a row whose entry is e has the
    weight `centre` + `gap` * e; a row that the attack does not speak of has the entry 0. One query more, all rows at the
    largest weight, counts the rows that are scored and have the digit.
    """

    kind = "split_labels"
    design: Design
    gap: Fraction
    centre: Fraction
    digits: int  # of the class

    @property
    def told(self) -> int:
        """As many as have so many binary digits."""
        return 2**self.digits if self.digits > 0 else 1

    @property
    def listed(self) -> int | None:
        """The design and the query that counts, once a digit."""
        return (self.design.M + 1) * self.digits

    @property
    def least(self) -> Fraction:
        """The smallest weight of a row."""
        return self.centre - self.gap * self.design.amplitude

    @property
    def most(self) -> Fraction:
        """The largest weight of a row."""
        return self.centre + self.gap * self.design.amplitude

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A known number of rows is scored, and a row can charge one class next to nothing."""
        return (CORNERED, COLUMN_A_CLASS, FLOATING_PREDICTIONS, PART_SCORED, COUNT_KNOWN)
