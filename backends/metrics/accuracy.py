"""Accuracy, computed."""

from __future__ import annotations

from fractions import Fraction

import gmpy2
from flint import arb

from backends.metrics.counting import Counted, Table
from backends.rows import Labels, MeanLoss, Query, check
from dsl.scenario import Scenario


class Accuracy(Counted):
    """The share of rows whose class is their label; one that does not exist is nobody's."""

    id = "accuracy"
    function = "accuracy_score"

    def score(self, table: Table) -> Fraction:
        """Right rows over all."""
        return Fraction(table.right_ones + table.right_zeros, table.rows)

    def floating(self, scenario: Scenario) -> MeanLoss:
        """Rows with a class that does not exist are rows, too."""

        def loss(labels: Labels, u: Query) -> float:
            check(labels, u)
            return int((labels == u).sum()) / len(labels)

        return loss

    def exact(self, labels: Labels, u: Query, bits: int, clip: gmpy2.mpq | None, renormalise: bool) -> arb:
        """The same, exactly."""
        check(labels, u)
        return self.ball(gmpy2.mpq(int((labels == u).sum()), len(labels)), bits)


ACCURACY = Accuracy()
