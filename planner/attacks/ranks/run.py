"""Blocks of ranks, encoded and decoded: a count of ones, then the one labeling that has their sum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import InconsistentScores, Listed
from planner.attacks.explained import unexplained
from planner.attacks.ranks.parameters import RankBlocks, offsets
from planner.attacks.scores import exact_score
from planner.channel.channel import Channel
from planner.channel.metrics.roc_auc import RocAuc
from planner.designs.base import DesignError
from planner.designs.ones import Ones
from planner.designs.sets import BitSet
from planner.numerics.lockless import cached_property
from planner.numerics.reals import upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query


class RanksAttack(Listed):
    """Sums are kept doubled: ranks that are tied share their mean, which may be half of a whole number."""

    def __init__(self, id: str, channel: Channel, parameters: RankBlocks) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters
        self.ones = channel.rows - channel.radius if channel.commoner else channel.radius

    # -- encoding ------------------------------------------------------------------------------------

    def queries(self) -> Iterator[Query]:
        """Rows that are counted at 1, all others at 0; then places from 0 to 1, and 0 for all rows that are tied."""
        for t in range(self.parameters.counted):
            counted = self._row(t)
            yield np.concatenate([counted, np.zeros(self.channel.rows - len(counted))])
        for known, m in self.parameters.placed(self.channel.rows):
            query = np.zeros(self.channel.rows)
            query[: known + m] = self._places(known, m) / (known + m)
            yield query

    def _row(self, t: int) -> NDArray[Any]:
        """Which labels of the design a query counts."""
        return Ones(self.parameters.counted).row(t, self.parameters.designed(self.channel.rows)).astype(float)

    def _places(self, known: int, m: int) -> NDArray[Any]:
        """The block's own rows behind those that are known: these take the places that it leaves, from the lowest."""
        own = known + m - self.parameters.gap * np.array(offsets(m))
        free = np.delete(np.arange(1, known + m + 1), own - 1)
        return np.concatenate([free, own])

    # -- decoding ------------------------------------------------------------------------------------

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels, or InconsistentScores."""
        seen = [exact_score(score) - self.channel.centre for score in scores]
        if len(seen) != self.parameters.queries:
            raise InconsistentScores(f"{len(seen)} scores for {self.parameters.queries} queries")
        rows, counted = self.channel.rows, self.parameters.counted
        labels = np.full(rows, -1, dtype=np.int64)
        if counted:
            labels[: self.parameters.designed(rows)] = self._designed(seen[:counted])
        for (known, m), score in zip(self.parameters.placed(rows), seen[counted:], strict=True):
            labels[known : known + m] = self._block(labels[:known], m, self._doubled(score))
        left = self.ones - int(labels[labels >= 0].sum())
        if not 0 <= left <= rows - self.parameters.read(rows):
            raise unexplained()
        if self.parameters.labels == rows:  # the last one follows
            labels[-1] = left
        return labels

    def _doubled(self, score: Fraction) -> Fraction:
        """Twice the sum of the ranks of all ones."""
        return 2 * self.pairs * score + self.ones * (self.ones + 1)

    def _designed(self, seen: list[Fraction]) -> NDArray[Any]:
        """Rows at two levels: s at (N - s) + (s + 1)/2, N/2 above the others at (N - s + 1)/2."""
        N, counts = self.channel.scored, []
        for t, score in enumerate(seen):
            below = (N - int(self._row(t).sum()) + 1) * self.ones
            counts.append(self._whole((self._doubled(score) - below) / N, self.error / N))
        design = Ones(self.parameters.counted)
        try:
            found = design.decode(np.array(counts, dtype=np.int64), self.parameters.designed(self.channel.rows))
        except DesignError as fault:
            raise InconsistentScores(str(fault)) from fault
        if design.scores(found.astype(np.int64)).tolist() != counts:
            raise unexplained()
        return found

    def _whole(self, value: Fraction, error: Fraction) -> int:
        nearest = round(value)
        if abs(value - nearest) > error:
            raise unexplained()
        return nearest

    def _block(self, before: NDArray[Any], m: int, doubled: Fraction) -> NDArray[Any]:
        """What the block adds to ranks of rows that are known, and of the others as if all of them were tied."""
        N, known = self.channel.scored, len(before)
        tied = N - known - m
        ranks = 2 * (tied + self._places(known, m)[:known])
        own = doubled - int((ranks * before).sum()) - (tied + 1) * (self.ones - int(before.sum()))
        heaviest, gap = N + known + m - 1, self.parameters.gap
        found = [
            read
            for k in range(m + 1)
            if (read := subset(m, k, (k * heaviest - own) / (2 * gap), self.error / (2 * gap))) is not None
        ]
        if len(found) != 1:
            raise unexplained()
        return found[0]

    @property
    def pairs(self) -> int:
        """Of a one and a zero."""
        return self.ones * (self.channel.scored - self.ones)

    @cached_property
    def error(self) -> Fraction:
        """Of twice a sum of ranks, rounded up."""
        metric = self.channel.metric
        assert isinstance(metric, RocAuc)
        with working(self.channel.working_bits):
            return 2 * self.pairs * upper(metric.rank_error(self.channel, self.parameters.queries))


def subset(m: int, k: int, offset: Fraction, error: Fraction) -> NDArray[Any] | None:
    """The k labels of a block that are 1, if as many have offsets with this sum."""
    total = round(offset)
    weights = BitSet(m)
    if abs(offset - total) > error:
        return None
    sums = np.array([k * weights.maximum - total])
    try:
        bits = weights.digits(sums)[0][::-1].astype(np.int64)
    except DesignError:
        return None
    return bits if int(bits.sum()) == k else None
