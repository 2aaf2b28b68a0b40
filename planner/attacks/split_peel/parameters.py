"""Parameters of peeling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.corners import DearFirst
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
from planner.designs.base import Design


@dataclass(frozen=True, eq=False, repr=False)
class SplitPeel(DearFirst, Parameters):
    """First which rows are scored and not of class 0; then their classes; last, if that is asked, who is scored of the rest.

    The first question is a design about the middle of a corner's weights, as for labels of two classes. The rows that it
    finds, the members, are known to be scored, and the rows that are left are of class 0 if they are: both can be charged
    anything without a rest that is not known. How many members there are decides which pair of designs follows: the first
    of `members` that holds them, with the one of `others` beside it.
    """

    kind = "split_peel"
    adaptive = True  # later questions are about rows that earlier ones found
    design: Design
    gap: Fraction
    centre: Fraction
    members: tuple[Design, ...]  # of the classes from 1 on, or of binary digits of the class less one
    members_gap: Fraction
    others: tuple[Design, ...]  # of rows that are left; none: it is not asked which of them are scored
    others_gap: Fraction
    others_centre: Fraction  # what class 0 is charged in the middle
    classes: int

    @property
    def membership(self) -> bool:
        """Whether the rows that are left are asked about."""
        return bool(self.others)

    @property
    def least(self) -> Fraction:
        """The smallest weight of a row in the first question."""
        return self.centre - self.gap * self.design.amplitude

    @property
    def most(self) -> Fraction:
        """The largest weight of a row."""
        return self.centre + self.gap * self.design.amplitude

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A known number of rows is scored, and a row can charge some classes next to nothing."""
        return (LOGARITHMIC, MORE_CLASSES, COLUMN_A_CLASS, FLOATING_PREDICTIONS, PART_SCORED, COUNT_KNOWN)

    def followed(self, scored: int) -> Iterator[tuple[int, int]]:
        """The places of designs that follow some number of members, each with the fewest that lead there."""
        fewest = 0
        for place, design in enumerate(self.members):
            if fewest <= scored and design.capacity() >= fewest:
                yield place, fewest
                fewest = max(fewest, design.capacity() + 1)
        # Numbers of members beyond every design are refused by the room that is asked for.

    def most_queries(self, scored: int) -> int:
        """All rows and a count, then at worst the designs of some number of members."""
        follow = (
            self.stages(self.members[place]) * self.members[place].M + (self.others[place].M if self.others else 0)
            for place, _ in self.followed(scored)
        )
        return self.design.M + 1 + max(follow, default=0)
