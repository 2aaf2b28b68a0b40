"""Comparisons on a secret part: count the classes, find the members of one, then those of the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import NOT_SCORED, Adaptive, InconsistentScores
from planner.attacks.explained import FLOAT_ROOM, unexplained
from planner.attacks.hunting.parameters import group_bits
from planner.attacks.scores import exact_score
from planner.attacks.split_labels.run import corner_rows
from planner.attacks.split_threshold.certify import comparison_error
from planner.attacks.split_threshold.parameters import SplitThresholds
from planner.attacks.threshold.parameters import DIGIT_SLACK
from planner.channel.channel import Channel
from planner.channel.metrics.base import Metric
from planner.numerics.lockless import cached_property
from planner.numerics.reals import upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, ScoreFunction

ORDER = 1  # seed of the order in which rows are tested: a part that is the first rows is then like any other
STEPS = 120  # of a bisection: float64 has no more between two numbers
NOBODY = np.empty(0, dtype=np.intp)


@dataclass(frozen=True)
class Weights:
    """A submission: the weight of all rows, that of the rows that are tested, and that of members that move the sum.

    A positive weight is against class 1, a negative one against class 0.
    """

    others: float
    tested: NDArray[Any] = field(default_factory=lambda: NOBODY)
    test: float = 0.0
    members: NDArray[Any] = field(default_factory=lambda: NOBODY)
    offset: float = 0.0

    def of(self, rows: int) -> NDArray[Any]:
        """Row by row."""
        found = np.full(rows, self.others)
        found[self.tested], found[self.members] = self.test, self.offset
        return found

    def charged(self, metric: Metric, labels: Labels) -> float:
        """The sum of charges of the rows that have a label."""
        parts = ((self.tested, self.test), (self.members, self.offset))
        total = _charged(metric, labels, self.others)
        for rows, weight in parts:
            total += _charged(metric, labels[rows], weight) - _charged(metric, labels[rows], self.others)
        return total

    def charged_anywhere(self, metric: Metric, label: int) -> tuple[float, float]:
        """The least and the most that a scored row of a class is charged which may be any but a member."""
        one = np.array([label])
        charges = [_charged(metric, one, self.others)]
        charges += [_charged(metric, one, self.test)] if len(self.tested) else []
        return min(charges), max(charges)


def _charged(metric: Metric, labels: Labels, weight: float) -> float:
    """What scored rows of one weight charge together."""
    dear = int((labels == int(weight > 0)).sum())
    cheap = int((labels != NOT_SCORED).sum()) - dear
    return dear * metric.payment(abs(weight), 1, 1) + cheap * metric.saving(abs(weight))


class SplitThresholdAttack(Adaptive):
    """Counts, finds one class, then the other."""

    def __init__(self, id: str, channel: Channel, parameters: SplitThresholds) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters

    def recover(self, score: ScoreFunction) -> Labels:
        """The labels, and which rows are not scored if that was asked."""
        return Board(self.channel, self.parameters, score, self.error).labels()

    @cached_property
    def error(self) -> float:
        """The certified error of a sum before it is rounded, rounded up."""
        with working(self.channel.working_bits):
            return float(upper(comparison_error(self.channel, self.parameters)) * FLOAT_ROOM)


class Board:
    """One run: what was asked and shown so far."""

    def __init__(self, channel: Channel, parameters: SplitThresholds, score: ScoreFunction, error: float) -> None:
        self.channel, self.parameters, self.score, self.error = channel, parameters, score, error
        self.metric, self.n = channel.metric, channel.scored
        self.start, self.least = float(parameters.start), float(parameters.least)
        self.turn, self.most = float(parameters.turn), float(parameters.most)
        self.unit = channel.digits.unit or Fraction(1)
        self.cell, self.drift = float(self.n * self.unit), float(self.n * channel.law.centre)
        self.order = np.random.default_rng(ORDER).permutation(channel.rows)
        self.seen: list[tuple[Weights, int]] = []

    def labels(self) -> Labels:
        """One class after the other; every score must be explained by what is found."""
        ones = self._count()
        counts = (self.n - ones, ones)
        first = self._first(counts)
        members = self._found_first(first, counts)
        known = np.full(self.channel.rows, NOT_SCORED, dtype=np.int64)
        known[members] = first
        if self.parameters.both:
            known[self._found_second(members, first, counts[1 - first])] = 1 - first
            self._explain(known, 0, 0)
            return known
        self._explain(known, self.n - len(members), 1 - first)
        known[known == NOT_SCORED] = 1 - first  # if they are scored
        return known

    def _found_first(self, first: int, counts: tuple[int, int]) -> NDArray[Any]:
        """All members of the class; nobody, where its members are none and labels alone are asked for."""
        if not self.parameters.both and not counts[first]:
            return NOBODY
        return self._members(self.order, counts[first], self._tested_first(first, counts[first]))

    def _found_second(self, members: NDArray[Any], first: int, count: int) -> NDArray[Any]:
        """The members of the other class among the rows that are left, which are of that class or not scored."""
        left = self.order[~np.isin(self.order, members)]
        return self._members(left, count, self._tested_second(members, first))

    def _first(self, counts: tuple[int, int]) -> int:
        """The class that is looked for first: the commoner one; where one is enough, the rarer one if it moves a cell.

        If all scored rows are of one class, the other has no members that would have to be looked for.
        """
        commoner = int(counts[1] > counts[0])
        rarer = counts[1 - commoner]
        rarer_serves = not self.parameters.both and (rarer >= self.parameters.rarest or not rarer)
        return 1 - commoner if rarer_serves else commoner

    # -- questions -----------------------------------------------------------------------------------------

    def _count(self) -> int:
        """How many scored rows are of class 1, by bisection: "no more than a?" is one comparison of all rows."""
        low, high = 0, self.n
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self._more_ones(middle) else (low, middle)
        return low

    def _more_ones(self, some: int) -> bool:
        """Whether there are more: the class that at least half would be of is dear, so that the sum rises with the weight."""
        dear = 2 * some + 1 >= self.n
        sign, reckoned = (1, some + 0.5) if dear else (-1, self.n - some - 0.5)

        def total(v: float) -> float:
            return reckoned * v + self.n * self.metric.saving(v)

        return self._above(lambda v: Weights(sign * v), total, self.start, self.most) == dear

    def _tested_first(self, dear: int, members: int) -> Callable[[NDArray[Any]], bool]:
        """Whether some rows hold a member of a class with so many members, all other rows moving the sum."""
        sign, rest, top = (1 if dear else -1), self.metric.saving, self.metric.saving(self.most)

        def middle(x: float) -> float:
            return members * x + (self.most - x) / 2 + self.n * (rest(x) + top) / 2

        return lambda rows: self._above(
            lambda x: Weights(sign * x, rows, sign * self.most), middle, self.least, self.turn
        )

    def _tested_second(self, members: NDArray[Any], first: int) -> Callable[[NDArray[Any]], bool]:
        """Whether some rows hold a member of the other class, those that were found moving the sum."""
        sign, known, metric = (1 if first else -1), len(members), self.metric
        rest = (self.n - known) * metric.saving(self.most) + self.most / 2

        return lambda rows: self._above(
            lambda y: Weights(sign * self.most, rows, -sign * self.most, members, sign * y),
            lambda y: known * metric.payment(y, 1, 1) + rest,
            self.start,
            self.most,
        )

    def _members(self, rows: NDArray[Any], count: int, holds: Callable[[NDArray[Any]], bool]) -> NDArray[Any]:
        """The members among these rows, of whom there are so many: Hwang's generalised binary splitting."""
        found: list[int] = []
        start = 0
        while len(found) < count < len(found) + len(rows) - start:
            end = start + (1 << group_bits(len(rows) - start, count - len(found)))
            if not holds(rows[start:end]):
                start = end
                continue
            while end - start > 1:
                middle = (start + end) // 2
                start, end = (start, middle) if holds(rows[start:middle]) else (middle, end)
            found.append(int(rows[start]))
            start += 1
        if len(found) < count:
            found += rows[start:].tolist()
        if len(found) != count:
            raise InconsistentScores(f"{len(found)} rows are found where {count} are: is there noise?")
        return np.array(found, dtype=np.intp)

    # -- one comparison ------------------------------------------------------------------------------------

    def _above(
        self, weights: Callable[[float], Weights], total: Callable[[float], float], low: float, high: float
    ) -> bool:
        """Whether the sum lies above the one that is put on a boundary; that rises by a cell between two weights."""
        boundary = ceil((total(low) + self.drift) / self.cell - self._edge)
        place = (boundary + self._edge) * self.cell - self.drift
        for _ in range(STEPS):
            middle = (low + high) / 2
            if middle in (low, high):
                break
            low, high = (middle, high) if total(middle) < place else (low, middle)
        asked = weights(high)
        shown = self._shown(asked)
        self.seen.append((asked, shown))
        return shown > boundary

    @property
    def _edge(self) -> float:
        """Where in a unit a boundary lies."""
        return 1.0 if self.channel.digits.truncates else 0.5

    def _shown(self, asked: Weights) -> int:
        """The score in units of its last decimal."""
        score = exact_score(self.score(corner_rows(self.channel, asked.of(self.channel.rows))))
        units = round(score / self.unit)
        if abs(score / self.unit - units) > DIGIT_SLACK:
            raise InconsistentScores(f"the score {float(score)!r} is not a multiple of {float(self.unit):g}")
        return units

    # -- at last -------------------------------------------------------------------------------------------

    def _explain(self, labels: Labels, further: int, label: int) -> None:
        """Every score is that of these labels, and of so many scored rows more of one class, whichever they are."""
        for asked, shown in self.seen:
            centre = (shown + self._edge - 0.5) * self.cell - self.drift
            total = asked.charged(self.metric, labels)
            low, high = asked.charged_anywhere(self.metric, label)
            room = self.cell / 2 + self.error
            if not total + further * low - room <= centre <= total + further * high + room:
                raise unexplained()
