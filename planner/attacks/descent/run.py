"""The descent, run: turn a row, and keep it if the board falls."""

from __future__ import annotations

from math import log, log1p
from typing import TYPE_CHECKING, Any

import numpy as np

from dsl.scenario import LadderOf
from planner.attacks.attack import Adaptive, InconsistentScores
from planner.attacks.descent.parameters import Descent
from planner.attacks.numbers import idle, is_float, prediction_array
from planner.channel.channel import Channel

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query, ScoreFunction

SPARE = 1e-6  # relative, of scores that are reckoned here in floats


class DescentAttack(Adaptive):
    """One row a query, and one to begin with."""

    def __init__(self, id: str, channel: Channel, parameters: Descent) -> None:
        self.id, self.channel, self.parameters = id, channel, parameters
        self.exact = not all(is_float(one) for one in (parameters.doubt, 1 - parameters.doubt))
        self._sides = prediction_array([parameters.doubt, 1 - parameters.doubt], exact=self.exact)

    def recover(self, score: ScoreFunction) -> Labels:
        """Turn each row once; what is shown must fall, or stay."""
        n = self.parameters.labels
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        labels[:n] = 0
        query = idle(self.channel, exact=self.exact)
        for row in range(n):
            self._turn(query, row, 0)
        seen = [score(query.copy())]
        for row in range(n):
            self._turn(query, row, 1)
            seen.append(score(query.copy()))
            if seen[-1] > seen[-2]:
                raise InconsistentScores("what the board shows has risen: it is none that only falls")
            labels[row] = int(seen[-1] < seen[-2])
            if not labels[row]:
                self._turn(query, row, 0)
        self._explain(labels[:n], seen)
        return labels

    def _turn(self, query: Query, row: int, side: int) -> None:
        if self.channel.columns == 1:
            query[row] = self._sides[side]
        else:
            query[row] = self._sides[[1 - side, side]]

    def _explain(self, labels: Labels, seen: list[Any]) -> None:
        """What a board with these labels shows is what was seen, to a step or to the digits."""
        p, N, n = float(self.parameters.doubt), self.channel.rows, len(labels)
        light, heavy, rest = -log1p(-p), -log(p), (N - n) * log(2)
        release, wrong = self.channel.released, int(labels.sum())
        unit = float(self.channel.digits.unit or 0)
        step = float(release.eta) if isinstance(self.channel.release, LadderOf) else 0.0  # type: ignore[attr-defined]
        state, right = release.start(), 0
        for number, value in enumerate(seen):
            turned = number > 0 and not labels[number - 1]
            right += number > 0 and bool(labels[number - 1])
            missed = wrong - right + turned
            state, model = release.step(state, (missed * heavy + (n - missed) * light + rest) / N)
            if abs(float(value) - float(model)) > 1.01 * (step + unit) + SPARE * (1 + float(model)):
                raise InconsistentScores("the labels found do not explain what the board showed")
