"""The design for labels and split: integers of three states, read component by component."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import NOT_SCORED, Adaptive, Attack, InconsistentScores, Listed
from planner.attacks.corners import rests
from planner.attacks.explained import FLOAT_ROOM, unexplained
from planner.attacks.scores import exact_score
from planner.attacks.split_design.certify import design_error, weights
from planner.attacks.split_design.parameters import SplitDesign
from planner.attacks.split_labels.run import CONSTANT_BITS, corner_rows
from planner.channel.channel import Channel
from planner.designs.base import DesignError
from planner.numerics.lockless import cached_property
from planner.numerics.reals import midpoint, upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query, ScoreFunction


def split_attack(id: str, channel: Channel, parameters: SplitDesign) -> Attack:
    """The attack of a record: it settles numbers of scored rows where more than one is possible."""
    return (Settling if parameters.settling else SplitDesignAttack)(id, channel, parameters)


class _Design(Attack):
    """All rows in every query; the decoder is the design's own transform."""

    def __init__(self, id: str, channel: Channel, parameters: SplitDesign) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters

    def submissions(self) -> Iterator[Query]:
        """Row by row of the design: of a row's two columns one is 0, the other the integer of the class that is dear."""
        p, N, gap = self.parameters, self.channel.rows, float(self.parameters.gap)
        for t in range(p.design.M):
            one, zero = p.design.row(t, 2 * N).reshape(N, 2).T
            yield corner_rows(self.channel, gap * (one - zero).astype(float))

    def explained(self, scores: Sequence[Any], scored: int) -> Labels:
        """The state of so many scored rows behind the scores of the design."""
        if len(scores) != self.parameters.design.M:
            raise InconsistentScores(f"{len(scores)} scores for {self.parameters.design.M} queries")
        gap, rest, centre = self.parameters.gap, self._rest, self.channel.centre
        each = (scored * (exact_score(score) - centre - rest) / gap for score in scores)
        return self.read(np.array([float(one) for one in each]), scored)

    def read(self, y: NDArray[Any], scored: int | None = None) -> Labels:
        """The states behind measurements in gaps, each within the certified error, which grows with the scored rows."""
        design, N, most = self.parameters.design, self.channel.rows, self.channel.scored
        scored = most if scored is None else scored
        # Each measurement is the nearest integer, which the design explains exactly or not at all: nothing else is seen.
        if not (abs(y - np.rint(y)) <= self.tolerance * scored / most).all():
            raise unexplained()
        try:
            one, zero = design.decode(y, 2 * N).reshape(N, 2).T
        except DesignError as fault:
            raise InconsistentScores(str(fault)) from fault
        found = int(one.sum() + zero.sum())
        if found != scored:
            raise InconsistentScores(f"{found} rows are told to be scored, {scored} are")
        labels = np.full(N, NOT_SCORED, dtype=np.int64)
        labels[one == 1], labels[zero == 1] = 1, 0
        return labels

    @cached_property
    def error(self) -> Fraction:
        """The certified error of a sum of charges, if as many rows are scored as can be; rounded up."""
        with working(self.channel.working_bits):
            return upper(design_error(self.channel, self.parameters)) * FLOAT_ROOM

    @cached_property
    def tolerance(self) -> float:
        """The same in gaps."""
        return float(self.error / self.parameters.gap * FLOAT_ROOM)

    @cached_property
    def _rest(self) -> Fraction:
        """What a scored row is charged beside its weight, midway."""
        with working(CONSTANT_BITS):
            return midpoint(rests(self.channel, *weights(self.parameters), (1, 1))) / self.channel.scored


class SplitDesignAttack(_Design, Listed):
    """A known number of rows is scored."""

    def queries(self) -> Iterator[Query]:
        """Those of the design."""
        return self.submissions()

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels of scored rows, and which rows are not."""
        return self.explained(list(scores), self.channel.scored)


class Settling(_Design, Adaptive):
    """The number of scored rows is one of several."""

    def recover(self, score: ScoreFunction) -> Labels:
        """Ask the design, try every number, and settle between those that are left."""
        scores = [score(query) for query in self.submissions()]
        possible = list(self._possible(scores))
        if not possible:
            raise unexplained()
        while len(possible) > 1:
            first, second = _ordered(*possible[:2])
            shown = exact_score(score(self._between(first, second))) - self.channel.centre
            # If the first is right every scored row is at its rest, that of the largest weight.
            alone = abs(shown - self._top) * self.channel.scored <= self.error
            possible = [first if alone else second, *possible[2:]]
        return possible[0]

    def _possible(self, scores: Sequence[Any]) -> Iterator[Labels]:
        for scored in range(self.channel.fewest, self.channel.scored + 1):
            try:
                yield self.explained(scores, scored)
            except InconsistentScores:
                continue

    def _between(self, first: Labels, second: Labels) -> Query:
        """A submission of rows that are cheap for the first state's classes, and dear for the second's where those differ."""
        dear = np.where(first == NOT_SCORED, second, 1 - first)
        most = float(self.parameters.gap * self.parameters.design.seed.amplitude)
        return corner_rows(self.channel, np.where(dear == 0, -most, most))

    @cached_property
    def _top(self) -> Fraction:
        """The rest of a row at the largest weight."""
        with working(CONSTANT_BITS):
            most = weights(self.parameters)[1]
            return midpoint(rests(self.channel, most, most, (1, 1))) / self.channel.scored


def _ordered(first: Labels, second: Labels) -> tuple[Labels, Labels]:
    """Two states such that the second has a row which the first lacks, or has of another class."""
    return (first, second) if ((second != NOT_SCORED) & (second != first)).any() else (second, first)
