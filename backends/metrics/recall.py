"""Recall, computed."""

from __future__ import annotations

from fractions import Fraction

from backends.metrics.counting import Counted, Table


class Recall(Counted):
    """Right ones over all that are 1."""

    id = "recall"
    function = "recall_score"

    def score(self, table: Table) -> Fraction:
        """0 where nothing is 1."""
        return Fraction(table.right_ones, table.ones) if table.ones else Fraction(0)


RECALL = Recall()
