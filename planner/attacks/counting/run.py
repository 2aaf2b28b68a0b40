"""Counting attacks: predicted classes, counts read off scores, labels off counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import InconsistentScores, Listed
from planner.attacks.counting.parameters import Counts
from planner.attacks.explained import unexplained
from planner.attacks.scores import exact_score
from planner.channel.channel import Channel
from planner.channel.metrics.counting import CountingMetric
from planner.designs.base import DesignError
from planner.numerics.lockless import cached_property
from planner.numerics.reals import upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query

NO_CLASS = 2  # a class that does not exist, of two
HALF = Fraction(1, 2)


class CountingAttack(Listed):
    """Every score is read as a whole number, and must be that number's score but for the certified error."""

    def __init__(self, id: str, channel: Channel, parameters: Counts) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters
        metric = channel.metric
        assert isinstance(metric, CountingMetric)
        self.metric = metric

    # -- encoding ------------------------------------------------------------------------------------

    def queries(self) -> Iterator[Query]:
        """All rows first where that is asked, then the design."""
        if self.parameters.first:
            yield np.ones(self.channel.rows, dtype=np.int64)
        for t in range(self.parameters.design.M):
            yield self._submission(self._row(t))

    def _row(self, t: int) -> NDArray[Any]:
        return self.parameters.design.row(t, self.parameters.labels)

    def _submission(self, row: NDArray[Any]) -> Query:
        """Predicted classes; rows that are not asked about are 0, or neutral."""
        query = np.full(self.channel.rows, NO_CLASS if self.parameters.neutral else 0, dtype=np.int64)
        query[: len(row)] = np.choose(row + 1, (0, NO_CLASS, 1)) if self.parameters.neutral else row
        return query

    # -- decoding ------------------------------------------------------------------------------------

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels, or InconsistentScores."""
        seen = [exact_score(score) - self.channel.centre for score in scores]
        if len(seen) != self.parameters.queries:
            raise InconsistentScores(f"{len(seen)} scores for {self.parameters.queries} queries")
        counts = self._matches(seen) if self.parameters.neutral else self._counts(seen)
        design, n = self.parameters.design, self.parameters.labels
        try:
            found = design.decode(np.array(counts, dtype=np.int64), n)
        except DesignError as fault:
            raise InconsistentScores(str(fault)) from fault
        # Each count is the score's own within the error; the labels must give all of them.
        if design.scores(found.astype(np.int64)).tolist() != counts:
            raise unexplained()
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        labels[:n] = found
        return labels

    def _matches(self, seen: list[Fraction]) -> list[int]:
        """Right rows, less those that are right by a label of 0: the sum of entries over labels that are 1."""
        N, counts = self.channel.scored, []
        for t, score in enumerate(seen):
            right = round(N * score)
            self._explains(Fraction(right, N), score, on_lattice=True)
            counts.append(right - int((self._row(t) < 0).sum()))
        return counts

    def _counts(self, seen: list[Fraction]) -> list[int]:
        """Ones among the rows predicted 1, query by query."""
        n1 = self._ones(seen[0])
        rest = seen[1:] if self.parameters.first else seen
        return [self._count(int(self._row(t).sum()), n1, score) for t, score in enumerate(rest)]

    def _ones(self, score: Fraction) -> int:
        """How many labels are 1: as it is told, or as the first score says."""
        N = self.channel.scored
        if self.channel.exactly:
            return N - self.channel.radius if self.channel.commoner else self.channel.radius
        n1 = _nearest(lambda: self.metric.ones(score, N), 0, N, lambda n: self.metric.ones_score(n, N, score), score)
        self._explains(self.metric.ones_score(n1, N, score), score, self.metric.ones_on_lattice)
        return n1

    def _count(self, s: int, n1: int, score: Fraction) -> int:
        N = self.channel.scored
        if s == N:
            if self.channel.exactly and self.metric.ones_step(N) is not None:  # it must be what was told
                self._explains(self.metric.ones_score(n1, N, score), score, self.metric.ones_on_lattice)
            return n1
        least, most = max(0, s - (N - n1)), min(s, n1)
        a = _nearest(
            lambda: self.metric.count(score, s, n1, N), least, most, lambda a: self.metric.score(a, s, n1, N), score
        )
        self._explains(self.metric.score(a, s, n1, N), score)
        return a

    def _explains(self, wanted: Fraction, score: Fraction, on_lattice: bool = False) -> None:
        """Whether a count's own score is the one that was seen, within the certified error."""
        if abs(wanted - score) > self.errors[on_lattice]:
            raise unexplained()

    @cached_property
    def errors(self) -> tuple[Fraction, Fraction]:
        """The certified error, rounded up: of scores in general, and of those that are k/N."""
        with working(self.channel.working_bits):
            plain, lattice = (self.metric.error(self.channel, self.parameters.queries, one) for one in (False, True))
            return upper(plain), upper(lattice)


def _nearest(
    solved: Callable[[], Fraction], least: int, most: int, score_of: Callable[[int], Fraction], seen: Fraction
) -> int:
    """The count whose own score is nearest to the one that was seen.

    What is certified are distances of scores. Where these are no linear function of the count, half a step of a score is not
    half a count, and solving for the count may round to a neighbour of the right one, or leave the range: never further, as
    scores rise with the count.
    """
    try:
        about = round(solved())
    except ZeroDivisionError:
        raise unexplained() from None
    near = {min(max(about + aside, least), most) for aside in (-1, 0, 1)}
    return min(near, key=lambda count: abs(score_of(count) - seen))
