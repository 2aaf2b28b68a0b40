"""Parameters of counting in growing chunks."""

from __future__ import annotations

from dataclasses import dataclass

from planner.attacks.parameters import Parameters
from planner.channel.conditions import ADAPTIVE, Condition


@dataclass(frozen=True, eq=False)
class GrowingCounts(Parameters):
    """Chunks of rows, each read by a design of counts once every count is sure, whatever the number of ones may still be."""

    kind = "growing_counts"
    needs = "counts"
    control: bool  # whether all rows are predicted 1 first, which tells labels that are all alike

    @property
    def told(self) -> int:
        """Whether a label is 1."""
        return 2

    @property
    def adaptive(self) -> bool:
        """How large a chunk may be follows from earlier scores."""
        return True

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Asked adaptively."""
        return (ADAPTIVE,)
