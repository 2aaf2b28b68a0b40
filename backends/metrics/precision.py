"""Precision, computed."""

from __future__ import annotations

from fractions import Fraction

from backends.metrics.counting import Counted, Table


class Precision(Counted):
    """Right ones over all predicted 1."""

    id = "precision"
    function = "precision_score"

    def score(self, table: Table) -> Fraction:
        """0 where nothing is predicted 1."""
        predicted = table.right_ones + table.wrong_ones
        return Fraction(table.right_ones, predicted) if predicted else Fraction(0)


PRECISION = Precision()
