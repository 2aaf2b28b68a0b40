"""Who is scored, and then a board of those rows alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import NOT_SCORED, InconsistentScores
from planner.attacks.design.parameters import DesignStages
from planner.attacks.design.run import DesignAttack
from planner.attacks.explained import FLOAT_ROOM
from planner.attacks.split_members.certify import asking_error, board_of
from planner.attacks.split_members.parameters import SplitMembers
from planner.attacks.split_peel.run import Asked, KnownRows
from planner.channel.channel import Channel
from planner.designs.base import Design
from planner.numerics.lockless import cached_property
from planner.numerics.reals import upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query, ScoreFunction


class MembersAttack(KnownRows):
    """A design of rows that charge every class alike, then one of the labels."""

    def __init__(self, id: str, channel: Channel, parameters: SplitMembers) -> None:
        super().__init__(id, channel, parameters.most)
        self.parameters = parameters

    def recover(self, score: ScoreFunction) -> Labels:
        """Who is scored, then their labels."""
        members = self._members(score)
        labels = np.full(self.channel.rows, NOT_SCORED, dtype=np.int64)
        board, stages = board_of(self.channel), self.parameters.stages

        def moved(query: Query) -> Any:
            placed = np.ones((self.channel.rows, self.channel.classes)) / self.channel.classes
            placed[members] = query
            return score(placed)

        labels[members] = OwnBoard(self.id, board, stages).recover(moved)
        return labels

    def _members(self, score: ScoreFunction) -> NDArray[Any]:
        """The scored rows, of whom there are as many as is known."""
        p, n, N = self.parameters, self.channel.scored, self.channel.rows

        def asked(design: Design, t: int) -> Asked:
            step = float(p.asking_gap * design.unit)
            charges = float(p.asking_centre) + step * design.row(t, N).astype(float)
            rows = np.repeat(np.exp(-charges)[:, None], self.channel.classes, axis=1)
            return self.written(rows), n * p.asking_centre

        found = self.ask(score, p.asking, N, asked, p.asking_gap, self.later_error)
        if int(found.sum()) != n:
            raise InconsistentScores(f"{int(found.sum())} rows are told to be scored, {n} are")
        told: NDArray[Any] = np.flatnonzero(found)
        return told

    @cached_property
    def later_error(self) -> Fraction:
        """The certified error of a sum of charges of the first part, rounded up."""
        with working(self.channel.working_bits):
            return upper(asking_error(self.channel, self.parameters)) * FLOAT_ROOM


class OwnBoard(DesignAttack):
    """The design on the scored rows; it bears the errors of its certificate, which counts all queries."""

    def __init__(self, id: str, board: Channel, certified: DesignStages) -> None:
        super().__init__(id, board, replace(certified, queries=certified.listed, labels=board.rows))
        self.certified = certified

    @cached_property
    def tolerance(self) -> float:
        """Of all rows that were reckoned with, and of all queries."""
        return DesignAttack(self.id, self.channel, self.certified).tolerance
