"""Peeling: each question is a design about some rows, the others at the middle weight."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import NOT_SCORED, Adaptive, InconsistentScores
from planner.attacks.corners import rests
from planner.attacks.explained import FLOAT_ROOM, unexplained
from planner.attacks.scores import exact_score
from planner.attacks.split_labels.run import AGAIN_ROUNDED, CONSTANT_BITS, corner_rows
from planner.attacks.split_peel.certify import peel_error
from planner.attacks.split_peel.parameters import SplitPeel
from planner.channel.channel import Channel
from planner.channel.sides import Sides
from planner.designs.base import Design, DesignError
from planner.designs.butterfly import Butterfly
from planner.designs.lindstrom import Lindstrom
from planner.designs.popcounts import fewest_queries
from planner.numerics.lockless import cached_property
from planner.numerics.reals import ball, midpoint, upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, ScoreFunction


class PeelAttack(Adaptive):
    """Not of class 0; the classes of those; who is scored of the rest."""

    def __init__(self, id: str, channel: Channel, parameters: SplitPeel) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters

    def recover(self, score: ScoreFunction) -> Labels:
        """Question after question."""
        K, N = self.channel.classes, self.channel.rows
        everything = np.arange(N)
        count = self._count(score, _dear(K, range(1, K)))
        members = self._ask(score, self.parameters.design, everything, _dear(K, range(1, K)), count)
        labels = np.zeros(N, dtype=np.int64)
        labels[members] = 1 + self._classes(score, members)
        if (labels >= K).any():
            raise InconsistentScores("the scores tell a class that does not exist")
        if self.parameters.rest:
            left = np.setdiff1d(everything, members)
            zeros = self._ask(score, self.parameters.design, left, _dear(K, (0,)), self.channel.scored - len(members))
            labels[np.setdiff1d(left, zeros)] = NOT_SCORED
        return labels

    def _classes(self, score: ScoreFunction, members: NDArray[Any]) -> NDArray[Any]:
        """The classes of the members, less one, digit by digit."""
        found = np.zeros(len(members), dtype=np.int64)
        if not len(members):
            return found
        for digit in range(len(self.parameters.digits)):
            dear = _dear(self.channel.classes, (k + 1 for k in range(self.channel.classes - 1) if k >> digit & 1))
            ones = self._ask(score, self.parameters.members, members, dear, self._count(score, dear))
            found += np.isin(members, ones).astype(np.int64) << digit
        return found

    def _count(self, score: ScoreFunction, dear: Sides) -> int:
        """How many rows are scored and dear: all rows at the largest weight."""
        most = self.parameters.most
        total = self._sum(score, np.full(self.channel.rows, float(most)), dear)
        ones = round(total / most)
        if abs(total - ones * most) > self.error or not 0 <= ones <= self.channel.scored:
            raise unexplained()
        return ones

    def _ask(self, score: ScoreFunction, design: Design, rows: NDArray[Any], dear: Sides, count: int) -> NDArray[Any]:
        """Those of these rows that are scored and dear, of which there are so many."""
        p, least = self.parameters, fewer(design, len(rows))
        if not len(rows):
            return rows
        step, y = float(p.gap * least.unit), np.empty(least.M)
        for t in range(least.M):
            weights = np.full(self.channel.rows, float(p.centre))
            weights[rows] += step * least.row(t, len(rows)).astype(float)
            y[t] = float((self._sum(score, weights, dear) - count * p.centre) / p.gap)
        found = self._read(least, y, len(rows))
        if int(found.sum()) != count:
            raise InconsistentScores(f"{int(found.sum())} rows are told to be scored and dear, {count} are")
        told: NDArray[Any] = rows[found == 1]
        return told

    def _read(self, design: Design, y: NDArray[Any], rows: int) -> NDArray[Any]:
        try:
            found = design.decode(y, rows)
        except DesignError as fault:
            raise InconsistentScores(str(fault)) from fault
        again = design.scores(found).astype(float) * float(design.unit)
        if (abs(y - again) > self.tolerance + AGAIN_ROUNDED * abs(again)).any():
            raise unexplained()
        return found

    def _sum(self, score: ScoreFunction, weights: NDArray[Any], dear: Sides) -> Fraction:
        """The sum of charges of a query, less the rests of all scored rows."""
        shown = exact_score(score(corner_rows(self.channel, weights, dear))) - self.channel.centre
        return self.channel.scored * shown - self._rests(sum(dear))

    def _rests(self, dear: int) -> Fraction:
        p = self.parameters
        with working(CONSTANT_BITS):
            part = dear, self.channel.classes - dear
            return midpoint(rests(self.channel, ball(p.least), ball(p.most), part))

    @cached_property
    def error(self) -> Fraction:
        """The certified error of a sum of charges, rounded up."""
        with working(self.channel.working_bits):
            return upper(peel_error(self.channel, self.parameters)) * FLOAT_ROOM

    @cached_property
    def tolerance(self) -> float:
        """The same in gaps."""
        return float(self.error / self.parameters.gap * FLOAT_ROOM)


def _dear(classes: int, members: Any) -> Sides:
    chosen = set(members)
    return tuple(k in chosen for k in range(classes))


def fewer(design: Design, rows: int) -> Design:
    """The same design of fewer queries, where so many rows need no more: its entries are no larger."""
    if isinstance(design, Butterfly):
        return replace(design, M=fewest_queries(max(rows, 1), lambda M: replace(design, M=M).capacity()))
    if isinstance(design, Lindstrom):
        return replace(design, blocks=fewest_queries(max(rows, 1), lambda M: replace(design, blocks=M).capacity()))
    return design
