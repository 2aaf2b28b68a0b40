"""Parameters of the design for labels and split."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.parameters import Parameters
from planner.channel.conditions import (
    CORNERED,
    FLOATING_PREDICTIONS,
    PART_SCORED,
    TWO_CLASSES,
    Condition,
)
from planner.designs.corner import Corner
from planner.designs.lindstrom import Lindstrom


@dataclass(frozen=True, eq=False, repr=False)
class SplitDesign(Parameters):
    """Three states a row, all rows in every query: corner rows of whole gaps, of either class.

    How many rows are scored only scales the scores. Where that is not known every number that is possible is tried, and a
    query settles which of two states is right that explain the scores for different numbers.
    """

    kind = "split_design"
    told = 2  # both classes, and rows that are not scored
    membership = True  # it tells which rows are scored
    design: Lindstrom  # over the seed of corner rows: two columns a row
    gap: Fraction
    settling: int  # queries at most, one for each number of scored rows but the last

    @property
    def listed(self) -> int | None:
        """The design once, unless something may have to be settled."""
        return None if self.settling else self.design.M

    @property
    def adaptive(self) -> bool:
        """What is settled depends on what the scores leave open."""
        return self.settling > 0

    @property
    def seed(self) -> Corner | None:
        """The corner rows; None: the record holds another design."""
        return self.design.seed if isinstance(self.design.seed, Corner) else None

    @property
    def fixes(self) -> dict[str, str]:
        """Rows of two classes are submitted as they are."""
        return {"K": "2"}

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A part of the rows is scored, and a row can charge one class next to nothing."""
        return (CORNERED, TWO_CLASSES, FLOATING_PREDICTIONS, PART_SCORED)
