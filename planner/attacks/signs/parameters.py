"""Parameters of random signs under a free random offset."""

from __future__ import annotations

from dataclasses import dataclass

from planner.attacks.consistent.parameters import ConsistentSpread
from planner.channel.conditions import ALL_LABELINGS, NOT_DRAWN, ROUNDED, Condition


@dataclass(frozen=True, eq=False, repr=False)
class SignedLabels(ConsistentSpread):
    """Averages as in `consistent` but for the matrix: every label has a sign of its own in each of `order` queries, by coins.

    Nothing is averaged. The labels are the ones that explain every score.
    """

    kind = "signed_labels"

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Those of averages; errors of rounding, which have a bound; and time for every labeling."""
        return (*super().conditions, ROUNDED, NOT_DRAWN, ALL_LABELINGS)
