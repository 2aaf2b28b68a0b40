"""The area under the ROC curve, computed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from backends.metrics.counting import Counted, Table
from backends.rows import Labels, Query, check, floats


class RocAuc(Counted):
    """How often a row of label 1 is ranked above one of label 0."""

    id = "roc_auc"
    function = "roc_auc_score"

    def taken(self, u: Query) -> Query:
        """Any numbers."""
        return floats(u)

    def of(self, labels: Labels, u: Query) -> Fraction:
        """By ranks, of which rows that are tied share the mean: s rows above b others have b + (s + 1)/2 each."""
        check(labels, u)
        _, level, sizes = np.unique(u, return_inverse=True, return_counts=True)
        doubled = (2 * np.cumsum(sizes) - sizes + 1)[level]
        ones = int(labels.sum())
        return Fraction(int(doubled[labels == 1].sum()) - ones * (ones + 1), 2 * ones * (len(labels) - ones))

    def score(self, table: Table) -> Fraction:
        """Of two levels; labels that are all alike have none."""
        recall, spared = Fraction(table.right_ones, table.ones), Fraction(table.right_zeros, table.zeros)
        return (recall + spared) / 2


ROC_AUC = RocAuc()
