"""Rows that weigh the guessed class against all others, and what their score says."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.design.run import CONSTANT_BITS
from planner.attacks.explained import unexplained
from planner.attacks.numbers import idle
from planner.attacks.scores import exact_score
from planner.channel.channel import Channel
from planner.numerics.lockless import cached_property
from planner.numerics.reals import midpoint, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query


class RowsOfGuess:
    """Submissions of weights, row `order[i]` that of position i; rows that are not among them are idle."""

    def __init__(self, channel: Channel, unit: Fraction, guess: Labels, order: NDArray[Any]) -> None:
        self.channel, self.unit, self.order = channel, unit, order
        self.guess = guess[order]

    def submission(self, halves: NDArray[Any]) -> tuple[Query, Fraction]:
        """Rows of so many half units each, and what they charge together where every guess is right; 0 is an idle row."""
        active = np.flatnonzero(halves)
        charges, guess = float(self.unit) * (halves[active] / 2), self.guess[active]
        right, entries = self._two(charges, guess) if self.channel.classes == 2 else self._several(charges, guess)
        query = idle(self.channel, exact=False)
        query[self.order[active]] = entries
        charged = self.channel.metric.total(np, right, entries if entries.ndim == 2 else None)
        return query, (self.channel.scored - len(active)) * self._neutral + charged

    def _two(self, charges: NDArray[Any], guess: Labels) -> tuple[NDArray[Any], NDArray[Any]]:
        """What the guessed class gets as the scorer sees it, and the rows as submitted."""
        signed, columns = np.where(guess == 0, charges, -charges), self.channel.columns
        ones, zeros = map(self._written, self.channel.metric.entries(np, signed, 1, 2, columns))
        if columns == 1:
            return np.where(guess == 0, 1 - ones, ones), ones
        return np.where(guess == 0, zeros, ones), np.stack([zeros, ones], axis=1)

    def _several(self, charges: NDArray[Any], guess: Labels) -> tuple[NDArray[Any], NDArray[Any]]:
        """The same for more classes: all but the guessed one are equal."""
        K = self.channel.classes
        found = self.channel.metric.entries(np, charges, K - 1, K, self.channel.columns)
        others, right = map(self._written, found)
        rows = np.repeat(others[:, None], K, axis=1)
        rows[np.arange(len(rows)), guess] = right
        return right, rows

    def _written(self, entries: NDArray[Any]) -> NDArray[Any]:
        """Predictions in the scorer's own format, or as float64."""
        own = self.channel.submission
        kept: NDArray[Any] = entries.astype(own.text if own.floating else "float64").astype(np.float64)
        return kept

    @cached_property
    def _neutral(self) -> Fraction:
        """The charge of a row that is idle."""
        with working(CONSTANT_BITS):
            return midpoint(self.channel.neutral_charge())

    def measured(self, score: Any, base: Fraction) -> Fraction:
        """The sum of weights over the wrong rows, in units, as the score has it."""
        total = self.channel.scored * (exact_score(score) - self.channel.centre)
        return (total - base) / self.unit


def whole_units(measured: Fraction, tolerance: Fraction) -> int:
    """The nearest integer, if it is as near as the certificate says."""
    answer = round(measured)
    if abs(measured - answer) > tolerance:
        raise unexplained()
    return answer
