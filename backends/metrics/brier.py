"""The Brier score, computed."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any, ClassVar

import gmpy2
import numpy as np
from flint import arb
from numpy.typing import NDArray

from backends.ieee import DTYPES, mean
from backends.loader import sklearn_function
from backends.metrics.base import Computation
from backends.rows import Labels, MeanLoss, Query, check, floats, rationals
from dsl.scenario import Ieee, Scenario


class Brier(Computation):
    """The mean of (u - y)^2, or of its sum over all classes."""

    id = "brier"
    halved: ClassVar[bool | str] = "auto"  # scikit-learn's `scale_by_half`

    def scale(self, classes: int) -> Fraction:
        """What the sum over all classes is multiplied by; of one column it is (u - y)^2 twice."""
        return Fraction(1, 2) if self.halved is True or classes == 2 else Fraction(1)

    def floating(self, scenario: Scenario) -> MeanLoss:
        """Differences and squares in the format of predictions, their sum in the score's."""
        bits, wide = (one.bits if isinstance(one, Ieee) else 64 for one in (scenario.phi, scenario.score_format))

        def loss(labels: Labels, u: Query) -> float:
            check(labels, u)
            p = floats(u).astype(DTYPES[bits])
            charges = (labels.astype(p.dtype) - p) ** 2 if p.ndim == 1 else self._charges(labels, p)
            return mean(charges.astype(DTYPES[wide], copy=False), scenario.summation)

        return loss

    def _charges(self, labels: Labels, p: NDArray[Any]) -> NDArray[Any]:
        """Of rows of a column a class."""
        hit = (labels[:, None] == np.arange(p.shape[1])).astype(p.dtype)
        charges: NDArray[Any] = ((hit - p) ** 2).sum(axis=1) * p.dtype.type(float(self.scale(p.shape[1])))
        return charges

    def exact(self, labels: Labels, u: Query, bits: int, clip: gmpy2.mpq | None, renormalise: bool) -> arb:
        """Rationals all the way."""
        check(labels, u)
        values = rationals(u)
        if values.min() < 0 or values.max() > 1:
            raise ValueError("a query holds a prediction outside [0, 1]")
        if values.ndim == 1:
            total = sum((value - int(label)) ** 2 for value, label in zip(values, labels, strict=True))
        else:
            hit = labels[:, None] == np.arange(values.shape[1])
            scale = self.scale(values.shape[1])
            total = ((values - hit.astype(int)) ** 2).sum() * gmpy2.mpq(scale.numerator, scale.denominator)
        return self.ball(gmpy2.mpq(total) / len(labels), bits)

    def sklearn(self, scenario: Scenario) -> MeanLoss:
        """brier_score_loss, which is told what class 1 is, or all classes: a labeling may lack some."""
        brier = sklearn_function("brier_score_loss")
        bits = scenario.phi.bits if isinstance(scenario.phi, Ieee) else 64

        def loss(labels: Labels, u: Query) -> float:
            check(labels, u)
            p = floats(u).astype(DTYPES[bits])
            if p.ndim == 1:
                return float(brier(labels, p, pos_label=1))
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message=".*do not sum to one")
                return float(brier(labels, p, labels=range(scenario.K), scale_by_half=self.halved))

        return loss


class HalfBrier(Brier):
    """Halved, however many classes there are."""

    id = "half_brier"
    halved = True


BRIER, HALF_BRIER = Brier(), HalfBrier()
