"""Peeling: each question is a design about some rows, and what all others are charged is known."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from flint import arb
from numpy.typing import NDArray

from planner.attacks.attack import NOT_SCORED, Adaptive, InconsistentScores
from planner.attacks.corners import Parts, rests
from planner.attacks.explained import FLOAT_ROOM, unexplained
from planner.attacks.scores import exact_score
from planner.attacks.split_labels.run import AGAIN_ROUNDED, CONSTANT_BITS, corner_rows
from planner.attacks.split_peel.certify import first_error, later_error
from planner.attacks.split_peel.parameters import SplitPeel
from planner.channel.channel import Channel
from planner.channel.sides import Sides, bits_of
from planner.designs.base import Design, DesignError
from planner.designs.butterfly import Butterfly
from planner.designs.lindstrom import Lindstrom
from planner.designs.popcounts import fewest_queries
from planner.numerics.lockless import cached_property
from planner.numerics.reals import ball, midpoint, upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query, ScoreFunction

Asked = tuple["Query", Fraction]
"""A submission, and what is taken off its sum of charges: what is left is a measurement of the design, in gaps."""


class KnownRows(Adaptive):
    """Questions about rows that are known to be scored, or to be of class 0 if they are: no rest deviates."""

    def __init__(self, id: str, channel: Channel, most: Fraction) -> None:
        self.id = id
        self.channel = channel
        self.most = most  # the largest weight of a row

    @property
    @abstractmethod
    def later_error(self) -> Fraction:
        """The certified error of their sums of charges."""

    def sum_of(self, score: ScoreFunction, query: Query) -> Fraction:
        """The sum of charges of a query."""
        return self.channel.scored * (exact_score(score(query)) - self.channel.centre)

    # -- the classes of members ----------------------------------------------------------------------------

    def classes_of(self, score: ScoreFunction, members: NDArray[Any], design: Design, gap: Fraction) -> NDArray[Any]:
        """The classes of the members, less one: all at once, or digit by digit."""
        K = self.channel.classes
        if design.K > 2:
            return self._of_members(score, members, design, gap, None)
        found = np.zeros(len(members), dtype=np.int64)
        for digit in range(bits_of(K - 1)):
            dear = tuple(k > 0 and bool(k - 1 >> digit & 1) for k in range(K))
            found += self._of_members(score, members, design, gap, dear) << digit
        if (found >= K - 1).any():
            raise InconsistentScores("the scores tell a class that does not exist")
        return found

    def _of_members(
        self, score: ScoreFunction, members: NDArray[Any], design: Design, gap: Fraction, dear: Sides | None
    ) -> NDArray[Any]:
        """What a design says of the members, all other rows as cheap for class 0 as can be."""
        channel = self.channel
        idle, free = self.cheap(np.zeros(channel.rows, dtype=np.int64))
        zeros = (channel.scored - len(members)) * free

        def asked(design: Design, t: int) -> Asked:
            levels = design.row(t, len(members))
            rows = self._class_rows(levels, gap) if dear is None else self._side_rows(levels, gap * design.unit, dear)
            query = idle.copy()
            query[members] = rows
            # Class 1 is the cheap one of two sides, and has the first level of several.
            wanted = gap * int(levels[:, 0].sum()) if dear is None else Fraction(0)
            return query, zeros + channel.metric.total(np, rows[:, 1]) - wanted

        return self.ask(score, design, len(members), asked, gap, self.later_error)

    # -- rows ----------------------------------------------------------------------------------------------

    def cheap(self, classes: Labels) -> tuple[Query, Fraction]:
        """Rows that are as cheap for one class each as can be, and what each charges it."""
        K = self.channel.classes
        high, low = map(self.written, self.channel.metric.entries(np, np.array([float(self.most)]), K - 1, K, K))
        if self.channel.columns == 1:
            rows = np.where(classes == 1, low[0], high[0])
            return rows, self.channel.metric.total(np, 1 - high if classes[0] == 0 else low)
        rows = np.full((self.channel.rows, K), high[0])
        rows[np.arange(len(rows)), classes] = low[0]
        return rows, self.channel.metric.total(np, low)

    def charging(self, idle: Query, left: NDArray[Any], charges: NDArray[Any]) -> Query:
        """A submission with rows that charge class 0 so much, the other classes sharing what remains of 1."""
        query, K = idle.copy(), self.channel.classes
        remains = -np.expm1(-charges) / (K - 1)
        if self.channel.columns == 1:
            query[left] = remains
        else:
            query[left] = np.repeat(remains[:, None], K, axis=1)
            query[left, 0] = np.exp(-charges)
        return self.written(query)

    def _side_rows(self, levels: NDArray[Any], step: Fraction, dear: Sides) -> NDArray[Any]:
        """Rows that charge some classes more than the others."""
        return corner_rows(self.channel, float(step) * levels.astype(float), dear)

    def _class_rows(self, levels: NDArray[Any], gap: Fraction) -> NDArray[Any]:
        """Rows that charge each class but 0 its own; class 0, which no member has, as much as the dearest."""
        every = np.concatenate([levels.max(axis=1, keepdims=True), levels], axis=1)
        return self.written(self.channel.metric.class_entries(np, float(gap), every))

    def written(self, rows: NDArray[Any]) -> Query:
        """In the scorer's own format; an exact scorer sees float64."""
        own = self.channel.submission
        kept: Query = rows.astype(own.text if own.floating else "float64").astype(np.float64)
        return kept

    # -- asking and reading --------------------------------------------------------------------------------

    def ask(
        self,
        score: ScoreFunction,
        design: Design,
        rows: int,
        asked: Callable[[Design, int], Asked],
        gap: Fraction,
        error: Fraction,
    ) -> NDArray[Any]:
        """What a design of no more queries than so many rows need says of them."""
        least = fewer(design, rows)
        pairs = (asked(least, t) for t in range(least.M))
        y = np.array([float((self.sum_of(score, query) - known) / gap) for query, known in pairs])
        try:
            found = least.decode(y, rows)
        except DesignError as fault:
            raise InconsistentScores(str(fault)) from fault
        again = least.scores(found).astype(float) * float(least.unit)
        if (abs(y - again) > float(error / gap * FLOAT_ROOM) + AGAIN_ROUNDED * abs(again)).any():
            raise unexplained()
        return found.astype(np.int64)


