"""Matthews correlation: (aN - s n1)/sqrt(s (N - s) n0 n1), between -1 and 1; 0 whenever labels are all alike."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

from planner.channel.metrics.counting import CountingMetric


class Mcc(CountingMetric):
    """The correlation of labels and predictions."""

    id = "mcc"
    title = "the Matthews correlation"
    lowest = -1
    one_class = False

    def score(self, a: int, s: int, n1: int, N: int) -> Fraction:
        """To ROOT_BITS binary digits."""
        return (a * N - s * n1) / _root(s * (N - s) * n1 * (N - n1))

    def count(self, score: Fraction, s: int, n1: int, N: int) -> Fraction:
        """Solved for a."""
        return (score * _root(s * (N - s) * n1 * (N - n1)) + s * n1) / N

    def scores(self, xp: Any, a: Any, s: float, n1: Any, N: float) -> Any:
        """The same of arrays."""
        return (a * N - s * n1) / xp.sqrt(s * (N - s) * n1 * (N - n1))

    def step(self, N: int, n1: int | None) -> Fraction:
        """N/sqrt(s (N - s) n0 n1), and s (N - s) <= N^2/4."""
        if n1 is None:
            return Fraction(4, N)
        product = n1 * (N - n1)
        return Fraction(2, isqrt(product - 1) + 1) if product else Fraction(0)

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """-sqrt(n1/((N - 1) n0)), or sqrt(n0/((N - 1) n1))."""
        return (Fraction(-1, N - 1), Fraction(1, N - 1)) if N > 1 else None

    def swap(self, N: int, n1: int) -> Fraction | None:
        """N/sqrt(s (N - s) n0 n1), s = 1, the root rounded down."""
        return N / _root((N - 1) * n1 * (N - n1))


ROOT_BITS = 96


def _root(square: int) -> Fraction:
    """A square root to more digits than any score has."""
    return Fraction(isqrt(square << 2 * ROOT_BITS), 1 << ROOT_BITS)


MCC = Mcc()
