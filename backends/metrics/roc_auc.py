"""The area under the ROC curve, computed."""

from __future__ import annotations

from fractions import Fraction

from backends.metrics.counting import Counted, Table


class RocAuc(Counted):
    """How often a row of label 1 is ranked above one of label 0."""

    id = "roc_auc"
    function = "roc_auc_score"

    def score(self, table: Table) -> Fraction:
        """Of two levels; labels that are all alike have none."""
        recall, spared = Fraction(table.right_ones, table.ones), Fraction(table.right_zeros, table.zeros)
        return (recall + spared) / 2


ROC_AUC = RocAuc()
