"""Parameters of counting right rows of several classes."""

from __future__ import annotations

from dataclasses import dataclass

from planner.attacks.parameters import Parameters
from planner.channel.conditions import RIGHT_ROWS, Condition
from planner.designs.balanced import Balanced


@dataclass(frozen=True, eq=False, repr=False)
class ClassCounts(Parameters):
    """A design of predicted classes, each query's right rows read off one score.

    Of rows that are left out class 0 is predicted in every query: what they add is the same in all of them, and cancels.
    """

    kind = "class_counts"
    design: Balanced

    @property
    def told(self) -> int:
        """As many classes as the design has."""
        return self.design.K

    @property
    def listed(self) -> int | None:
        """The design."""
        return self.design.M

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Right rows are what is counted."""
        return (RIGHT_ROWS,)
