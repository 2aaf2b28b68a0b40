"""Parameters of tests by zeros."""

from __future__ import annotations

from dataclasses import dataclass

from planner.attacks.parameters import Parameters
from planner.attacks.promise import NOISE, NOTHING
from planner.channel.channel import Channel
from planner.channel.conditions import COLUMN_A_CLASS, LOGARITHMIC, ZEROS_SHOW, Condition


@dataclass(frozen=True, eq=False, repr=False)
class ZeroTests(Parameters):
    """Tests whether any label of a group lies in the classes that were given probability 0.

    Grouped tests save queries where labels are skewed; they never take more than `reserve` above one test a label
    and bit.
    """

    kind = "zero_tests"
    rows: int  # of a submission
    classes: int
    columns: int
    grouped: bool
    reserve: int

    @property
    def told(self) -> int:
        """By halving them."""
        return self.classes

    @property
    def adaptive(self) -> bool:
        """Groups follow what was found before."""
        return self.grouped

    def over(self, channel: Channel) -> str:
        """No noise hides an infinite score; random noise without a bound may make a finite one overflow."""
        return NOISE if channel.law.tailed and channel.scores.floating else NOTHING

    @property
    def fixes(self) -> dict[str, str]:
        """Rows are submitted in this shape."""
        return {"N": f"{self.rows}", "K": f"{self.classes}", "columns": f"{self.columns}"}

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Zeros that show, in every class."""
        return (LOGARITHMIC, ZEROS_SHOW, COLUMN_A_CLASS)

    @property
    def bits(self) -> int:
        """Tests that tell one label's class."""
        return (self.classes - 1).bit_length()


def reserve_for(labels: int) -> int:
    """Enough for the first group to be as large as it may ever become worth while."""
    return labels.bit_length() + 2
