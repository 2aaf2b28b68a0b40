"""How a metric is computed: in each arithmetic that a scenario may describe, and by scikit-learn's own function."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar

import gmpy2
from flint import arb, fmpq
from numpy.typing import NDArray

from backends.ieee import mean
from backends.loader import ScorerError
from backends.rows import Labels, MeanLoss, Query
from dsl.scenario import FixedPoint, Scenario
from planner.numerics.reals import working

GUARD_BITS = 32


class Computation(ABC):
    """One metric, as scorers compute it. `id` is that of its mathematics."""

    id: ClassVar[str]

    @abstractmethod
    def floating(self, scenario: Scenario) -> MeanLoss:
        """In the scenario's floating-point formats, as numpy adds up."""

    @abstractmethod
    def exact(self, labels: Labels, u: Query, bits: int, clip: gmpy2.mpq | None, renormalise: bool) -> arb:
        """A ball of radius at most 2^-bits around the true score; infinite where it is."""

    def fixed(
        self, scenario: Scenario, formats: tuple[FixedPoint, FixedPoint], clip: gmpy2.mpq | None
    ) -> Callable[[Labels, Query, Fraction, Fraction], Fraction]:
        """(labels, u, scale, shift) -> (1 + scale) * score + shift, on the grid of the second format."""
        raise ScorerError(f"{self.id} is not computed in fixed point")

    @abstractmethod
    def sklearn(self, scenario: Scenario) -> MeanLoss:
        """scikit-learn's own function, as installed."""

    def library(self, scenario: Scenario) -> MeanLoss | None:
        """A model of the library that the scenario's preset names; None: its arithmetic is all that is known."""
        return None

    @staticmethod
    def ball(score: gmpy2.mpq, bits: int) -> arb:
        """A rational score as a ball of radius at most 2^-bits."""
        with working(max(bits, 0) + GUARD_BITS):
            return arb(fmpq(int(score.numerator), int(score.denominator)))


def mean_of(charges: NDArray[Any], scenario: Scenario) -> float:
    """The mean of charges in float64, added up in the scenario's order."""
    return float(mean(charges, scenario.summation))
