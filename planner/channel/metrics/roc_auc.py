"""Area under the ROC curve. Of two levels of predictions it is balanced accuracy; more levels are not used here.

Of labels that are all alike there is none: scikit-learn shows nan.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from planner.channel.metrics.balanced_accuracy import BalancedAccuracy

if TYPE_CHECKING:
    from planner.channel.channel import Channel


class RocAuc(BalancedAccuracy):
    """How often a row of label 1 is ranked above one of label 0, ties counted half."""

    id = "roc_auc"
    title = "the area under the ROC curve"
    predictions = ("real",)
    control = False
    has_nan = True

    def values(self, channel: Channel) -> int | None:
        """Ranks of many levels have many."""
        return None

    def swap(self, N: int, n1: int) -> Fraction | None:
        """Ranks of two rows differ by N - 1 at most, and n0 n1 times the area is a sum of ranks."""
        return Fraction(N - 1, n1 * (N - n1))


ROC_AUC = RocAuc()
