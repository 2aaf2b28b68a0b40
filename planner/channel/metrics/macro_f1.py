"""Macro-F1: the mean of F1 for either class, a/(s + n1) + (n0 - s + a)/(2N - s - n1).

All rows predicted 1 are scored n1/(N + n1). Of labels that are all 1 scikit-learn then averages over that class alone, and
shows 1, unless it is told both `labels`: then 1/2. Either is taken for n1 = N.
"""

from __future__ import annotations

from fractions import Fraction

from planner.channel.metrics.counting import CountingMetric


class MacroF1(CountingMetric):
    """(F1 of class 1 + F1 of class 0)/2."""

    id = "macro_f1"
    title = "macro-averaged F1"

    def score(self, a: int, s: int, n1: int, N: int) -> Fraction:
        """a/(s + n1) + (n0 - s + a)/(2N - s - n1)."""
        if s + n1 == 2 * N:
            return Fraction(1)
        ones = Fraction(a, s + n1) if s + n1 else Fraction(0)
        return ones + Fraction(N - n1 - s + a, 2 * N - s - n1)

    def count(self, score: Fraction, s: int, n1: int, N: int) -> Fraction:
        """Solved for a."""
        ones, zeros = s + n1, 2 * N - s - n1
        return (score - Fraction(N - n1 - s, zeros)) * ones * zeros / (2 * N)

    def ones(self, score: Fraction, N: int) -> Fraction:
        """Solved for n1."""
        return Fraction(N) if score > Fraction(3, 4) else score * N / (1 - score)

    def ones_score(self, n1: int, N: int, seen: Fraction) -> Fraction:
        """1, or 1/2, where all labels are 1."""
        return Fraction(1, 2) if n1 == N and seen < Fraction(3, 4) else super().ones_score(n1, N, seen)

    def step(self, N: int, n1: int | None) -> Fraction:
        """2N/((s + n1)(2N - s - n1)), two numbers that add up to 2N."""
        return Fraction(2, N)

    def ones_step(self, N: int) -> Fraction | None:
        """Half of what F1 has."""
        return Fraction(1, 2 * (2 * N - 1))

    def swap(self, N: int, n1: int) -> Fraction | None:
        """2N/((s + n1)(2N - s - n1)): the product is least at s = 1, or at s = N - 1."""
        return Fraction(2 * N, min((1 + n1) * (2 * N - 1 - n1), (N - 1 + n1) * (N + 1 - n1)))


MACRO_F1 = MacroF1()
