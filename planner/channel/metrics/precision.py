"""Precision: right ones over all rows predicted 1, a/s."""

from __future__ import annotations

from fractions import Fraction

from planner.channel.metrics.counting import CountingMetric


class Precision(CountingMetric):
    """a/s; 0 where nothing is predicted 1."""

    id = "precision"
    title = "precision"
    ones_on_lattice = True

    def score(self, a: int, s: int, n1: int, N: int) -> Fraction:
        """a/s."""
        return Fraction(a, s) if s else Fraction(0)

    def count(self, score: Fraction, s: int, n1: int, N: int) -> Fraction:
        """Solved for a."""
        return score * s

    def ones(self, score: Fraction, N: int) -> Fraction:
        """n1/N is shown."""
        return N * score

    def step(self, N: int, n1: int | None) -> Fraction:
        """1/s, s < N."""
        return Fraction(1, max(N - 1, 1))

    def ones_step(self, N: int) -> Fraction | None:
        """1/N."""
        return Fraction(1, N)

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """The label itself."""
        return Fraction(0), Fraction(1)

    def pair(self, N: int) -> Fraction | None:
        """No two scores are farther apart."""
        return Fraction(1)

    def swap(self, N: int, n1: int) -> Fraction | None:
        """1/s, s = 1."""
        return Fraction(1)


PRECISION = Precision()
