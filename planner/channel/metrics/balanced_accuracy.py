"""Balanced accuracy: the mean of the recalls of both classes, (a/n1 + (n0 - s + a)/n0)/2.

Of one row predicted 1 it shows 1/2 + 1/(2 n1) or 1/2 - 1/(2 n0). Labels that are all alike are scored as one class: all rows
predicted 1 show 0 or 1 then, and 1/2 otherwise.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from planner.channel.metrics.counting import CountingMetric


class BalancedAccuracy(CountingMetric):
    """1/2 + (a/n1 - (s - a)/n0)/2."""

    id = "balanced_accuracy"
    title = "balanced accuracy"
    one_class = False
    control = True

    def score(self, a: int, s: int, n1: int, N: int) -> Fraction:
        """1/2 + (aN - s n1)/(2 n0 n1)."""
        n0 = N - n1
        return Fraction(1, 2) + Fraction(a * N - s * n1, 2 * n0 * n1)

    def count(self, score: Fraction, s: int, n1: int, N: int) -> Fraction:
        """Solved for a."""
        return ((2 * score - 1) * (N - n1) * n1 + s * n1) / N

    def scores(self, xp: Any, a: Any, s: float, n1: Any, N: float) -> Any:
        """The same of arrays."""
        return 0.5 + (a * N - s * n1) / (2 * (N - n1) * n1)

    def step(self, N: int, n1: int | None) -> Fraction:
        """N/(2 n0 n1)."""
        product = (N // 2) * (N - N // 2) if n1 is None else n1 * (N - n1)
        return Fraction(N, 2 * product) if product else Fraction(0)

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """Below 1/2 by 1/(2 n0), or above by 1/(2 n1)."""
        if N < 2:
            return None
        least = Fraction(1, 2 * (N - 1))
        return Fraction(1, 2) - least, Fraction(1, 2) + least

    def pair(self, N: int) -> Fraction | None:
        """One of n0 zeros turned into a 1, n0 = N/2 + 1, or (N + 1)/2: what any ranks make of it, docs/theory/metrics.md."""
        return Fraction(2, N + N % 2) if N > 2 else None

    def swap(self, N: int, n1: int) -> Fraction | None:
        """N/(2 n0 n1), whatever s is."""
        return Fraction(N, 2 * n1 * (N - n1))


BALANCED_ACCURACY = BalancedAccuracy()
