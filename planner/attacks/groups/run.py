"""Groups below a Ladder's level, run: wrong guesses are counted, then groups without a fault are found."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.attacks.attack import Adaptive, InconsistentScores, Informed, WorseGuess
from planner.attacks.groups.certify import MET
from planner.attacks.groups.parameters import Groups
from planner.attacks.lean import leaning_at
from planner.attacks.rungs import Rungs
from planner.channel.channel import Channel
from planner.numerics.reals import working

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.attacks.attack import Labels, ScoreFunction


class GroupsAttack(Informed, Adaptive):
    """The board's edge is met from below by rows that lean as they must."""

    def __init__(self, id: str, channel: Channel, parameters: Groups) -> None:
        super().__init__(channel)
        self.id, self.parameters = id, parameters

    def recover(self, score: ScoreFunction) -> Labels:
        """Count, then group after group until as many are without a fault as were promised."""
        p, rungs = self.parameters, Rungs(self.channel)
        wrong = self._count(score, rungs)
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        known = np.zeros(self.channel.rows, dtype=bool)
        for start in range(0, (p.falls + p.radius) * p.size, p.size):
            if int(known.sum()) >= p.falls * p.size:
                break
            tried = known.copy()
            tried[start : start + p.size] = True
            if rungs.fell(score(self._query(tried, wrong, rungs)), by_one=True):
                known = tried
        if int(known.sum()) < p.falls * p.size:
            raise InconsistentScores("more groups have a fault than guesses were counted as wrong")
        labels[known] = self.guess[known]
        return labels

    def _count(self, score: ScoreFunction, rungs: Rungs) -> int:
        nobody = np.zeros(self.channel.rows, dtype=bool)
        for wrong in range(self.parameters.radius + 1):
            if rungs.fell(score(self._query(nobody, wrong, rungs, counting=True)), by_one=False):
                return wrong
        raise WorseGuess(self.parameters.radius + 1, self.parameters.radius, or_more=True)

    def _query(self, sure: NDArray[Any], wrong: int, rungs: Rungs, counting: bool = False) -> Any:
        """Sure rows by their guess, all others leaning so that the sum with so many wrong ones is T below the edge."""
        p, metric, rows, held = self.parameters, self.channel.metric, self.channel.rows, int(sure.sum())
        with working(self.channel.working_bits):
            fixed = held * metric.light(p.doubt)

            def total(q: Fraction) -> Any:  # the doubt of a leaning row is 1 - q
                return (rows - held) * metric.light(1 - q) + wrong * metric.weight(1 - q) + fixed

            low = Fraction(1, 2) if counting else p.lean
            lean = leaning_at(total, rungs.edge - p.below, low, 1 - p.lean, p.below * MET)
        values = np.where(sure, float(1 - p.doubt), float(lean))
        ones = np.where(self.guess == 1, values, 1 - values)
        return ones if self.channel.columns == 1 else np.column_stack([1 - ones, ones])
