"""Parameters of designs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.parameters import Parameters
from planner.channel.conditions import COLUMN_A_CLASS, FLOATING_PREDICTIONS, Condition
from planner.designs.base import Design


@dataclass(frozen=True, eq=False, repr=False)
class DesignStages(Parameters):
    """Every label in every query: a design asked once, or once for each binary digit of the class.

    A label whose entry is e is charged `gap` * e more if it belongs to the classes asked about.
    """

    kind = "design_stages"
    design: Design
    gap: Fraction
    digits: int  # 1: the design tells whole labels; else one stage a binary digit of the class

    @property
    def told(self) -> int:
        """A design of K classes tells K classes; binary stages tell 2^digits."""
        if self.digits == 1:
            return self.design.K
        return 2**self.digits if self.design.K == 2 and self.digits > 0 else 1

    @property
    def listed(self) -> int:
        """The design once a stage."""
        return self.design.M * self.digits

    @property
    def fixes(self) -> dict[str, str]:
        """A design's rows are submitted as they are; stages ask for the digits of as many classes as there are."""
        return {"K": f"{self.design.K}"} if self.digits == 1 else {}

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Rows of several classes need their columns."""
        return (COLUMN_A_CLASS, FLOATING_PREDICTIONS)
