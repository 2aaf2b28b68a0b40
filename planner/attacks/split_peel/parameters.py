"""Parameters of peeling."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.corners import Parts
from planner.attacks.parameters import Parameters
from planner.channel.conditions import (
    COLUMN_A_CLASS,
    COUNT_KNOWN,
    FLOATING_PREDICTIONS,
    LOGARITHMIC,
    MORE_CLASSES,
    PART_SCORED,
    Condition,
)
from planner.channel.sides import bits_of, ones_of
from planner.designs.base import Design


@dataclass(frozen=True)
class SplitPeel(Parameters):
    """First which rows are scored and not of class 0; then their classes; last, if that is asked, who is scored of the rest.

    Every question is a design about the middle of a corner's weights, as for labels of two classes: `design` for those about
    all rows, `members` for those about the rows that were found, which are scored and so no more than n.
    """

    kind = "split_peel"
    design: Design
    members: Design
    gap: Fraction
    centre: Fraction
    classes: int
    rest: bool  # whether it is asked which of the remaining rows are scored

    @property
    def told(self) -> int:
        """As many as it was made for."""
        return self.classes

    @property
    def most_queries(self) -> int:
        """All rows and a count, a count and the members for each digit, and all rows again."""
        return self.design.M + 1 + len(self.digits) * (self.members.M + 1) + self.design.M * self.rest

    @property
    def adaptive(self) -> bool:
        """Later questions are about rows that earlier ones found."""
        return True

    @property
    def of_a_part(self) -> bool:
        """Rows that are not scored read like rows of class 0."""
        return True

    @property
    def membership(self) -> bool:
        """Whether the rows that are left are asked about."""
        return self.rest

    @property
    def least(self) -> Fraction:
        """The smallest weight of a row."""
        return self.centre - self.gap * self.design.amplitude

    @property
    def most(self) -> Fraction:
        """The largest weight of a row."""
        return self.centre + self.gap * self.design.amplitude

    @property
    def digits(self) -> Parts:
        """Binary digits of k - 1 for the classes k > 0; class 0 has none."""
        others = self.classes - 1
        dear = (ones_of(others, bit) for bit in range(bits_of(others)))
        return tuple((count, self.classes - count) for count in dear)

    @property
    def parts(self) -> Parts:
        """Dear and cheap classes of all questions."""
        return ((self.classes - 1, 1), *self.digits, *(((1, self.classes - 1),) if self.rest else ()))

    @property
    def fixes(self) -> dict[str, str]:
        """Which classes are dear depends on how many there are."""
        return {"K": f"{self.classes}"}

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A known number of rows is scored, and a row can charge some classes next to nothing."""
        return (LOGARITHMIC, MORE_CLASSES, COLUMN_A_CLASS, FLOATING_PREDICTIONS, PART_SCORED, COUNT_KNOWN)
