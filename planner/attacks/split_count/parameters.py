"""Parameters of counting on a secret part of the rows, and how many queries suffice."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from planner.attacks.corners import DearFirst
from planner.attacks.parameters import Parameters
from planner.attacks.splitting.bound import halving
from planner.channel.conditions import (
    ADAPTIVE,
    COLUMN_A_CLASS,
    COUNT_KNOWN,
    FLOATING_PREDICTIONS,
    LOGARITHMIC,
    PART_SCORED,
    Condition,
)
from planner.designs.base import Design

BLOCKS = 16  # of numbers of members that are reckoned with together


@dataclass(frozen=True, eq=False, repr=False)
class SplitCount(DearFirst, Parameters):
    """Counts of rows that are scored and not of class 0 in ever smaller parts; then their classes; then, if that is asked,
    counts of rows of class 0 among those that are left.

    A row of weight e, a multiple of 1/2 within amplitude/2, charges the dear classes `centre` + `unit` * e, and a row that is
    left charges class 0 `others_centre` + `others_unit` * e.
    """

    kind = "split_count"
    adaptive = True  # what is cut next depends on what was counted
    amplitude: int  # the largest difference of two weights, in units
    unit: Fraction
    centre: Fraction
    later: Fraction  # the largest weight of a row in what follows
    members: tuple[Design, ...]  # that tells the classes of the rows found; none: there are two classes
    members_gap: Fraction
    others_amplitude: int  # 0: it is not asked which of the rows left are scored
    others_unit: Fraction
    others_centre: Fraction
    classes: int

    @property
    def membership(self) -> bool:
        """Whether the rows that are left are asked about."""
        return self.others_amplitude > 0

    @property
    def least(self) -> Fraction:
        """The smallest weight of a row in the first part."""
        return self.centre - self.unit * self.amplitude / 2

    @property
    def most(self) -> Fraction:
        """The largest weight of a row."""
        return self.centre + self.unit * self.amplitude / 2

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A known number of rows is scored, and a row can charge some classes next to nothing."""
        return (ADAPTIVE, LOGARITHMIC, COLUMN_A_CLASS, FLOATING_PREDICTIONS, PART_SCORED, COUNT_KNOWN)

    @property
    def for_classes(self) -> int:
        """Queries that tell the classes of members."""
        return sum(self.stages(design) * design.M for design in self.members[:1])

    def after(self, rows: int, scored: int, members: int) -> int:
        """Queries that suffice once so many members are found."""
        left = scored - members
        asked = left if self.others_amplitude else 0
        return self.for_classes * (members > 0) + halving(rows - members, asked, max(self.others_amplitude, 2)) - 1

    def enough(self, rows: int, scored: int) -> int:
        """Queries that suffice for every labeling and every split."""
        return most_queries(rows, scored, self.amplitude, self.others_amplitude, self.for_classes)


@lru_cache(maxsize=256)
def most_queries(rows: int, scored: int, amplitude: int, others: int, for_classes: int) -> int:
    """A count, halving for the members, their classes, and halving for the rows left: the most over all numbers of members.

    Halving takes no fewer queries for more rows, nor for more that are sought: some numbers of members at a time are
    reckoned with as many members as the largest of them, and as many left as the smallest leaves.
    """
    step = -(-(scored + 1) // BLOCKS)
    return max(
        halving(rows, high, amplitude)
        + for_classes * (high > 0)
        + (halving(rows - low, scored - low, others) - 1 if others else 0)
        for low in range(0, scored + 1, step)
        for high in (min(low + step - 1, scored),)
    )
