"""Mean absolute error, computed."""

from __future__ import annotations

import gmpy2
from flint import arb

from backends.loader import sklearn_function
from backends.metrics.base import Computation, mean_of
from backends.rows import Labels, MeanLoss, Query, check, floats, rationals
from dsl.scenario import Scenario


class Mae(Computation):
    """The mean of |u - y|."""

    id = "mae"

    def floating(self, scenario: Scenario) -> MeanLoss:
        """In float64."""

        def loss(labels: Labels, u: Query) -> float:
            check(labels, u)
            return mean_of(abs(floats(u) - labels), scenario)

        return loss

    def exact(self, labels: Labels, u: Query, bits: int, clip: gmpy2.mpq | None, renormalise: bool) -> arb:
        """Rationals all the way."""
        check(labels, u)
        pairs = zip(rationals(u), labels, strict=True)
        return self.ball(gmpy2.mpq(sum(abs(value - int(label)) for value, label in pairs)) / len(labels), bits)

    def sklearn(self, scenario: Scenario) -> MeanLoss:
        """mean_absolute_error."""
        error = sklearn_function("mean_absolute_error")

        def loss(labels: Labels, u: Query) -> float:
            check(labels, u)
            return float(error(labels, floats(u)))

        return loss


MAE = Mae()
