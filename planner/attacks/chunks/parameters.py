"""Parameters of counting in growing chunks."""

from __future__ import annotations

from dataclasses import dataclass

from planner.attacks.parameters import Parameters
from planner.channel.conditions import ADAPTIVE, Condition


@dataclass(frozen=True, eq=False, repr=False)
class GrowingCounts(Parameters):
    """Chunks of rows, each read by a design of counts once every count is sure, whatever the number of ones may still be."""

    kind = "growing_counts"
    told = 2  # whether a label is 1
    adaptive = True  # how large a chunk may be follows from earlier scores
    control: bool  # whether all rows are predicted 1 first, which tells labels that are all alike

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Asked adaptively."""
        return (ADAPTIVE,)
