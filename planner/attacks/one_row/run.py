"""One row predicted 1 a query, its label read by a comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.attacks.attack import InconsistentScores, Listed
from planner.attacks.explained import unexplained
from planner.attacks.one_row.parameters import OneRow
from planner.attacks.scores import exact_score
from planner.channel.channel import Channel
from planner.channel.metrics.counting import CountingMetric
from planner.numerics.lockless import cached_property
from planner.numerics.reals import upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query


class OneRowAttack(Listed):
    """Labels by comparisons; some number of ones must explain every score."""

    def __init__(self, id: str, channel: Channel, parameters: OneRow) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters
        metric = channel.metric
        assert isinstance(metric, CountingMetric)
        self.metric = metric

    def queries(self) -> Iterator[Query]:
        """The control where it is asked, then one row after the other."""
        if self.parameters.control:
            yield np.ones(self.channel.rows, dtype=np.int64)
        for row in range(self.parameters.labels):
            query = np.zeros(self.channel.rows, dtype=np.int64)
            query[row] = 1
            yield query

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels, or InconsistentScores."""
        seen = [exact_score(score) - self.channel.centre for score in scores]
        if len(seen) != self.parameters.queries:
            raise InconsistentScores(f"{len(seen)} scores for {self.parameters.queries} queries")
        n = self.parameters.labels
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        if self.parameters.control:
            alike = self._alike(seen.pop(0))
            if alike is not None:
                labels[:n] = alike
                return labels
        zero, one = self.metric.single(self.channel.scored) or (Fraction(0), Fraction(0))
        labels[:n] = [score > (zero + one) / 2 for score in seen]
        self._explain(seen, int((labels == 1).sum()))
        return labels

    def _alike(self, score: Fraction) -> int | None:
        """The label that all rows have, as the control says; None: there are both."""
        for shown, label in ((Fraction(1, 2), None), (Fraction(1), 1), (Fraction(0), 0)):
            if abs(score - shown) <= self.error:
                return label
        raise unexplained()

    def _explain(self, seen: list[Fraction], found: int) -> None:
        """Some number of ones gives every row that is 1 its score, and every other its own."""
        N, n = self.channel.scored, self.parameters.labels
        zero, one = self.metric.single(N) or (Fraction(0), Fraction(0))
        highs = [score for score in seen if score > (zero + one) / 2]
        lows = [score for score in seen if score <= (zero + one) / 2]
        if not any(self._gives(n1, highs, lows) for n1 in self._numbers(found, N - (n - found))):
            raise unexplained()

    def _numbers(self, least: int, most: int) -> range:
        """The numbers of ones that are possible; those that the metric has no score for are not."""
        N = self.channel.scored
        if self.channel.exactly:
            told = N - self.channel.radius if self.channel.commoner else self.channel.radius
            least, most = max(least, told), min(most, told)
        return range(least, most + 1) if self.metric.one_class else range(max(least, 1), min(most, N - 1) + 1)

    def _gives(self, n1: int, highs: list[Fraction], lows: list[Fraction]) -> bool:
        for a, held in ((1, highs), (0, lows)):
            if held:
                wanted = self.metric.score(a, 1, n1, self.channel.scored)
                if max(held) - wanted > self.error or wanted - min(held) > self.error:
                    return False
        return True

    @cached_property
    def error(self) -> Fraction:
        """The certified error, rounded up."""
        with working(self.channel.working_bits):
            return upper(self.metric.error(self.channel, self.parameters.queries))
