"""Parameters of the pivot."""

from __future__ import annotations

from dataclasses import dataclass

from planner.attacks.parameters import Parameters
from planner.channel.conditions import ABSTAINS, ADAPTIVE, QUIET, RIGHT_ROWS, ROUNDED, TWO_CLASSES, Condition


@dataclass(frozen=True, eq=False, repr=False)
class Pivot(Parameters):
    """Two submissions a row apart, one shown as 0 and one not; every other row is then compared by itself."""

    kind = "pivot"
    told = 2  # whether a label is 1
    adaptive = True  # the pair is found by halving

    @property
    def fixes(self) -> dict[str, str]:
        """Rows that are not asked about are neutral."""
        return {"abstain": "yes"}

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What is shown follows from the number of right rows alone."""
        return (TWO_CLASSES, RIGHT_ROWS, ABSTAINS, QUIET, ROUNDED, ADAPTIVE)
