"""F1, computed."""

from __future__ import annotations

from fractions import Fraction

from backends.metrics.counting import Counted, Table, f1


class FOne(Counted):
    """The harmonic mean of precision and recall."""

    id = "f1"
    function = "f1_score"

    def score(self, table: Table) -> Fraction:
        """0 where nothing is 1 or predicted 1."""
        return f1(table.right_ones, table.wrong_ones + table.missed_ones)


F1 = FOne()