class Weighed(Protocol):
    """A record of weights between two bounds, that charge some classes."""

    @property
    def least(self) -> Fraction:
        """The smallest weight of what is asked first."""

    @property
    def most(self) -> Fraction:
        """And the largest."""

    @property
    def parts(self) -> Parts:
        """Dear and cheap classes."""


class MembersFirst(KnownRows):
    """Rows that are scored and not of class 0, the members, are counted first: all rows at the largest weight."""

    def __init__(self, id: str, channel: Channel, most: Fraction, first: Weighed) -> None:
        super().__init__(id, channel, most)
        self.first = first

    @abstractmethod
    def certified(self) -> tuple[arb, arb]:
        """The certified errors of a sum of charges: of what is asked first, and of all else."""

    def counted(self, score: ScoreFunction) -> tuple[Sides, int]:
        """The classes that members may have, and how many members there are."""
        dear: Sides = tuple(k > 0 for k in range(self.channel.classes))
        heaviest = np.full(self.channel.rows, float(self.first.most))
        total = self.sum_of(score, corner_rows(self.channel, heaviest, dear)) - self.rests
        count = round(total / self.first.most)
        if abs(total - count * self.first.most) > self.first_error or not 0 <= count <= self.channel.scored:
            raise unexplained()
        return dear, count

    @cached_property
    def rests(self) -> Fraction:
        """What all scored rows are charged beside their weights in what is asked first, midway."""
        with working(CONSTANT_BITS):
            return midpoint(rests(self.channel, ball(self.first.least), ball(self.first.most), self.first.parts[0]))

    @cached_property
    def first_error(self) -> Fraction:
        """The certified error of a sum of charges in what is asked first, rounded up."""
        with working(self.channel.working_bits):
            return upper(self.certified()[0]) * FLOAT_ROOM

    @cached_property
    def later_error(self) -> Fraction:
        """The same in all else."""
        with working(self.channel.working_bits):
            return upper(self.certified()[1]) * FLOAT_ROOM


