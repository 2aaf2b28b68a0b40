"""Jaccard index: right ones over all rows that are 1 or predicted 1, a/(s + n1 - a).

All rows predicted 1 are scored n1/N. With u = s + n1 - a <= N the next count adds (a + u)/(u (u - 1)) >= 1/(u - 1).
"""

from __future__ import annotations

from fractions import Fraction

from planner.channel.metrics.counting import CountingMetric


class Jaccard(CountingMetric):
    """a/(s + n1 - a); 0 where nothing is 1 and nothing predicted 1."""

    id = "jaccard"
    title = "the Jaccard index"
    ones_on_lattice = True

    def score(self, a: int, s: int, n1: int, N: int) -> Fraction:
        """a/(s + n1 - a)."""
        return Fraction(a, s + n1 - a) if s + n1 else Fraction(0)

    def count(self, score: Fraction, s: int, n1: int, N: int) -> Fraction:
        """Solved for a."""
        return score * (s + n1) / (1 + score)

    def ones(self, score: Fraction, N: int) -> Fraction:
        """n1/N is shown."""
        return N * score

    def step(self, N: int, n1: int | None) -> Fraction:
        """1/(u - 1), u <= N."""
        return Fraction(1, max(N - 1, 1))

    def ones_step(self, N: int) -> Fraction | None:
        """1/N."""
        return Fraction(1, N)

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """0, or 1/n1."""
        return Fraction(0), Fraction(1, N)

    def pair(self, N: int) -> Fraction | None:
        """All 1, and all but one: s/N against (s - 1)/N where that row is predicted 1, else against s/(N - 1), s < N."""
        return Fraction(1, N)

    def swap(self, N: int, n1: int) -> Fraction | None:
        """(s + n1)/(u (u - 1)), u > x = max(s, n1) and s + n1 <= 2x: no more than 2/(x + 1)."""
        return Fraction(2, n1 + 1)


JACCARD = Jaccard()
