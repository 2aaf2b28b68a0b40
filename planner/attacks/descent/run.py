"""The descent, run: weaken a block of rows, read off the board which of them are wrong, and put these right."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from dsl.scenario import LadderOf
from planner.attacks.attack import Adaptive, InconsistentScores
from planner.attacks.descent.certify import falls, rises, shown_within
from planner.attacks.descent.parameters import Descent
from planner.attacks.explained import unexplained
from planner.attacks.numbers import idle, is_float, prediction_array
from planner.attacks.scores import exact_score
from planner.channel.channel import Channel
from planner.numerics.reals import midpoint, upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, ScoreFunction

DECODE_BITS = 256  # beyond the channel's own: what constants lose is nothing beside any error or gap
SPARE = Fraction(1, 2**60)  # relative, by which an exact score that is read to finitely many digits may be off


class DescentAttack(Adaptive):
    """A block of rows a query, and one query to begin with. All sums are exact numbers."""

    def __init__(self, id: str, channel: Channel, parameters: Descent) -> None:
        self.id, self.channel, self.parameters = id, channel, parameters
        sides = (parameters.doubt, 1 - parameters.doubt)
        entries = (*sides, *parameters.weaker, *(1 - one for one in parameters.weaker if channel.columns > 1))
        self.exact = channel.submission.exact and not all(is_float(one) for one in entries)
        self._rows = [self._row(one) for one in (*sides, *parameters.weaker)]
        metric = channel.metric
        with working(DECODE_BITS + channel.working_bits):
            self._falls = [midpoint(one) for one in falls(channel, parameters)]
            self._rises = [midpoint(one) for one in rises(channel, parameters)]
            self._weight = midpoint(metric.weight(parameters.doubt))
            rest = (channel.scored - parameters.labels) * channel.neutral_charge()
            self._right = midpoint(parameters.labels * metric.light(parameters.doubt) + rest)
            self._within = upper(shown_within(channel, parameters))

    def recover(self, score: ScoreFunction) -> Labels:
        """Block after block; what is shown must fall, or stay, and be explained by what was found."""
        n, m = self.parameters.labels, self.parameters.m
        query = idle(self.channel, exact=self.exact)
        query[:n] = self._rows[0]
        seen = [score(query.copy())]
        total = self._first(seen[0])
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        for start in range(0, n, m):
            block = range(start, min(start + m, n))
            for place, row in enumerate(block):
                query[row] = self._rows[2 + place]
            seen.append(score(query.copy()))
            if seen[-1] > seen[-2]:
                raise InconsistentScores("what the board shows has risen: it is none that only falls")
            wrong = self._read(total, seen[-1], len(block)) if seen[-1] < seen[-2] else [0] * len(block)
            for row, one in zip(block, wrong, strict=True):
                labels[row], query[row] = one, self._rows[one]
            total -= sum(wrong) * self._weight
        self._explain(labels[:n].tolist(), seen)
        return labels

    def _row(self, p: Fraction) -> Any:
        """What a row of the submission holds."""
        if self.channel.columns == 1:
            return prediction_array([p], exact=self.exact)[0]
        return prediction_array([1 - p, p], exact=self.exact)

    def _sum(self, shown: Any) -> Fraction:
        return self.channel.scored * (exact_score(shown) - self.channel.centre)

    def _first(self, shown: Any) -> Fraction:
        """The sum of charges at first: as many rows are wrong as what is shown is nearest to."""
        total = self._sum(shown)
        wrong = round((total - self._right) / self._weight)
        found = self._right + wrong * self._weight
        if not 0 <= wrong <= self.parameters.labels or abs(total - found) > self._allowed(total):
            raise unexplained()
        return found

    def _read(self, before: Fraction, shown: Any, size: int) -> list[int]:
        """Which rows of a block are wrong, the one that weighs most first."""
        total = self._sum(shown)
        rest = before + sum(self._rises[:size]) - total
        low, wrong = sum(self._falls[:size], Fraction(0)), [0] * size
        for place in reversed(range(size)):
            low -= self._falls[place]
            if 2 * rest > low + self._falls[place]:
                wrong[place], rest = 1, rest - self._falls[place]
        if abs(rest) > self._allowed(total):
            raise unexplained()
        return wrong

    def _allowed(self, total: Fraction) -> Fraction:
        return self._within + SPARE * abs(total)

    def _explain(self, labels: list[int], seen: list[Any]) -> None:
        """What a board with these labels shows is what was seen: to its error, or on a Ladder to a step."""
        channel, m = self.channel, self.parameters.m
        release, wrong = channel.released, sum(labels)
        ladder = isinstance(channel.release, LadderOf)
        allowed = self._within / channel.scored
        if ladder:  # a score at the very edge of a step may be taken either way
            allowed += release.eta / 2  # type: ignore[attr-defined]
        state, total = release.start(), self._right + wrong * self._weight
        for number, value in enumerate(seen):
            block = labels[(number - 1) * m : number * m] if number else []
            asked = total + sum(self._rises[: len(block)])
            asked -= sum(fall for fall, one in zip(self._falls, block, strict=False) if one)
            state, model = release.step(state, asked / channel.scored)
            missed = abs(exact_score(value) - channel.centre - Fraction(model))
            if missed > allowed + SPARE * abs(Fraction(model)):
                raise InconsistentScores("the labels found do not explain what the board showed")
            total -= sum(block) * self._weight
