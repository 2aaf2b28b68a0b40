"""Parameters of the attack that asks who is scored."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.design.parameters import DesignStages
from planner.attacks.parameters import Parameters
from planner.channel.conditions import (
    ADAPTIVE,
    ANY_SUMS,
    COUNT_KNOWN,
    FLOATING_PREDICTIONS,
    LOGARITHMIC,
    PART_SCORED,
    Condition,
)
from planner.designs.base import Design


@dataclass(frozen=True, eq=False, repr=False)
class SplitMembers(Parameters):
    """Rows that charge all classes alike tell who is scored; the labels of those rows are then those of a board of their own.

    A row whose entry in `asking` is e charges `asking_centre` + `asking_gap` * e if it is scored, whatever its class.
    """

    kind = "split_members"
    adaptive = True  # the second part is about the rows that the first one finds
    membership = True  # it tells which rows are scored
    asking: Design
    asking_gap: Fraction
    asking_centre: Fraction
    part: int  # rows that are scored
    design: Design  # of the labels of scored rows
    gap: Fraction
    digits: int

    @property
    def stages(self) -> DesignStages:
        """The second part: a board of the scored rows alone; its errors count all queries."""
        return DesignStages(self.queries, self.part, self.design, self.gap, self.digits)

    @property
    def told(self) -> int:
        """What the second part tells."""
        return self.stages.told

    @property
    def least(self) -> Fraction:
        """The smallest charge of the first part."""
        return self.asking_centre - self.asking_gap * self.asking.amplitude

    @property
    def most(self) -> Fraction:
        """The largest charge of the first part."""
        return self.asking_centre + self.asking_gap * self.asking.amplitude

    @property
    def fixes(self) -> dict[str, str]:
        """What the design fixes."""
        return self.stages.fixes

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Rows of any sum, and a known number of scored ones."""
        return (ADAPTIVE, LOGARITHMIC, ANY_SUMS, FLOATING_PREDICTIONS, PART_SCORED, COUNT_KNOWN)
