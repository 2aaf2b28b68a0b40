"""Blocks of free predictions: sums read in binary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.attacks.attack import Listed
from planner.attacks.explained import unexplained
from planner.attacks.line.certify import line_error
from planner.attacks.line.parameters import FreeBlock
from planner.attacks.scores import sums_of
from planner.channel.channel import Channel
from planner.numerics.lockless import cached_property
from planner.numerics.reals import upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query


class FreeBlockAttack(Listed):
    """One block after the other; what is left of a sum must be within the certified error."""

    def __init__(self, id: str, channel: Channel, parameters: FreeBlock) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters

    def _blocks(self) -> Iterator[tuple[int, int]]:
        """First row and number of rows of each block."""
        for first in range(0, self.parameters.labels, self.parameters.m):
            yield first, min(self.parameters.m, self.parameters.labels - first)

    def queries(self) -> Iterator[Query]:
        """Rows of a block at their weights, all others at 1/2."""
        values = np.array([float(self.parameters.prediction(place)) for place in range(self.parameters.m)])
        for first, size in self._blocks():
            query = np.full(self.channel.rows, 0.5)
            query[first : first + size] = values[:size]
            yield query

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels, or InconsistentScores."""
        sums = sums_of(self.channel, scores, self.parameters.queries)
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        for (first, size), total in zip(self._blocks(), sums, strict=True):
            labels[first : first + size] = self._read(total, size)
        return labels

    def _read(self, total: Fraction, size: int) -> list[int]:
        """A block's labels: of label 0 each row charges its prediction's square, of label 1 its weight more."""
        p = self.parameters
        nothing = sum((p.prediction(place) ** 2 for place in range(size)), Fraction(self.channel.rows - size, 4))
        number = round((total - nothing) / p.gap)
        if not 0 <= number < 2**size or abs(total - nothing - number * p.gap) > self.error:
            raise unexplained()
        return [number >> place & 1 for place in range(size)]

    @cached_property
    def error(self) -> Fraction:
        """The certified error, rounded up."""
        with working(self.channel.working_bits):
            return upper(line_error(self.channel, self.parameters))
