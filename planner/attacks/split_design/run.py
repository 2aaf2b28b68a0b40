"""The design for labels and split: integers of three states, read component by component."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import NOT_SCORED, InconsistentScores, Listed
from planner.attacks.corners import rests
from planner.attacks.explained import FLOAT_ROOM, unexplained
from planner.attacks.scores import sums_of
from planner.attacks.split_design.certify import design_error, weights
from planner.attacks.split_design.parameters import SplitDesign
from planner.attacks.split_labels.run import CONSTANT_BITS, corner_rows
from planner.channel.channel import Channel
from planner.designs.base import DesignError
from planner.numerics.lockless import cached_property
from planner.numerics.reals import midpoint, upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query


class SplitDesignAttack(Listed):
    """All rows in every query; the decoder is the design's own transform."""

    def __init__(self, id: str, channel: Channel, parameters: SplitDesign) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters

    def queries(self) -> Iterator[Query]:
        """Row by row of the design: of a row's two columns one is 0, the other the integer of the class that is dear."""
        p, N, gap = self.parameters, self.channel.rows, float(self.parameters.gap)
        for t in range(p.design.M):
            one, zero = p.design.row(t, 2 * N).reshape(N, 2).T
            yield corner_rows(self.channel, gap * (one - zero).astype(float))

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels of scored rows, and which rows are not."""
        gap = self.parameters.gap
        sums = sums_of(self.channel, scores, self.parameters.queries)
        return self.read(np.array([float((one - self._rests) / gap) for one in sums]))

    def read(self, y: NDArray[Any]) -> Labels:
        """The states behind measurements in gaps, each within the certified error."""
        design, N = self.parameters.design, self.channel.rows
        # Each measurement is the nearest integer, which the design explains exactly or not at all: nothing else is seen.
        if not (abs(y - np.rint(y)) <= self.tolerance).all():
            raise unexplained()
        try:
            one, zero = design.decode(y, 2 * N).reshape(N, 2).T
        except DesignError as fault:
            raise InconsistentScores(str(fault)) from fault
        found = int(one.sum() + zero.sum())
        if found != self.channel.scored:
            raise InconsistentScores(f"{found} rows are told to be scored, {self.channel.scored} are")
        labels = np.full(N, NOT_SCORED, dtype=np.int64)
        labels[one == 1], labels[zero == 1] = 1, 0
        return labels

    @cached_property
    def tolerance(self) -> float:
        """The certified error in gaps, rounded up."""
        with working(self.channel.working_bits):
            return float(upper(design_error(self.channel, self.parameters)) / self.parameters.gap * FLOAT_ROOM)

    @cached_property
    def _rests(self) -> Fraction:
        with working(CONSTANT_BITS):
            return midpoint(rests(self.channel, *weights(self.parameters)))
