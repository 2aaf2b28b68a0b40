"""Growing chunks: every count is separated from its neighbours for all numbers of ones that are left, before it is asked."""

from __future__ import annotations

from collections.abc import Callable
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
        self.pool = np.arange(self.parameters.labels)  # rows that are still to be read
        self.groups: list[
            tuple[NDArray[Any], int]
        ] = []  # rows whose number of ones is known; one of each follows from it
        self.seen: list[tuple[NDArray[Any], Fraction]] = []
        self.asked = 0

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
        if self.metric.silent and len(self.ones) > 1:
            self._hunt()
        while len(self.pool):
            if len(self.ones) == 1 and self._finish():
                break
            if len(self.ones) > 1 and self._group():
                continue
            self._read(self.pool[: self._largest(len(self.pool), self._sure)])
            self._learn()
        self._infer()
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

    def _largest(self, most: int, sure: Callable[[int], bool]) -> int:
        """The largest chunk found that is sure, by doubling and halving; one row always is."""
        size = 1
        while 2 * size <= most and sure(2 * size):
            size *= 2
        step = size // 2 if 2 * size <= most else most - size
        while step:
            if size + step <= most and sure(size + step):
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
        self._settle(rows, found)

    def _finish(self) -> bool:
        """All rows that are left by one design, once the number of ones is known: theirs follows, and costs nothing."""
        rows = np.flatnonzero(self.found[: self.parameters.labels] < 0)
        whole = len(rows) == int((self.found < 0).sum())
        if self.asked + _design(len(rows)).M - whole > self.parameters.queries or not self._sure(len(rows)):
            return False
        self.groups = []
        self._read(rows)
        return True

    # -- groups: one count of rows that are not told apart yet ----------------------------------------------------

    def _group(self) -> bool:
        """Whether a count of as many rows as is sure narrowed the ones; the last of its rows follows from all others."""
        held = np.concatenate([np.arange(0), *(rows for rows, _ in self.groups)])
        free = self.pool[~np.isin(self.pool, held)]
        size = self._largest(len(free), lambda size: self._separated(size) is not None) if len(free) > 1 else 1
        if size < 2:
            return False
        before = len(self.ones)
        self._note(free[:size], self._count(free[:size]))
        return len(self.ones) < before

    def _note(self, rows: NDArray[Any], count: int) -> None:
        """So many of these rows are 1: none and all tell each of them, any other number the last."""
        if count in (0, len(rows)):
            self._settle(rows, np.full(len(rows), int(count > 0)))
        else:
            self.groups.append((rows, count))
            self.pool = self.pool[self.pool != rows[-1]]

    def _settle(self, rows: NDArray[Any], labels: NDArray[Any]) -> None:
        """Labels that are known from here on."""
        self.found[rows] = labels
        self.pool = self.pool[~np.isin(self.pool, rows)]
        self._possible_still()

    def _infer(self) -> None:
        """The last row of each group."""
        for rows, count in self.groups:
            self.found[rows[-1]] = count - int(self.found[rows[:-1]].sum())
            if self.found[rows[-1]] not in (0, 1):
                raise unexplained()

    def _hunt(self) -> None:
        """The first 1, where a count of none says nothing of n1: groups, until one is not scored 0, and that one by halves.

        The score x of the row in the end is 1/n1 to E, and so is that of a group of a ones a/n1: two numbers of ones that
        explain x have inverses 2E apart at most, so that a and a + 1 <= g of them are scored 1/N - 2 a E apart or more. While
        2 E g N < 1 that is above 2E: every group's count is known then, and pays for its query by its last row.
        """
        most = max(1, int(0.999 / (2 * self.error * self.N)))
        while len(self.pool):
            rows = self.pool[:most]
            seen = self._silent(rows)
            if seen is not None:
                self._counted_from(*self._halved(rows, seen))
                return

    def _silent(self, rows: NDArray[Any]) -> Fraction | None:
        """What rows are scored, if one of them is 1; if none is, that is known of all of them."""
        seen = self._ask(rows)
        if abs(seen) > self.exact_error:
            return seen
        self._settle(rows, np.zeros(len(rows), dtype=np.int64))
        return None

    def _halved(self, rows: NDArray[Any], seen: Fraction) -> tuple[list[tuple[NDArray[Any], Fraction]], NDArray[Any]]:
        """Groups one within the other, each with its score, down to a single row."""
        asked = [(rows, seen)]
        while len(rows) > 1:
            half, rest = rows[: len(rows) // 2], rows[len(rows) // 2 :]
            score = self._silent(half)
            rows = rest if score is None else half
            if score is not None:
                asked.append((half, score))
        return asked, rows

    def _counted_from(self, asked: list[tuple[NDArray[Any], Fraction]], last: NDArray[Any]) -> None:
        """The counts of all groups from that of the innermost, which is one; what lies between two of them is a group."""
        self._settle(last, np.ones(1, dtype=np.int64))
        inside, below = last, 0
        for rows, seen in reversed(asked):
            counts = {round(float(seen) * int(n)) for n in self.ones if n} if below else {1}
            kept = {a for a in counts if len(self._explaining(rows, seen, a))}
            if len(kept) != 1:
                raise unexplained()
            count = kept.pop()
            self._keep(self._explaining(rows, seen, count))
            between = rows[~np.isin(rows, inside) & (self.found[rows] < 0)]
            if len(between):
                self._note(between, count - below)
            inside, below = rows, count

    def _count(self, rows: NDArray[Any]) -> int:
        """How many labels of these rows are 1."""
        if not len(rows):
            return 0
        told = int((self.found >= 0).sum())
        if len(self.ones) == 1 and told + len(rows) == self.channel.rows:
            return int(self.ones[0]) - int((self.found == 1).sum())  # all that are left
        company, between = self._company(len(rows))
        every = np.concatenate([rows, company])
        seen = self._ask(every)
        if between is None:  # a single row, of which the certificate says so
            zero, one = self.metric.single(self.N) or (Fraction(0), Fraction(0))
            count = int(seen > (zero + one) / 2)
        else:
            low, high = between
            hit = np.flatnonzero((low <= float(seen)) & (float(seen) <= high))
            if len(hit) != 1:
                raise unexplained()
            count = int(hit[0])
        self._keep(self._explaining(every, seen, count + int((self.found[company] == 1).sum())))
        return count

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

    def _possible_still(self) -> None:
        """Only numbers of ones that leave room for the labels that are known."""
        ones, zeros = int((self.found == 1).sum()), int((self.found == 0).sum())
        self._keep(self.ones[(self.ones >= ones) & (self.ones <= self.N - zeros)])

    def _keep(self, ones: NDArray[Any]) -> None:
        """No other numbers of ones are possible; one is."""
        if not len(ones):
            raise unexplained()
        self.ones = ones

    def _explaining(self, rows: NDArray[Any], seen: Fraction, count: int) -> NDArray[Any]:
        """The numbers of ones with which so many of these rows are scored what was seen."""
        with np.errstate(all="ignore"):
            scores = self.metric.scores(np, float(count), float(len(rows)), self.ones.astype(float), float(self.N))
        kept: NDArray[Any] = self.ones[(np.abs(scores - float(seen)) <= self.error) & (self.ones >= count)]
        return kept

    def _learn(self) -> None:
        """Known labels of one class, all predicted 1, from what chunks have saved, where the score would tell anything."""
        for label in (1, 0):
            rows, left = np.flatnonzero(self.found == label), len(self.pool)
            saved = self.parameters.queries - self.asked - left
            if len(self.ones) == 1 or left < 2 or saved < 1 or not len(rows):
                return
            with np.errstate(all="ignore"):
                scores = self.metric.scores(
                    np, float(len(rows) * label), float(len(rows)), self.ones.astype(float), float(self.N)
                )
            if scores.max() - scores.min() > 2 * self.error:
                self._keep(self._explaining(rows, self._ask(rows), len(rows) * label))

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
