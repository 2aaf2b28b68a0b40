"""Counting on a secret part: rows that are scored and dear are those whose guess, class 0, is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from planner.attacks.attack import NOT_SCORED
from planner.attacks.explained import FLOAT_ROOM
from planner.attacks.scores import exact_score
from planner.attacks.split_count.certify import first_error, later_error
from planner.attacks.split_count.parameters import SplitCount
from planner.attacks.split_labels.run import corner_rows
from planner.attacks.split_peel.run import MembersFirst
from planner.attacks.splitting.parameters import Splitting
from planner.attacks.splitting.run import Board
from planner.channel.channel import Channel
from planner.numerics.lockless import cached_property

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query, ScoreFunction

NOBODY = np.empty(0, dtype=np.int64)


class CountAttack(MembersFirst):
    """Members by counts, their classes by a design, the rows left by counts."""

    def __init__(self, id: str, channel: Channel, parameters: SplitCount) -> None:
        super().__init__(id, channel, parameters.later, parameters)
        self.parameters = parameters

    def recover(self, score: ScoreFunction) -> Labels:
        """Part after part, within the queries that were promised."""
        p, N, asked = self.parameters, self.channel.rows, [0]

        def counted(query: Query) -> Any:
            asked[0] += 1
            return score(query)

        members = self._members(counted)
        labels = np.zeros(N, dtype=np.int64)
        labels[members] = 1
        if p.members and len(members):
            labels[members] += self.classes_of(counted, members, p.members[0], p.members_gap)
        if p.others_amplitude:
            left = np.setdiff1d(np.arange(N), members)
            zeros = self._left(counted, left, labels, len(members), p.queries - asked[0])
            labels[np.setdiff1d(left, zeros)] = NOT_SCORED
        return labels

    def _members(self, score: ScoreFunction) -> NDArray[Any]:
        """The rows that are scored and not of class 0."""
        p, N = self.parameters, self.channel.rows
        dear, count = self.counted(score)
        allowed = p.queries - 1 - p.after(N, self.channel.scored, count)
        cut = Splitting(allowed, N, count, p.amplitude, p.unit, 0, None, Fraction(0), 0)

        def query(halves: NDArray[Any], order: NDArray[Any]) -> Query:
            weights = np.empty(N)
            weights[order] = float(p.centre) + float(p.unit) * (halves / 2)
            return corner_rows(self.channel, weights, dear)

        board = Parts(self.channel, cut, score, query, self.rests + count * p.centre, self.first_error)
        return board.wrong_rows() if count else NOBODY

    def _left(
        self, score: ScoreFunction, left: NDArray[Any], labels: Labels, members: int, allowed: int
    ) -> NDArray[Any]:
        """Those of the rows left that are scored, all of class 0; their number is known."""
        p, count = self.parameters, self.channel.scored - members
        if count in (0, len(left)):
            return left[:count]
        idle, free = self.cheap(labels)
        cut = Splitting(allowed, len(left), count, p.others_amplitude, p.others_unit, 0, None, Fraction(0), 0)

        def query(halves: NDArray[Any], order: NDArray[Any]) -> Query:
            charges = float(p.others_centre) + float(p.others_unit) * (halves / 2)
            return self.charging(idle, left[order], charges)

        known = members * free + count * p.others_centre
        found: NDArray[Any] = left[Parts(self.channel, cut, score, query, known, self.later_error).wrong_rows()]
        return found

    def certified(self) -> tuple[arb, arb]:
        """Of the first part, and of all others."""
        return first_error(self.channel, self.parameters), later_error(self.channel, self.parameters)


class Parts(Board):
    """Splitting of rows of which it is known how many are sought: what they weigh in the middle is taken off."""

    def __init__(
        self,
        channel: Channel,
        parameters: Splitting,
        score: ScoreFunction,
        query: Callable[[NDArray[Any], NDArray[Any]], Query],
        known: Fraction,
        error: Fraction,
    ) -> None:
        super().__init__(channel, parameters, None, score)
        self.rows = Submissions(channel, parameters.unit, query, known, self.order)
        self.error = error

    def _count(self) -> int:
        """It was asked before, or follows from another count."""
        return self.parameters.radius

    @cached_property
    def tolerance(self) -> Fraction:
        """The certified error in units."""
        return self.error / self.parameters.unit * FLOAT_ROOM


@dataclass(frozen=True)
class Submissions:
    """Rows in the order in which they are cut, and what is known of all sums of their charges."""

    channel: Channel
    unit: Fraction
    query: Callable[[NDArray[Any], NDArray[Any]], Query]
    known: Fraction
    order: NDArray[Any]

    def submission(self, halves: NDArray[Any]) -> tuple[Query, Fraction]:
        """Rows of so many half units above the middle each."""
        return self.query(halves, self.order), self.known

    def measured(self, score: Any, base: Fraction) -> Fraction:
        """The sum of weights over the rows that are sought, in units above the middle."""
        total = self.channel.scored * (exact_score(score) - self.channel.centre)
        return (total - base) / self.unit
