"""The attack on labels of a secret part: "scored, and with this digit?" is a binary question about every row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import UNKNOWN, InconsistentScores, Listed
from planner.attacks.corners import digits_of, rests
from planner.attacks.explained import FLOAT_ROOM, unexplained
from planner.attacks.scores import sums_of
from planner.attacks.split_labels.certify import labels_error
from planner.attacks.split_labels.parameters import SplitLabels
from planner.channel.channel import Channel
from planner.channel.sides import BINARY, Sides, sides_of
from planner.designs.base import DesignError
from planner.numerics.lockless import cached_property
from planner.numerics.reals import ball, midpoint, upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query

AGAIN_ROUNDED = 2.0**-51  # a measurement of labels as float64: the integer, the unit and their product are rounded
CONSTANT_BITS = 200  # precision of the rests in the attacker's constants


class SplitLabelsAttack(Listed):
    """Digit by digit of the class: one query counts, the others are those of the design."""

    def __init__(self, id: str, channel: Channel, parameters: SplitLabels) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters

    def queries(self) -> Iterator[Query]:
        """The query that counts first."""
        p, N = self.parameters, self.channel.rows
        step = float(p.gap * p.design.unit)
        for digit in range(p.digits):
            dear = sides_of(self.channel.classes, digit)
            yield corner_rows(self.channel, np.full(N, float(p.most)), dear)
            for t in range(p.design.M):
                weights = np.full(N, float(p.centre))
                weights[: p.labels] += step * p.design.row(t, p.labels).astype(float)
                yield corner_rows(self.channel, weights, dear)

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The class of every row, if it is scored: rows that are not read like rows of class 0."""
        p, each = self.parameters, self.parameters.design.M + 1
        sums = sums_of(self.channel, scores, p.queries)
        found = np.zeros(p.labels, dtype=np.int64)
        for digit in range(p.digits):
            found += self._digit(digit, sums[digit * each : (digit + 1) * each]) << digit
        if (found >= self.channel.classes).any():
            raise InconsistentScores("the scores tell a class that does not exist")
        labels = np.full(self.channel.rows, UNKNOWN, dtype=np.int64)
        labels[: p.labels] = found
        return labels

    def _digit(self, digit: int, sums: Sequence[Fraction]) -> NDArray[Any]:
        """1 for rows that are scored and have the digit."""
        p, base = self.parameters, self._rests(digit)
        ones = self.count(sums[0] - base)
        found = self.read(np.array([float((one - base - ones * p.centre) / p.gap) for one in sums[1:]]))
        told = int(found.sum())
        if told > ones or (p.labels == self.channel.rows and told < ones):
            raise InconsistentScores(f"{told} rows are told to be scored and dear, {ones} were counted")
        return found

    def count(self, total: Fraction) -> int:
        """How many rows are scored and dear, from the sum of the query that counts, less the rests."""
        ones = round(total / self.parameters.most)
        if abs(total - ones * self.parameters.most) > self.error or not 0 <= ones <= self.channel.scored:
            raise unexplained()
        return ones

    def read(self, y: NDArray[Any]) -> NDArray[Any]:
        """The design's labels from measurements in gaps, each within the certified error."""
        design = self.parameters.design
        try:
            labels = design.decode(y, self.parameters.labels)
        except DesignError as fault:
            raise InconsistentScores(str(fault)) from fault
        # What labels predict of a query is their design's measurement: comparing those is encoding the labels again.
        again = design.scores(labels).astype(float) * float(design.unit)
        if (abs(y - again) > self.tolerance + AGAIN_ROUNDED * abs(again)).any():
            raise unexplained()
        return labels.astype(np.int64)

    @cached_property
    def error(self) -> Fraction:
        """The certified error of a sum of charges, rounded up."""
        with working(self.channel.working_bits):
            return upper(labels_error(self.channel, self.parameters)) * FLOAT_ROOM

    @cached_property
    def tolerance(self) -> float:
        """The same in gaps."""
        return float(self.error / self.parameters.gap * FLOAT_ROOM)

    def _rests(self, digit: int) -> Fraction:
        p = self.parameters
        with working(CONSTANT_BITS):
            return midpoint(rests(self.channel, ball(p.least), ball(p.most), digits_of(self.channel)[digit]))


def corner_rows(channel: Channel, weights: NDArray[Any], dear: Sides = BINARY) -> Query:
    """A submission of corner rows; a negative weight changes the sides."""
    K = channel.classes
    high, low = channel.metric.entries(np, weights, sum(dear), K, channel.columns)
    # The scorer's own format; an exact scorer sees float64.
    own = channel.submission.text if channel.submission.floating else "float64"
    rows = high if channel.columns == 1 else np.where(np.array(dear), high[:, None], low[:, None])
    written: Query = rows.astype(own).astype(np.float64)
    return written
