"""Growing chunks: every count is separated from its neighbours for all numbers of ones that are left, before it is asked."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import Adaptive
from planner.attacks.chunks.parameters import GrowingCounts
from planner.attacks.explained import unexplained
from planner.attacks.scores import exact_score
from planner.channel.channel import Channel
from planner.channel.metrics.counting import CountingMetric
from planner.designs.base import DesignError
from planner.designs.ones import Ones
from planner.designs.popcounts import fewest_queries
from planner.numerics.lockless import cached_property
from planner.numerics.reals import upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, ScoreFunction

OWN_ERROR = 1e-13  # far more than float64 loses in a score of size 1
HALF = Fraction(1, 2)


class ChunksAttack(Adaptive):
    """Chunk after chunk; the labels must explain every score that was seen."""

    def __init__(self, id: str, channel: Channel, parameters: GrowingCounts) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters

    def recover(self, score: ScoreFunction) -> Labels:
        """The labels, or InconsistentScores."""
        return _Run(self, score).labels()

    @cached_property
    def error(self) -> Fraction:
        """The certified error, rounded up."""
        metric = self.channel.metric
        assert isinstance(metric, CountingMetric)
        with working(self.channel.working_bits):
            return upper(metric.error(self.channel, self.parameters.queries))


class _Run:
    """One run: what is known of the labels, how many may be 1, and what was asked."""

    def __init__(self, attack: ChunksAttack, score: ScoreFunction) -> None:
        channel, metric = attack.channel, attack.channel.metric
        assert isinstance(metric, CountingMetric)
        self.metric, self.channel, self.exact_error = metric, channel, attack.error
        self.parameters, self.score = attack.parameters, score
        self.N = channel.scored
        self.error = float(attack.error) + OWN_ERROR
        self.found = np.full(channel.rows, -1, dtype=np.int64)
        self.ones = self._possible()
        self.seen: list[tuple[NDArray[Any], Fraction]] = []
        self.asked = 0
        self.narrowed = 0  # scores that have narrowed the number of ones already

    def _possible(self) -> NDArray[Any]:
        """Numbers of labels that may be 1; those that the metric has no score for are not."""
        if self.channel.exactly:
            radius = self.channel.radius
            return np.array([self.N - radius if self.channel.commoner else radius])
        return np.arange(self.N + 1) if self.metric.one_class else np.arange(1, self.N)

    def labels(self) -> Labels:
        """Until every label that is wanted is found."""
        if self.parameters.control and (alike := self._alike()) is not None:
            self.found[: self.parameters.labels] = alike
            return self.found
        at = 0
        while at < self.parameters.labels:
            size = self._largest(self.parameters.labels - at)
            self._read(np.arange(at, at + size))
            at += size
            self._learn(at)
        self._explain()
        return self.found

    # -- asking --------------------------------------------------------------------------------------------

    def _ask(self, rows: NDArray[Any]) -> Fraction:
        query = np.zeros(self.channel.rows, dtype=np.int64)
        query[rows] = 1
        self.asked += 1
        seen = exact_score(self.score(query)) - self.channel.centre
        self.seen.append((rows, seen))
        return seen

    def _alike(self) -> int | None:
        """The label that all rows have, as the control says; None: there are both."""
        seen = self._ask(np.arange(self.channel.rows))
        self.seen.pop()
        for shown, label in ((HALF, None), (Fraction(1), 1), (Fraction(0), 0)):
            if abs(seen - shown) <= self.exact_error:
                return label
        raise unexplained()

    # -- chunks --------------------------------------------------------------------------------------------

    def _largest(self, most: int) -> int:
        """The largest chunk found all of whose counts are sure, by doubling and halving; one row always is."""
        size = 1
        while 2 * size <= most and self._sure(2 * size):
            size *= 2
        step = size // 2 if 2 * size <= most else most - size
        while step:
            if size + step <= most and self._sure(size + step):
                size += step
            step //= 2
        return size

    def _sure(self, size: int) -> bool:
        """Whether every row of the chunk's design has a count that no other is mistaken for."""
        design = _design(size)
        counted = {int(design.row(t, size).sum()) for t in range(design.M)}
        return all(self._separated(s) is not None for s in sorted(counted, reverse=True) if s)

    def _separated(self, s: int, more: int = 0, label: int = 0) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """For each count of s new rows the least and the largest score, over all numbers of ones; None: some meet.

        Of rows whose label is known `more` of one label are predicted 1 with them, all others 0; labels that are known take
        their part of either class.
        """
        known = int((self.found == 1).sum()), int((self.found == 0).sum())
        a, ones = np.arange(s + 1.0)[:, None], self.ones[None, :].astype(float)
        possible = (a <= ones - known[0]) & (s - a <= self.N - ones - known[1])
        with np.errstate(all="ignore"):
            scores = self.metric.scores(np, a + more * label, float(s + more), ones, float(self.N))
        if not np.isfinite(scores[possible]).all():
            return None
        low = np.where(possible, scores, np.inf).min(axis=1) - self.error
        high = np.where(possible, scores, -np.inf).max(axis=1) + self.error
        held = np.isfinite(low)
        below = np.maximum.accumulate(high[held])[:-1]
        return (low, high) if (below < low[held][1:]).all() else None

    def _read(self, rows: NDArray[Any]) -> None:
        """The labels of a chunk, off the counts of its design."""
        design = _design(len(rows))
        counts = [self._count(rows[design.row(t, len(rows)) == 1]) for t in range(design.M)]
        try:
            found = design.decode(np.array(counts, dtype=np.int64), len(rows))
        except DesignError as fault:
            raise unexplained() from fault
        if design.scores(found.astype(np.int64)).tolist() != counts:
            raise unexplained()
        self.found[rows] = found
        self._narrow()

    def _count(self, rows: NDArray[Any]) -> int:
        """How many labels of these rows are 1."""
        if not len(rows):
            return 0
        told = int((self.found >= 0).sum())
        if len(self.ones) == 1 and told + len(rows) == self.channel.rows:
            return int(self.ones[0]) - int((self.found == 1).sum())  # all that are left
        company, between = self._company(len(rows))
        seen = self._ask(np.concatenate([rows, company]))
        if between is None:  # a single row, of which the certificate says so
            zero, one = self.metric.single(self.N) or (Fraction(0), Fraction(0))
            return int(seen > (zero + one) / 2)
        low, high = between
        hit = np.flatnonzero((low <= float(seen)) & (float(seen) <= high))
        if len(hit) != 1:
            raise unexplained()
        return int(hit[0])

    def _company(self, s: int) -> tuple[NDArray[Any], tuple[NDArray[Any], NDArray[Any]] | None]:
        """Known rows of one label that are predicted 1 with s new ones: their part of the score narrows the ones for nothing.

        As many as leave every count sure, by halving; none where the number of ones is known.
        """
        if len(self.ones) > 1:
            for label in (1, 0):
                rows = np.flatnonzero(self.found == label)
                while len(rows):
                    if (between := self._separated(s, len(rows), label)) is not None:
                        return rows, between
                    rows = rows[: len(rows) // 2]
        return np.arange(0), self._separated(s)

    # -- the number of ones ------------------------------------------------------------------------------------

    def _narrow(self) -> None:
        """Only numbers of ones that explain every score; the labels of all rows that were asked are known by now."""
        ones, zeros = int((self.found == 1).sum()), int((self.found == 0).sum())
        self.ones = self.ones[(self.ones >= ones) & (self.ones <= self.N - zeros)]
        for rows, seen in self.seen[self.narrowed :]:
            a = float((self.found[rows] == 1).sum())
            with np.errstate(all="ignore"):
                scores = self.metric.scores(np, a, float(len(rows)), self.ones.astype(float), float(self.N))
            self.ones = self.ones[np.abs(scores - float(seen)) <= self.error]
        self.narrowed = len(self.seen)
        if not len(self.ones):
            raise unexplained()

    def _learn(self, at: int) -> None:
        """Known labels of one class, all predicted 1, from what chunks have saved, where the score would tell anything."""
        for label in (1, 0):
            rows = np.flatnonzero(self.found == label)
            left = self.parameters.labels - at
            saved = self.parameters.queries - self.asked - left
            if len(self.ones) == 1 or left < 2 or saved < 1 or not len(rows):
                return
            with np.errstate(all="ignore"):
                scores = self.metric.scores(
                    np, float(len(rows) * label), float(len(rows)), self.ones.astype(float), float(self.N)
                )
            if scores.max() - scores.min() > 2 * self.error:
                self._ask(rows)
                self._narrow()

    def _explain(self) -> None:
        """Where all labels are known so is the number of ones: exactly then, each score is that of its labels."""
        if (self.found < 0).any():
            return
        n1 = int(self.found.sum())
        for rows, seen in self.seen:
            wanted = self.metric.score(int(self.found[rows].sum()), len(rows), n1, self.N)
            if abs(wanted - seen) > self.exact_error:
                raise unexplained()


def _design(size: int) -> Ones:
    return Ones(fewest_queries(size, lambda M: Ones(M).capacity()))
