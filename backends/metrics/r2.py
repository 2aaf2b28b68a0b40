"""Coefficient of determination, computed."""

from __future__ import annotations

import gmpy2
from flint import arb

from backends.loader import sklearn_function
from backends.metrics.base import Computation, mean_of
from backends.rows import Labels, MeanLoss, Query, check, floats, rationals
from dsl.scenario import Scenario


class RSquared(Computation):
    """1 - S/T; of labels that are all alike 1 where they are predicted exactly, and 0 otherwise."""

    id = "r2"

    def floating(self, scenario: Scenario) -> MeanLoss:
        """In float64."""

        def loss(labels: Labels, u: Query) -> float:
            check(labels, u)
            ones, rows = int(labels.sum()), len(labels)
            missed = mean_of((labels - floats(u)) ** 2, scenario)
            if ones in (0, rows):
                return float(missed == 0)
            return 1 - missed / mean_of((labels - ones / rows) ** 2, scenario)

        return loss

    def exact(self, labels: Labels, u: Query, bits: int, clip: gmpy2.mpq | None, renormalise: bool) -> arb:
        """Rationals all the way."""
        check(labels, u)
        ones, rows = int(labels.sum()), len(labels)
        missed = gmpy2.mpq(sum((value - int(label)) ** 2 for value, label in zip(rationals(u), labels, strict=True)))
        if ones in (0, rows):
            return self.ball(gmpy2.mpq(int(missed == 0)), bits)
        return self.ball(1 - missed * rows / (ones * (rows - ones)), bits)

    def sklearn(self, scenario: Scenario) -> MeanLoss:
        """r2_score."""
        score = sklearn_function("r2_score")

        def loss(labels: Labels, u: Query) -> float:
            check(labels, u)
            return float(score(labels, floats(u)))

        return loss


R2 = RSquared()
