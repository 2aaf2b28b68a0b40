"""Parameters of counting three classes."""

from __future__ import annotations

from dataclasses import dataclass

from planner.attacks.parameters import Parameters
from planner.channel.conditions import RIGHT_ROWS, Condition
from planner.designs.ternary import Ternary


@dataclass(frozen=True, eq=False, repr=False)
class TernaryCounts(Parameters):
    """A design of predicted classes, each query's right rows read off one score.

    Of rows that are left out class 0 is predicted in every query: what they add is the same in all of them, and cancels.
    """

    kind = "ternary_counts"
    told = 3  # three classes
    design: Ternary

    @property
    def listed(self) -> int | None:
        """The design."""
        return self.design.M

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Right rows are what is counted."""
        return (RIGHT_ROWS,)
