"""Comparisons that are listed beforehand, as they run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.attacks.attack import InconsistentScores, Listed
from planner.attacks.explained import FLOAT_ROOM, READ_BITS, unexplained
from planner.attacks.numbers import is_float, prediction_array
from planner.attacks.scaled.certify import error, sum_of
from planner.attacks.scaled.parameters import ScaledThresholds
from planner.attacks.scores import exact_score
from planner.channel.channel import Channel
from planner.channel.sides import sides_of
from planner.numerics.lockless import cached_property
from planner.numerics.reals import ball, midpoint, upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query

DECODE_BITS = 128


class Comparisons:
    """Submissions that ask on which side of its classes a row's label lies, and how their scores are read."""

    def __init__(self, channel: Channel, parameters: ScaledThresholds) -> None:
        self.channel = channel
        self.parameters = parameters
        exact = not all(map(is_float, (parameters.small, parameters.large, parameters.idle)))
        self._entries = prediction_array((parameters.small, parameters.large, parameters.idle), exact=exact)

    def query(self, row: int, sides: Sequence[bool]) -> Query:
        """The row pays if its label lies on the side that is true; all other rows are idle."""
        small, large, idle = self._entries
        query = np.full((self.parameters.rows, self.parameters.classes), idle)
        query[row] = np.where(sides, small, large)
        return query

    def side(self, score: Any) -> int:
        """Whether the row that was asked pays: more units are shown than the boundary has."""
        unit, shown = self.channel.digits.unit, exact_score(score)
        assert unit is not None, "certified for scores that are shown in decimals"
        above = round(shown / unit) > self.parameters.boundary
        if abs(self.channel.scored * (shown - self.channel.centre) - self._sums[above]) > self._most:
            raise unexplained()
        return int(above)

    @cached_property
    def _sums(self) -> tuple[Fraction, Fraction]:
        """The sum of charges where the row is favoured, and where it pays."""
        p = self.parameters
        with working(DECODE_BITS + self.channel.working_bits):
            return midpoint(sum_of(p, p.large)), midpoint(sum_of(p, p.small))

    @cached_property
    def _most(self) -> Fraction:
        """How far a shown sum may be from it: half a unit, the error before that, and a decimal read as a float64."""
        channel = self.channel
        with working(DECODE_BITS + channel.working_bits):
            hidden = channel.scored * channel.digits.half_unit()
            read = (ball(self._sums[1]) + hidden) * ball(2) ** -READ_BITS
            return upper(error(channel, self.parameters) + hidden + read) * FLOAT_ROOM


class ScaledAttack(Listed):
    """One submission for each bit of each label."""

    def __init__(self, id: str, channel: Channel, parameters: ScaledThresholds) -> None:
        self.id = id
        self.parameters = parameters
        self.comparisons = Comparisons(channel, parameters)

    def queries(self) -> Iterator[Query]:
        """Bit by bit, row by row."""
        p = self.parameters
        for bit in range(p.bits):
            sides = sides_of(p.classes, bit)
            yield from (self.comparisons.query(row, sides) for row in range(p.labels))

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels; InconsistentScores where neither side of a comparison explains its score."""
        p = self.parameters
        given = list(scores)
        if len(given) != p.queries:
            raise InconsistentScores(f"{len(given)} scores for {p.queries} queries")
        sides = np.array([self.comparisons.side(score) for score in given], dtype=np.int64).reshape(p.bits, p.labels)
        labels = (sides << np.arange(p.bits)[:, None]).sum(axis=0)
        if int(labels.max(initial=0)) >= p.classes:
            raise InconsistentScores("the bits spell a class that does not exist: is there noise?")
        return np.append(labels, np.full(p.rows - p.labels, -1))
