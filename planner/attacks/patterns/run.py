"""Patterns below a Ladder's level, run: the rows of a level take one pattern after the other until the board falls."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from dsl.scenario import LadderOf
from planner.attacks.attack import Adaptive, InconsistentScores
from planner.attacks.numbers import idle, is_float, prediction_array
from planner.attacks.patterns.certify import climb, shown_within
from planner.attacks.patterns.parameters import Patterns
from planner.attacks.scores import exact_score
from planner.channel.channel import Channel
from planner.numerics.reals import working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, ScoreFunction


class PatternsAttack(Adaptive):
    """Known rows and a few new ones are sure, the others idle; what the board shows is one of two levels at any time."""

    def __init__(self, id: str, channel: Channel, parameters: Patterns) -> None:
        self.id, self.channel, self.parameters = id, channel, parameters
        sides = (1 - parameters.doubt, parameters.doubt)  # of a row labelled 0 and 1, for class 0
        self.exact = channel.submission.exact and not all(is_float(one) for one in sides)
        self._rows = [self._row(1 - one) for one in sides]
        release = channel.release
        assert isinstance(release, LadderOf)
        assert release.start is not None
        with working(channel.working_bits):
            steps = climb(channel, parameters).steps
        self._levels = [release.start.hi, *(one * release.eta.lo for one in steps)]
        self._within = shown_within(channel)

    def recover(self, score: ScoreFunction) -> Labels:
        """Level after level, until as many labels are known as were promised."""
        labels, level = np.full(self.channel.rows, -1, dtype=np.int64), 0
        known, wanted = 0, self.parameters.labels
        while known < wanted:
            sure = self.parameters.sure[level]
            new = max(sure - known, min(sure, 1))
            *tried, last = product((1, 0), repeat=new) if new else ((), ())
            for pattern in tried:
                if self._fell(score(self._query(labels, sure - new, known, pattern)), level):
                    found, level = pattern, level + 1
                    break
            else:
                found = self._unasked(last, new)
            labels[known : known + new] = found
            known += new
        return labels

    def _unasked(self, last: tuple[int, ...], new: int) -> tuple[int, ...]:
        """The pattern that is left; but a query of known rows alone must be shown."""
        if not new:
            raise InconsistentScores("the board does not fall for a score that beats it")
        return last

    def _query(self, labels: Labels, kept: int, known: int, pattern: tuple[int, ...]) -> Any:
        """`kept` of the known rows, and new ones by their pattern."""
        query = idle(self.channel, exact=self.exact)
        for row, label in self._sure(labels, kept, known, pattern):
            query[row] = self._rows[label]
        return query

    @staticmethod
    def _sure(labels: Labels, kept: int, known: int, pattern: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        yield from ((row, int(labels[row])) for row in range(kept))
        yield from ((known + place, label) for place, label in enumerate(pattern))

    def _row(self, p: Fraction) -> Any:
        """What a row of the submission holds, p for class 1."""
        if self.channel.columns == 1:
            return prediction_array([p], exact=self.exact)[0]
        return prediction_array([1 - p, p], exact=self.exact)

    def _fell(self, shown: Any, level: int) -> bool:
        """Whether the board shows the next level, and not the one that it stood at; anything else is no such board."""
        value = exact_score(shown) - self.channel.centre
        here, below = (abs(value - one) <= self._within for one in self._levels[level : level + 2])
        if here == below:
            raise InconsistentScores("what the board shows is neither the level that it stood at nor the next")
        return below
