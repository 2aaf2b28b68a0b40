"""The Jaccard index, computed."""

from __future__ import annotations

from fractions import Fraction

from backends.metrics.counting import Counted, Table


class Jaccard(Counted):
    """Right ones over all that are 1 or predicted 1."""

    id = "jaccard"
    function = "jaccard_score"

    def score(self, table: Table) -> Fraction:
        """0 where nothing is."""
        union = table.right_ones + table.wrong_ones + table.missed_ones
        return Fraction(table.right_ones, union) if union else Fraction(0)


JACCARD = Jaccard()
