"""Several classes: right rows counted, labels read in balanced digits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.attacks.attack import InconsistentScores, Listed
from planner.attacks.class_counting.parameters import ClassCounts
from planner.attacks.explained import unexplained
from planner.attacks.scores import exact_score
from planner.channel.channel import Channel
from planner.channel.metrics.counting import CountingMetric
from planner.designs.base import DesignError
from planner.numerics.lockless import cached_property
from planner.numerics.reals import upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query


class ClassAttack(Listed):
    """Every score is read as a number of right rows, and must be that number's own but for the certified error."""

    def __init__(self, id: str, channel: Channel, parameters: ClassCounts) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters

    def queries(self) -> Iterator[Query]:
        """The design; rows that are not asked about are predicted 0."""
        for t in range(self.parameters.design.M):
            query = np.zeros(self.channel.rows, dtype=np.int64)
            query[: self.parameters.labels] = self.parameters.design.row(t, self.parameters.labels)
            yield query

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels, or InconsistentScores."""
        counts = [self._right(exact_score(score) - self.channel.centre) for score in scores]
        if len(counts) != self.parameters.queries:
            raise InconsistentScores(f"{len(counts)} scores for {self.parameters.queries} queries")
        design, n = self.parameters.design, self.parameters.labels
        try:
            found = design.decode(np.array(counts, dtype=np.int64), n)
        except DesignError as fault:
            raise InconsistentScores(str(fault)) from fault
        # Rows that were left out are right in all queries or in none: as many in each.
        others = {int(one) for one in np.array(counts) - design.scores(found.astype(np.int64))}
        if len(others) != 1 or not 0 <= others.pop() <= self.channel.rows - n:
            raise unexplained()
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        labels[:n] = found
        return labels

    def _right(self, score: Fraction) -> int:
        """The nearest number of right rows, if it explains the score."""
        N = self.channel.scored
        right = round(N * score)
        if abs(Fraction(right, N) - score) > self.error:
            raise unexplained()
        return right

    @cached_property
    def error(self) -> Fraction:
        """The certified error, rounded up."""
        metric = self.channel.metric
        assert isinstance(metric, CountingMetric)
        with working(self.channel.working_bits):
            return upper(metric.error(self.channel, self.parameters.queries, on_lattice=True))
