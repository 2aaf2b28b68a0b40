"""Parameters of counting attacks."""

from __future__ import annotations

from dataclasses import dataclass

from planner.attacks.parameters import Parameters
from planner.designs.base import Design


@dataclass(frozen=True, eq=False, repr=False)
class Counts(Parameters):
    """A design of whole numbers, each query's sum read off one score.

    Without neutral rows a query predicts 1 where the design has a 1, and 0 elsewhere. With them it predicts 1 for an entry
    of 1, 0 for one of -1, and a class that does not exist for 0 and for all rows that are not asked about.
    """

    kind = "counts"
    told = 2  # whether a label is 1
    design: Design
    neutral: bool  # whether rows may name a class that does not exist
    first: bool  # whether all rows are predicted 1 first, which tells how many labels are 1

    @property
    def listed(self) -> int | None:
        """The design, and what is asked before it."""
        return self.design.M + self.first

    @property
    def fixes(self) -> dict[str, str]:
        """Neutral rows are those that the scorer takes."""
        return {"abstain": "yes"} if self.neutral else {}
