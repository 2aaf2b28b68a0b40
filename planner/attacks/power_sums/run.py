"""Power sums as they are run: all queries are known beforehand, and the count says how many of them are needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.attacks.attack import InconsistentScores, Informed, Listed, WorseGuess
from planner.attacks.explained import FLOAT_ROOM, unexplained
from planner.attacks.power_sums.certify import largest_weight
from planner.attacks.power_sums.parameters import PowerSums
from planner.attacks.splitting.bound import digits_of
from planner.attacks.splitting.certify import weighing_error
from planner.attacks.splitting.nodes import Node
from planner.attacks.splitting.power_sums import power_weighings, rows_of
from planner.attacks.splitting.rows import RowsOfGuess, whole_units
from planner.attacks.splitting.weighing import Count, Weighing
from planner.channel.channel import Channel
from planner.numerics.lockless import cached_property
from planner.numerics.reals import upper, working

if TYPE_CHECKING:
    from fractions import Fraction

    from planner.attacks.attack import Labels, Query


class PowerSumsAttack(Informed, Listed):
    """Counts the wrong guesses, and finds them as the roots of a polynomial."""

    id = "power-sums"

    def __init__(self, channel: Channel, parameters: PowerSums) -> None:
        super().__init__(channel)
        self.parameters = parameters
        self.positions = np.arange(parameters.labels)

    def queries(self) -> Iterator[Query]:
        """The count, then the power sums digit by digit."""
        rows = self._rows()
        for weighing in self._weighings():
            yield rows.submission(weighing.weights(self.positions))[0]

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels of the rows attacked, -1 for the others; raises WorseGuess where the count says so."""
        p = self.parameters
        answers = self._answers(list(scores))
        count = self._count(answers[0])
        nodes = [Node(0, p.labels, count)]
        # Digits are weighed less half the base: the count adds that again.
        sums = [answer + p.amplitude * count for answer in answers[1 : 1 + count * digits_of(p.prime, 2 * p.amplitude)]]
        wrong = rows_of(sums, nodes, p.prime, 2 * p.amplitude)
        for weighing, answer in zip(self._weighings(), answers, strict=True):
            if int(weighing.weights(wrong).sum()) != 2 * answer:
                raise unexplained()
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        labels[: p.labels] = self.guess[: p.labels]
        labels[wrong] = 1 - labels[wrong]
        return labels

    def _weighings(self) -> Iterator[Weighing]:
        """One a query, for as many wrong guesses as there may be."""
        p = self.parameters
        yield Count()
        yield from power_weighings([Node(0, p.labels, p.radius)], p.prime, 2 * p.amplitude)

    def _answers(self, scores: list[Any]) -> list[int]:
        """Sums over the wrong rows, in whole units."""
        if len(scores) != self.parameters.queries:
            raise InconsistentScores(f"{len(scores)} scores for {self.parameters.queries} queries")
        rows, answers = self._rows(), []
        for score, weighing in zip(scores, self._weighings(), strict=True):
            _, base = rows.submission(weighing.weights(self.positions))
            answers.append(whole_units(rows.measured(score, base), self.tolerance))
        return answers

    def _count(self, count: int) -> int:
        p = self.parameters
        if not 0 <= count <= p.labels:
            raise unexplained()
        if count > p.radius:
            raise WorseGuess(count, p.radius)
        if self.channel.exactly and p.labels == self.channel.rows and count != self.channel.radius:
            raise InconsistentScores(f"{count:,} labels differ from the commoner class, not {self.channel.radius:,}")
        return count

    def _rows(self) -> RowsOfGuess:
        return RowsOfGuess(self.channel, self.parameters.unit, self.guess, self.positions)

    @cached_property
    def tolerance(self) -> Fraction:
        """The certified error in units, the attacker's own included, rounded up."""
        p = self.parameters
        with working(self.channel.working_bits):
            error = weighing_error(self.channel, p.queries, p.labels, p.radius, largest_weight(p))
            return upper(error) / p.unit * FLOAT_ROOM
