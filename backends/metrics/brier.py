"""The Brier score, computed."""

from __future__ import annotations

import gmpy2
from flint import arb

from backends.ieee import DTYPES, mean
from backends.loader import sklearn_function
from backends.metrics.base import Computation
from backends.rows import Labels, MeanLoss, Query, check, floats, rationals
from dsl.scenario import Ieee, Scenario


class Brier(Computation):
    """The mean of (u - y)^2."""

    id = "brier"

    def floating(self, scenario: Scenario) -> MeanLoss:
        """Differences and squares in the format of predictions, their sum in the score's."""
        bits, wide = (one.bits if isinstance(one, Ieee) else 64 for one in (scenario.phi, scenario.score_format))

        def loss(labels: Labels, u: Query) -> float:
            check(labels, u)
            p = floats(u).astype(DTYPES[bits])
            charges = (labels.astype(p.dtype) - p) ** 2
            return mean(charges.astype(DTYPES[wide], copy=False), scenario.summation)

        return loss

    def exact(self, labels: Labels, u: Query, bits: int, clip: gmpy2.mpq | None, renormalise: bool) -> arb:
        """Rationals all the way."""
        check(labels, u)
        values = rationals(u)
        if min(values) < 0 or max(values) > 1:
            raise ValueError("a query holds a prediction outside [0, 1]")
        pairs = zip(values, labels, strict=True)
        return self.ball(gmpy2.mpq(sum((value - int(label)) ** 2 for value, label in pairs)) / len(labels), bits)

    def sklearn(self, scenario: Scenario) -> MeanLoss:
        """brier_score_loss, which is told that class 1 is predicted: a labeling may lack it."""
        brier = sklearn_function("brier_score_loss")
        bits = scenario.phi.bits if isinstance(scenario.phi, Ieee) else 64

        def loss(labels: Labels, u: Query) -> float:
            check(labels, u)
            return float(brier(labels, floats(u).astype(DTYPES[bits]), pos_label=1))

        return loss


BRIER = Brier()
