"""Parameters of the attack that predicts one row 1 a query."""

from __future__ import annotations

from dataclasses import dataclass

from planner.attacks.parameters import Parameters


@dataclass(frozen=True, eq=False, repr=False)
class OneRow(Parameters):
    """A query a label, all other rows predicted 0."""

    kind = "one_row"
    told = 2  # whether a label is 1
    control: bool  # whether all rows are predicted 1 first, which tells labels that are all alike

    @property
    def listed(self) -> int | None:
        """One for each label, and the control."""
        return self.labels + self.control
