"""Blocks behind a root or a quotient: which sums a score allows, read in binary."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.attacks.attack import InconsistentScores, Listed
from planner.attacks.explained import unexplained
from planner.attacks.scores import exact_score
from planner.attacks.squares.certify import largest_sum
from planner.attacks.squares.parameters import SquareBlock
from planner.channel.channel import Channel
from planner.channel.metrics.r2 import RSquared
from planner.channel.metrics.squares import SquaresMetric
from planner.numerics.lockless import cached_property
from planner.numerics.reals import upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query


class SquareBlockAttack(Listed):
    """One block after the other; just one sum of a block must be within the certified error of what was seen."""

    def __init__(self, id: str, channel: Channel, parameters: SquareBlock) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters
        metric = channel.metric
        assert isinstance(metric, SquaresMetric)
        self.metric = metric

    def _blocks(self) -> Iterator[tuple[int, int]]:
        """First row and number of rows of each block."""
        for first in range(0, self.parameters.labels, self.parameters.m):
            yield first, min(self.parameters.m, self.parameters.labels - first)

    def queries(self) -> Iterator[Query]:
        """All rows at t, or also at 1 - t, where that is asked; then rows of a block at their weights, all others at 1/2."""
        p = self.parameters
        for constant in p.constants:
            yield np.full(self.channel.rows, float(constant))
        values = np.array([float(p.prediction(place)) for place in range(p.m)])
        for first, size in self._blocks():
            query = np.full(self.channel.rows, 0.5)
            query[first : first + size] = values[:size]
            yield query

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels, or InconsistentScores."""
        seen = [exact_score(score) - self.channel.centre for score in scores]
        if len(seen) != self.parameters.queries:
            raise InconsistentScores(f"{len(seen)} scores for {self.parameters.queries} queries")
        before = self.parameters.before
        n1 = self._ones(seen[:before]) if self.metric.needs_ones else None
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        for (first, size), score in zip(self._blocks(), seen[before:], strict=True):
            labels[first : first + size] = self._read(score, size, n1)
        known = labels[labels >= 0]
        if n1 is not None and not n1 - (self.channel.rows - len(known)) <= int(known.sum()) <= n1:
            raise unexplained()
        return labels

    def _read(self, score: Fraction, size: int, n1: int | None) -> list[int]:
        """A block's labels: of label 0 each row charges its prediction's square, of label 1 its weight more."""
        p = self.parameters
        nothing = sum((p.prediction(place) ** 2 for place in range(size)), Fraction(self.channel.rows - size, 4))
        low, high = self.metric.sums(score, self.error, self.channel.scored, n1)
        least, most = max(ceil((low - nothing) / p.gap), 0), min(floor((high - nothing) / p.gap), 2**size - 1)
        if least != most:
            raise unexplained()
        return [least >> place & 1 for place in range(size)]

    # -- how many labels are 1 ---------------------------------------------------------------------------

    def _ones(self, seen: list[Fraction]) -> int:
        """As it is told, or the one number that explains what was seen."""
        N = self.channel.scored
        if self.channel.exactly:
            return N - self.channel.radius if self.channel.commoner else self.channel.radius
        possible = self._of_one(seen[0]) if self.parameters.before == 1 else self._of_two(seen)
        for n in possible:
            if 0 < n < N and all(
                self._shows(n, one, at) for one, at in zip(seen, self.parameters.constants, strict=True)
            ):
                return n
        raise unexplained()

    def _of_one(self, seen: Fraction) -> Iterator[int]:
        """Neighbours of the score on either branch: it rises up to n = N t/(2t - 1), and falls from there on."""
        N, t = self.channel.scored, self.parameters.t
        turn = min(floor(N * t / (2 * t - 1)), N - 1)
        for branch, sign in ((range(1, turn + 1), 1), (range(turn + 1, N), -1)):
            rising = partial(self._signed, sign, t)
            place = bisect_left(branch, sign * seen, key=rising)
            yield from branch[max(place - 1, 0) : place + 1]

    def _signed(self, sign: int, at: Fraction, n: int) -> Fraction:
        """The score of n ones, turned so that it rises along a branch."""
        return sign * self._score(n, at)

    def _of_two(self, seen: list[Fraction]) -> tuple[int, ...]:
        """Neighbours of the difference of both scores."""
        N, t = self.channel.scored, self.parameters.t
        wanted = (seen[1] - seen[0]) / (N * (2 * t - 1))
        low, high = 1, N - 1  # 1/n - 1/(N-n) falls: the last n that is not below what is wanted, or the next
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if Fraction(1, middle) - Fraction(1, N - middle) >= wanted else (low, middle - 1)
        return low, low + 1

    def _shows(self, n: int, seen: Fraction, at: Fraction) -> bool:
        """Whether all rows at this number are scored what was seen, if n labels are 1."""
        score = self._score(n, at)
        constant, relative = self.shares
        return abs(seen - score) <= constant + relative * (2 - score)

    def _score(self, n: int, at: Fraction) -> Fraction:
        """What all rows at this number are scored if n labels are 1."""
        N = self.channel.scored
        assert isinstance(self.metric, RSquared)
        return self.metric.score((N - n) * at**2 + n * (1 - at) ** 2, n, N)

    @cached_property
    def error(self) -> Fraction:
        """The certified error, rounded up."""
        with working(self.channel.working_bits):
            return upper(
                self.metric.error(self.channel, self.parameters.queries, largest_sum(self.channel, self.parameters))
            )

    @cached_property
    def shares(self) -> tuple[Fraction, Fraction]:
        """Of the error of a score: what is constant, and what is relative to 1 + S/T."""
        with working(self.channel.working_bits):
            errors = self.channel.errors(self.parameters.queries)
            return upper(errors.constant()), upper(errors.relative())
