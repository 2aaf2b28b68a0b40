"""Rows one by one in the room that a first score buys, run."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.attacks.attack import Adaptive, InconsistentScores
from planner.attacks.groups.certify import MET
from planner.attacks.lean import leaning_at
from planner.attacks.room.certify import error
from planner.attacks.room.parameters import Room
from planner.attacks.rungs import Rungs
from planner.channel.channel import Channel
from planner.numerics.reals import lower, upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, ScoreFunction


class RoomAttack(Adaptive):
    """The rows that are not asked stand at sides that coins chose, and lean as each comparison needs it."""

    def __init__(self, id: str, channel: Channel, parameters: Room) -> None:
        self.id, self.channel, self.parameters = id, channel, parameters
        coins = np.random.default_rng(parameters.seed)
        self._sides = coins.integers(0, 2, channel.rows)
        self._strongest = 1 - parameters.doubt

    def recover(self, score: ScoreFunction) -> Labels:
        """The first score, the count, then a label a query."""
        n, rungs = self.parameters.labels, Rungs(self.channel)
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        rungs.fell(score(self._submission(self._strongest, labels, 0, None)), by_one=False)
        wrong = self._count(score, rungs)
        for row in range(n):
            sure = self._fewest(rungs, row)
            lean = self._lean(rungs, wrong, sure)
            side = int(self._sides[row])
            fell = rungs.fell(score(self._submission(lean, labels, sure - 1, row)), by_one=True)
            labels[row] = side if fell else 1 - side
        return labels

    def _count(self, score: ScoreFunction, rungs: Rungs) -> int:
        """Of the numbers that explain the first score, the least for which the board falls."""
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        for wrong in self._candidates(rungs):
            if rungs.fell(score(self._submission(self._lean(rungs, wrong, 0), labels, 0, None)), by_one=True):
                return wrong
        raise InconsistentScores("no number of wrong sides explains the first score")

    def _candidates(self, rungs: Rungs) -> range:
        p, metric, rows = self.parameters, self.channel.metric, self.channel.rows
        with working(self.channel.working_bits):
            right = p.labels * self.channel.neutral_charge() + (rows - p.labels) * metric.light(p.doubt)
            half, weight = rows * rungs.eta / 2 + upper(error(self.channel, p)), lower(metric.weight(p.doubt))
            above = lower(right)
        middle = rungs.edge + rows * rungs.eta - above
        few, many = ceil((middle - half) / weight), floor((middle + half) / weight)
        return range(max(few, 0), min(many, rows - p.labels) + 1)

    def _fewest(self, rungs: Rungs, known: int) -> int:
        """The least number of sure rows, the one that is asked among them, that puts a sum below the target."""
        p = self.parameters
        with working(self.channel.working_bits):
            half, light = lower(self.channel.neutral_charge()), upper(self.channel.metric.light(p.doubt))
        needed = (self.channel.rows * half - (rungs.edge - p.below)) / (half - light)
        return min(max(ceil(needed), 1), known + 1)

    def _lean(self, rungs: Rungs, wrong: int, sure: int) -> Fraction:
        p, metric, channel = self.parameters, self.channel.metric, self.channel
        others = channel.rows - p.labels
        with working(channel.working_bits):
            fixed = sure * metric.light(p.doubt) + (p.labels - sure) * channel.neutral_charge()

            def total(q: Fraction) -> Any:
                return others * metric.light(1 - q) + wrong * metric.weight(1 - q) + fixed

            return leaning_at(total, rungs.edge - p.below, Fraction(1, 2), self._strongest, p.below * MET)

    def _submission(self, lean: Fraction, labels: Labels, kept: int, asked: int | None) -> Any:
        """Rows that lean, `kept` known ones and the one that is asked; the others at 1/2."""
        p = self.parameters
        values = np.full(self.channel.rows, 0.5)
        sides = self._sides.copy()
        values[p.labels :] = float(lean)
        values[:kept] = float(self._strongest)
        sides[:kept] = labels[:kept]
        if asked is not None:
            values[asked] = float(self._strongest)
        ones = np.where(sides == 1, values, 1 - values)
        return ones if self.channel.columns == 1 else np.column_stack([1 - ones, ones])
