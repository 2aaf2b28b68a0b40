"""Cohen's kappa: agreement beyond chance, 2(aN - s n1)/(s n0 + n1 (N - s)), between -1 and 1.

Of one row predicted 1 label 0 shows -2 n1/(N + n1 (N - 2)), which falls with n1, and label 1 shows
2 n0/(n0 + n1 (N - 1)), which falls too: whatever n1 is, the one is at most -1/(N - 1) and the other above 0. Labels that are
all alike show 0 or nan.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from planner.channel.metrics.counting import CountingMetric


class Kappa(CountingMetric):
    """2(aN - s n1)/(s n0 + n1 (N - s))."""

    id = "kappa"
    title = "Cohen's kappa"
    lowest = -1
    one_class = False
    has_nan = True

    def score(self, a: int, s: int, n1: int, N: int) -> Fraction:
        """2(aN - s n1)/(s n0 + n1 (N - s))."""
        return Fraction(2 * (a * N - s * n1), s * (N - n1) + n1 * (N - s))

    def count(self, score: Fraction, s: int, n1: int, N: int) -> Fraction:
        """Solved for a."""
        return (score * (s * (N - n1) + n1 * (N - s)) / 2 + s * n1) / N

    def scores(self, xp: Any, a: Any, s: float, n1: Any, N: float) -> Any:
        """The same of arrays."""
        return 2 * (a * N - s * n1) / (s * (N - n1) + n1 * (N - s))

    def step(self, N: int, n1: int | None) -> Fraction:
        """2N/(s n0 + n1 (N - s)), which is at most N times the larger class."""
        if N < 2 or n1 in (0, N):
            return Fraction(0)
        return Fraction(2, N - 1 if n1 is None else max(n1, N - n1))

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """At n1 = 1, and at n1 = N - 1."""
        return (Fraction(-1, N - 1), Fraction(2, 1 + (N - 1) ** 2)) if N > 1 else None

    def swap(self, N: int, n1: int) -> Fraction | None:
        """2N/(s n0 + n1 (N - s)): that is least at s = 1, or at s = N - 1."""
        n0 = N - n1
        return Fraction(2 * N, min(n0 + n1 * (N - 1), n0 * (N - 1) + n1))


KAPPA = Kappa()
