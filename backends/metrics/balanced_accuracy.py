"""Balanced accuracy, computed."""

from __future__ import annotations

from fractions import Fraction

from backends.metrics.counting import Counted, Table


class BalancedAccuracy(Counted):
    """The mean of the recalls of the classes that there are."""

    id = "balanced_accuracy"
    function = "balanced_accuracy_score"

    def score(self, table: Table) -> Fraction:
        """Of labels that are all alike, the recall of their class."""
        found = [(table.right_ones, table.ones), (table.right_zeros, table.zeros)]
        recalls = [Fraction(right, size) for right, size in found if size]
        return sum(recalls, Fraction(0)) / len(recalls)


BALANCED_ACCURACY = BalancedAccuracy()