class PeelAttack(MembersFirst):
    """Not of class 0; the classes of those; who is scored of the rest."""

    def __init__(self, id: str, channel: Channel, parameters: SplitPeel) -> None:
        super().__init__(id, channel, parameters.most, parameters)
        self.parameters = parameters

    def recover(self, score: ScoreFunction) -> Labels:
        """Question after question."""
        p, N = self.parameters, self.channel.rows
        members = self._members(score)
        labels = np.zeros(N, dtype=np.int64)
        place = next((k for k, one in enumerate(p.members) if one.capacity() >= len(members)), None)
        if place is None:
            raise InconsistentScores(f"{len(members)} rows are told to be scored and not of class 0")
        if len(members):
            labels[members] = 1 + self.classes_of(score, members, p.members[place], p.members_gap)
        if p.others:
            left = np.setdiff1d(np.arange(N), members)
            zeros = self._left(score, left, len(members), labels, p.others[place])
            labels[np.setdiff1d(left, zeros)] = NOT_SCORED
        return labels

    def _members(self, score: ScoreFunction) -> NDArray[Any]:
        """The rows that are scored and not of class 0."""
        p, N = self.parameters, self.channel.rows
        dear, count = self.counted(score)
        step = float(p.gap * p.design.unit)

        def asked(design: Design, t: int) -> Asked:
            weights = float(p.centre) + step * design.row(t, N).astype(float)
            return corner_rows(self.channel, weights, dear), self.rests + count * p.centre

        if not count:
            return np.empty(0, dtype=np.int64)
        found = self.ask(score, p.design, N, asked, p.gap, self.first_error)
        if int(found.sum()) != count:
            raise InconsistentScores(f"{int(found.sum())} rows are told to be scored and dear, {count} are")
        told: NDArray[Any] = np.flatnonzero(found)
        return told

    def _left(
        self, score: ScoreFunction, left: NDArray[Any], members: int, labels: Labels, design: Design
    ) -> NDArray[Any]:
        """Those of the rows left that are scored, all of class 0; their number is known."""
        p, count = self.parameters, self.channel.scored - members
        if count in (0, len(left)):
            return left[:count]
        step, (idle, free) = float(p.others_gap * design.unit), self.cheap(labels)

        def asked(design: Design, t: int) -> Asked:
            charges = float(p.others_centre) + step * design.row(t, len(left)).astype(float)
            return self.charging(idle, left, charges), members * free + count * p.others_centre

        found = self.ask(score, design, len(left), asked, p.others_gap, self.later_error)
        if int(found.sum()) != count:
            raise InconsistentScores(f"{int(found.sum())} rows that are left are told to be scored, {count} are")
        told: NDArray[Any] = left[found == 1]
        return told

    def certified(self) -> tuple[arb, arb]:
        """Of the first question, and of all others."""
        return first_error(self.channel, self.parameters), later_error(self.channel, self.parameters)


def fewer(design: Design, rows: int) -> Design:
    """The same design of fewer queries, where so many rows need no more: its entries are no larger."""
    if isinstance(design, Butterfly):
        return replace(design, M=fewest_queries(max(rows, 1), lambda M: replace(design, M=M).capacity()))
    if isinstance(design, Lindstrom):
        return replace(design, blocks=fewest_queries(max(rows, 1), lambda M: replace(design, blocks=M).capacity()))
    return design
