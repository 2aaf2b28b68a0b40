"""Parameters of the attack on labels of a secret part."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.parameters import Parameters
from planner.channel.conditions import (
    COUNT_KNOWN,
    FLOATING_PREDICTIONS,
    LOGARITHMIC,
    PART_SCORED,
    TWO_CLASSES,
    Condition,
)
from planner.designs.base import Design


@dataclass(frozen=True)
class SplitLabels(Parameters):
    """Which rows are scored and of class 1: a design whose entries stand about a weight in the middle of the corner.

    A row whose entry is e has the weight `centre` + `gap` * e; a row that the attack does not speak of has the entry 0. One
    query more, all rows at the largest weight, counts the rows that are scored and of class 1.
    """

    kind = "split_labels"
    design: Design
    gap: Fraction
    centre: Fraction

    @property
    def told(self) -> int:
        """Class 1 is told from the other."""
        return 2

    @property
    def listed(self) -> int | None:
        """The design, and the query that counts."""
        return self.design.M + 1

    @property
    def of_a_part(self) -> bool:
        """Rows that are not scored read like rows of class 0."""
        return True

    @property
    def least(self) -> Fraction:
        """The smallest weight of a row."""
        return self.centre - self.gap * self.design.amplitude

    @property
    def most(self) -> Fraction:
        """The largest weight of a row."""
        return self.centre + self.gap * self.design.amplitude

    @property
    def fixes(self) -> dict[str, str]:
        """Rows of two classes are submitted as they are."""
        return {"K": "2"}

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A known number of rows is scored, and a row can charge one class next to nothing."""
        return (LOGARITHMIC, TWO_CLASSES, FLOATING_PREDICTIONS, PART_SCORED, COUNT_KNOWN)
