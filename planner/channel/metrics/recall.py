"""Recall: right ones over all that are 1, a/n1. All rows predicted 1 say nothing of n1."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from planner.channel.metrics.counting import CountingMetric


class Recall(CountingMetric):
    """a/n1; 0 where nothing is 1, which is what every submission is scored then."""

    id = "recall"
    title = "recall"
    silent = True

    def score(self, a: int, s: int, n1: int, N: int) -> Fraction:
        """a/n1."""
        return Fraction(a, n1) if n1 else Fraction(0)

    def count(self, score: Fraction, s: int, n1: int, N: int) -> Fraction:
        """Solved for a."""
        return score * n1

    def scores(self, xp: Any, a: Any, s: float, n1: Any, N: float) -> Any:
        """The same of arrays."""
        return xp.where(n1 > 0, a / xp.maximum(n1, 1), 0.0)

    def step(self, N: int, n1: int | None) -> Fraction:
        """1/n1."""
        return Fraction(1, max(N if n1 is None else n1, 1))

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """0, or 1/n1."""
        return Fraction(0), Fraction(1, N)

    def pair(self, N: int) -> Fraction | None:
        """All 1, and all but one: a/N against a/(N - 1), a < N, or against (a - 1)/(N - 1)."""
        return Fraction(1, N)

    def swap(self, N: int, n1: int) -> Fraction | None:
        """1/n1."""
        return Fraction(1, n1)


RECALL = Recall()
