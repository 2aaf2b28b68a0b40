"""Root of the mean squared error, computed."""

from __future__ import annotations

from math import sqrt

import gmpy2
from flint import arb

from backends.loader import sklearn_function
from backends.metrics.base import GUARD_BITS, Computation, mean_of
from backends.metrics.mse import MSE
from backends.rows import Labels, MeanLoss, Query, check, floats
from dsl.scenario import Scenario
from planner.numerics.reals import working


class Rmse(Computation):
    """The root of the mean of (u - y)^2."""

    id = "rmse"

    def floating(self, scenario: Scenario) -> MeanLoss:
        """In float64."""

        def loss(labels: Labels, u: Query) -> float:
            check(labels, u)
            return sqrt(mean_of((labels - floats(u)) ** 2, scenario))

        return loss

    def exact(self, labels: Labels, u: Query, bits: int, clip: gmpy2.mpq | None, renormalise: bool) -> arb:
        """The root of a rational; one that is close to 0 is off by the root of what its square is."""
        finer = 2 * max(bits, 0) + GUARD_BITS
        mean = MSE.exact(labels, u, finer, clip, renormalise)
        with working(finer + GUARD_BITS):
            return mean.sqrt() if mean > 0 else arb(0)

    def sklearn(self, scenario: Scenario) -> MeanLoss:
        """root_mean_squared_error."""
        error = sklearn_function("root_mean_squared_error")

        def loss(labels: Labels, u: Query) -> float:
            check(labels, u)
            return float(error(labels, floats(u)))

        return loss


RMSE = Rmse()
