"""Area under the ROC curve. Of two levels of predictions it is balanced accuracy; of more it is a sum of ranks.

Of labels that are all alike there is none: scikit-learn shows nan.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from planner.channel.metrics.balanced_accuracy import BalancedAccuracy
from planner.channel.metrics.counting import FLOAT_UNITS

if TYPE_CHECKING:
    from flint import arb

    from planner.channel.channel import Channel


class RocAuc(BalancedAccuracy):
    """How often a row of label 1 is ranked above one of label 0, ties counted half."""

    id = "roc_auc"
    title = "the area under the ROC curve"
    predictions = ("real",)
    control = False
    has_nan = True
    ranks = True

    def values(self, channel: Channel) -> int | None:
        """Ranks of many levels have many."""
        return None

    def swap(self, N: int, n1: int) -> Fraction | None:
        """Ranks of two rows differ by N - 1 at most, and n0 n1 times the area is a sum of ranks."""
        return Fraction(N - 1, n1 * (N - n1))

    def rank_error(self, channel: Channel, queries: int) -> arb:
        """Of a score of any number of levels: each adds a step to the curve, and n0 n1 areas are told by halves."""
        N = channel.scored
        return self._off(channel, queries, FLOAT_UNITS + 2 * N, 2 * N.bit_length())


ROC_AUC = RocAuc()
