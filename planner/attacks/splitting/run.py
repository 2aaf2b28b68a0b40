"""Splitting as it is run: ask, round to whole units, cut what is still in doubt; at last explain every answer again."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import Adaptive, InconsistentScores, Informed, WorseGuess
from planner.attacks.explained import FLOAT_ROOM, unexplained
from planner.attacks.splitting.bound import digits_of
from planner.attacks.splitting.certify import splitting_error
from planner.attacks.splitting.classes import ClassesOfRows
from planner.attacks.splitting.guard import halvings, remains, wrong_left
from planner.attacks.splitting.nodes import Node, unsettled
from planner.attacks.splitting.packing import Round, eager, halved
from planner.attacks.splitting.parameters import Splitting
from planner.attacks.splitting.power_sums import power_weighings, rows_of
from planner.attacks.splitting.rows import RowsOfGuess, whole_units
from planner.attacks.splitting.weighing import Count, RoundOfDigits, Weighing
from planner.channel.channel import Channel
from planner.numerics.lockless import cached_property
from planner.numerics.reals import upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query, ScoreFunction

ORDER = 1  # seed of the order in which rows are cut: neighbours, and labels sorted by class, are then like any others


class SplittingAttack(Informed, Adaptive):
    """Finds the rows whose guess is wrong; of more than two classes, a design then tells theirs."""

    id = "splitting"

    def __init__(self, channel: Channel, parameters: Splitting) -> None:
        super().__init__(channel)
        self.parameters = parameters

    def recover(self, score: ScoreFunction) -> Labels:
        """The labels of the rows attacked, -1 for the others; raises WorseGuess where the first query says so."""
        p = self.parameters
        wrong = Board(self.channel, p, self.guess, score).wrong_rows()
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        labels[: p.labels] = self.guess[: p.labels]
        labels[wrong] = self._classes(wrong, score)
        return labels

    def _classes(self, wrong: NDArray[Any], score: ScoreFunction) -> NDArray[Any]:
        """Of two classes the other one; of more, what a design says."""
        stages = self.parameters.stages
        if self.channel.classes == 2:
            return np.asarray(1 - self.guess[wrong])
        assert stages is not None, "more classes than two have a design"
        if not len(wrong):
            return wrong
        return ClassesOfRows(self.id, self.channel, stages, wrong).classes(score, self.guess)


class Submits(Protocol):
    """How weights become a submission, and its score a measurement."""

    def submission(self, halves: NDArray[Any]) -> tuple[Query, Fraction]:
        """Rows of so many half units each, and what is known of the sum of their charges."""
        ...

    def measured(self, score: Any, base: Fraction) -> Fraction:
        """The sum of weights over the wrong rows, in units."""
        ...


class Board:
    """One run: what was asked so far, and what is still in doubt. Rows are numbered in the order in which they are cut."""

    rows: Submits

    def __init__(self, channel: Channel, parameters: Splitting, guess: Labels | None, score: ScoreFunction) -> None:
        self.channel, self.parameters, self.score = channel, parameters, score
        self.order = np.random.default_rng(ORDER).permutation(parameters.labels)
        if guess is not None:
            self.rows = RowsOfGuess(channel, parameters.unit, guess, self.order)
        self.positions = np.arange(parameters.labels)
        self.seen: list[tuple[Weighing, int]] = []

    def wrong_rows(self) -> NDArray[Any]:
        """The rows whose guess is wrong, in ascending order."""
        p = self.parameters
        nodes = [Node(0, p.labels, self._count())]
        found = _settled_rows(nodes)
        while nodes := unsettled(nodes):
            chosen = self._round(nodes)
            if chosen is None:
                found.append(self._power_sums(nodes))
                break
            nodes = self._read(nodes, *chosen)
            found += _settled_rows(nodes)
        positions = np.concatenate(found)
        self._explain(positions)
        rows: NDArray[Any] = np.sort(self.order[positions])
        return rows

    def _count(self) -> int:
        """How many guesses are wrong: as few as the attack was certified for."""
        p = self.parameters
        count = self._answer(Count())
        if not 0 <= count <= p.labels:
            raise unexplained()
        if count > p.radius:
            raise WorseGuess(count, p.radius)
        if self.channel.exactly and p.labels == self.channel.rows and count != self.channel.radius:
            raise InconsistentScores(f"{count:,} labels differ from the commoner class, not {self.channel.radius:,}")
        return count

    def _round(self, nodes: list[Node]) -> Round | None:
        """An eager round if the promise bears it, else one that halves; None: power sums end within it."""
        p, left = self.parameters, self._allowed() - len(self.seen)
        digits, queries = eager(nodes, p.amplitude)
        after = remains(nodes, digits)
        if queries + self._further(after) <= left:
            return digits, queries
        if p.prime and halvings(remains(nodes), p.amplitude) > left:
            return None
        return halved(nodes, p.amplitude)

    def _allowed(self) -> int:
        """Queries of the promise, less those of the design that follows."""
        stages = self.parameters.stages
        return self.parameters.queries - (0 if stages is None else stages.listed)

    def _further(self, left: list[tuple[int, int, int]]) -> int:
        """Queries that end it from there, whatever the labels are."""
        p = self.parameters
        halving = halvings(left, p.amplitude)
        return min(halving, wrong_left(left) * digits_of(p.prime, p.amplitude)) if p.prime else halving

    def _read(self, nodes: list[Node], digits: list[Any], queries: int) -> list[Node]:
        """What becomes of the nodes: those that were cut are replaced by their pieces."""
        asked = RoundOfDigits(digits, queries)
        answers = [self._answer(one) for one in asked.weighings()]
        cut = {digit.node for digit in asked.digits}
        pieces = [
            piece
            for digit, counts in zip(asked.digits, asked.read(answers), strict=True)
            for piece in digit.pieces(counts)
        ]
        return [*(node for node in nodes if node not in cut), *pieces]

    def _power_sums(self, nodes: list[Node]) -> NDArray[Any]:
        p = self.parameters
        answers = [self._answer(one) for one in power_weighings(nodes, p.prime, p.amplitude)]
        return rows_of(answers, nodes, p.prime, p.amplitude)

    # -- one query ---------------------------------------------------------------------------------------

    def _answer(self, weighing: Weighing) -> int:
        """The sum over the wrong rows in whole units, what was left out added."""
        query, base = self.rows.submission(weighing.weights(self.positions))
        measured = self.rows.measured(self.score(query), base) + Fraction(weighing.back, 2)
        answer = whole_units(measured, self.tolerance)
        self.seen.append((weighing, answer))
        return answer

    @cached_property
    def tolerance(self) -> Fraction:
        """The certified error in units, the attacker's own included, rounded up."""
        with working(self.channel.working_bits):
            return upper(splitting_error(self.channel, self.parameters)) / self.parameters.unit * FLOAT_ROOM

    # -- at last ------------------------------------------------------------------------------------------

    def _explain(self, positions: NDArray[Any]) -> None:
        """The rows that were found are weighed again: every answer must be theirs."""
        for weighing, answer in self.seen:
            if int(weighing.weights(positions).sum()) + weighing.back != 2 * answer:
                raise unexplained()


def _settled_rows(nodes: list[Node]) -> list[NDArray[Any]]:
    """Rows of nodes in which every guess is wrong; of none, an empty range."""
    ranges = [np.arange(node.start, node.start + node.rows) for node in nodes if node.ones == node.rows]
    return ranges or [np.empty(0, dtype=np.int64)]
