"""Averages on a secret part: one transform, and the nearest of three states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import NOT_SCORED, InconsistentScores, Listed
from planner.attacks.explained import FLOAT_ROOM, unexplained
from planner.attacks.scores import sums_of
from planner.attacks.split_labels.run import CONSTANT_BITS, corner_rows
from planner.attacks.split_mean.certify import explained
from planner.attacks.split_mean.parameters import SplitMean
from planner.channel.channel import Channel
from planner.designs.popcounts import characters
from planner.numerics.lockless import cached_property
from planner.numerics.reals import ball, midpoint, upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query


class MeansAttack(Listed):
    """All rows at full weight, their sides by the rows of Sylvester's matrix."""

    def __init__(self, id: str, channel: Channel, parameters: SplitMean) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters

    def queries(self) -> Iterator[Query]:
        """Row by row of the matrix, each as often as it is repeated."""
        p = self.parameters
        for t in range(p.order):
            signs = characters(t, p.order)[: self.channel.rows]
            query = corner_rows(self.channel, float(p.weight) * signs.astype(float))
            for _ in range(p.repeats):
                yield query

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels of scored rows, and which rows are not."""
        p, n = self.parameters, self.channel.scored
        known, half = self._known, p.weight / 2
        sums = [float((one - known) / half) for one in sums_of(self.channel, scores, p.queries)]
        means = np.array(sums).reshape(p.order, p.repeats).mean(axis=1)
        states = np.rint(transformed(means)[: self.channel.rows] / p.order)
        if (abs(states) > 1).any() or int(abs(states).sum()) != n:
            raise InconsistentScores(f"{int(abs(states).sum())} rows are told to be scored, {n} are")
        again = transformed(np.pad(states, (0, p.order - len(states))))
        if (abs(means - again) > float(self.error / half)).any():
            raise unexplained()
        labels = np.full(len(states), NOT_SCORED, dtype=np.int64)
        labels[states == 1], labels[states == -1] = 1, 0
        return labels

    @cached_property
    def error(self) -> Fraction:
        """How far a sum of charges may be from what states predict, rounded up."""
        with working(self.channel.working_bits):
            return self.channel.scored * upper(explained(self.channel, self.parameters)) * FLOAT_ROOM

    @cached_property
    def _known(self) -> Fraction:
        """What scored rows charge together but for their class: half the weight, and the rest."""
        weight = ball(self.parameters.weight)
        with working(CONSTANT_BITS):
            return midpoint(self.channel.scored * (weight / 2 + self.channel.metric.corner_rest(weight, 1, 1)))


def transformed(values: NDArray[Any]) -> NDArray[Any]:
    """Sylvester's matrix times a vector, in n log n additions."""
    found, stride = values.astype(float), 1
    while stride < len(found):
        pairs = found.reshape(-1, 2, stride)
        found = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).ravel()
        stride *= 2
    return found
