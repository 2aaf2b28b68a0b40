"""Area under the ROC curve. Of two levels of predictions it is balanced accuracy; more levels are not used here.

Of labels that are all alike there is none: scikit-learn shows nan.
"""

from __future__ import annotations

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


ROC_AUC = RocAuc()
