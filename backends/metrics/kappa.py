"""Cohen's kappa, computed."""

from __future__ import annotations

from fractions import Fraction

from backends.metrics.counting import Counted, Table


class Kappa(Counted):
    """Agreement beyond chance."""

    id = "kappa"
    function = "cohen_kappa_score"

    def score(self, table: Table) -> Fraction:
        """It has none where labels and predictions are all of one class."""
        predicted = table.right_ones + table.wrong_ones
        agreed = Fraction(table.right_ones + table.right_zeros, table.rows)
        unpredicted = table.rows - predicted
        chance = Fraction(predicted * table.ones + unpredicted * table.zeros, table.rows**2)
        return (agreed - chance) / (1 - chance)


KAPPA = Kappa()
