"""The pivot: halving, then one row after the other."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import Adaptive
from planner.attacks.explained import unexplained
from planner.attacks.pivot.parameters import Pivot
from planner.attacks.scores import exact_score
from planner.channel.channel import Channel
from planner.channel.metrics.counting import CountingMetric
from planner.numerics.lockless import cached_property
from planner.numerics.reals import upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, ScoreFunction

NO_CLASS = 2  # of two


class PivotAttack(Adaptive):
    """Rows are predicted one class or none; whether that is shown as 0 is all that is asked of a score."""

    def __init__(self, id: str, channel: Channel, parameters: Pivot) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters

    def recover(self, score: ScoreFunction) -> Labels:
        """The labels, or InconsistentScores."""
        rows, asked = self.channel.rows, []

        def above(query: NDArray[Any]) -> bool:
            shown = exact_score(score(query.copy()))
            asked.append((query.copy(), shown))
            return shown != 0

        # Where all rows predicted 0 are shown as none right, those of label 1 are more than half.
        own = 0 if above(np.zeros(rows, dtype=np.int64)) else 1
        low, high = 0, rows  # the first rows of this class are shown as 0, or above
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if above(self._first(middle, own)) else (middle, high)
        labels = np.full(rows, -1, dtype=np.int64)
        labels[low] = own  # the row that made the difference
        for row in range(self.parameters.labels):
            if row != low:
                labels[row] = own if self._is(row, low, own, above) else 1 - own
        self._explain(labels, asked)
        labels[self.parameters.labels :] = -1
        return labels

    def _first(self, count: int, own: int) -> NDArray[Any]:
        """The first rows predicted one class, the others none."""
        query = np.full(self.channel.rows, NO_CLASS, dtype=np.int64)
        query[:count] = own
        return query

    def _is(self, row: int, low: int, own: int, above: Any) -> bool:
        """Whether a row has the class: taken away from the larger of the pair, or added to the smaller."""
        if row < low:
            query = self._first(low + 1, own)
            query[row] = NO_CLASS
            return not above(query)
        query = self._first(low, own)
        query[row] = own
        return bool(above(query))

    def _explain(self, labels: Labels, asked: list[tuple[NDArray[Any], Fraction]]) -> None:
        """Scores are those of the right rows that each submission has; of rows that nobody asked about at most all are."""
        N, unknown = self.channel.scored, labels < 0
        for query, shown in asked:
            right = int((query == labels).sum())
            doubtful = int((unknown & (query != NO_CLASS)).sum())
            seen = shown - self.channel.centre
            if not Fraction(right, N) - self.error <= seen <= Fraction(right + doubtful, N) + self.error:
                raise unexplained()

    @cached_property
    def error(self) -> Fraction:
        """The certified error, rounded up."""
        metric = self.channel.metric
        assert isinstance(metric, CountingMetric)
        with working(self.channel.working_bits):
            return upper(metric.error(self.channel, self.parameters.queries))
