"""F1: the harmonic mean of precision and recall, 2a/(s + n1).

All rows predicted 1 are scored 2 n1/(N + n1), which rises by at least 1/(2N - 1).
"""

from __future__ import annotations

from fractions import Fraction

from planner.channel.metrics.counting import CountingMetric


class FOne(CountingMetric):
    """2a/(s + n1); 0 where nothing is 1 and nothing predicted 1."""

    id = "f1"
    title = "F1"

    def score(self, a: int, s: int, n1: int, N: int) -> Fraction:
        """2a/(s + n1)."""
        return Fraction(2 * a, s + n1) if s + n1 else Fraction(0)

    def count(self, score: Fraction, s: int, n1: int, N: int) -> Fraction:
        """Solved for a."""
        return score * (s + n1) / 2

    def ones(self, score: Fraction, N: int) -> Fraction:
        """Solved for n1."""
        return score * N / (2 - score)

    def step(self, N: int, n1: int | None) -> Fraction:
        """2/(s + n1), s < N."""
        return Fraction(2, N - 1 + (N if n1 is None else n1)) if N > 1 else Fraction(1)

    def ones_step(self, N: int) -> Fraction | None:
        """2N/((N + n1)(N + n1 + 1)) is least at n1 = N - 1."""
        return Fraction(1, 2 * N - 1)

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """0, or 2/(1 + n1)."""
        return Fraction(0), Fraction(2, N + 1)

    def pair(self, N: int) -> Fraction | None:
        """All 1, and all but one: 2N/((N + s)(N + s - 1)) where that row is predicted 1, and less where it is not."""
        return Fraction(2, N + 1)

    def swap(self, N: int, n1: int) -> Fraction | None:
        """2/(s + n1), s = 1."""
        return Fraction(2, n1 + 1)


F1 = FOne()
