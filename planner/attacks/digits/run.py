"""Digit attacks: rows of K levels, read from the largest row down with exact integers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb

from planner.attacks.attack import Listed
from planner.attacks.digits.certify import smallest_step
from planner.attacks.digits.parameters import DigitBlock
from planner.attacks.explained import Allowance
from planner.attacks.inequalities import widening
from planner.attacks.numbers import idle, is_float, prediction_array
from planner.attacks.scores import sums_of
from planner.channel.channel import Channel
from planner.channel.errors import Errors
from planner.numerics.lockless import cached_property
from planner.numerics.reals import ball, lower, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query

GUARD_BITS = 48  # the decoder's integers resolve the margin this finely


class DigitAttack(Listed):
    """One submission a block of labels; each score is read digit by digit."""

    def __init__(self, id: str, channel: Channel, parameters: DigitBlock) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters
        self.exact = not all(is_float(p) for row in (*parameters.rows, *self._idle_rows()) for p in row)

    def _idle_rows(self) -> tuple[tuple[Fraction, ...], ...]:
        """Idle rows whose entries are submitted just as they are written."""
        return () if self.channel.submission.floating else (self.channel.metric.neutral_row(self.channel),)

    def _idle(self) -> Query:
        """A submission of idle rows."""
        return idle(self.channel, exact=self.exact)

    def _idle_charge(self) -> arb:
        """What each of them is charged."""
        return self.channel.neutral_charge()

    def _away(self) -> arb:
        """By how much they may be charged more or less, all together."""
        return self.channel.metric.neutral_deviation(self.channel)

    def queries(self) -> Iterator[Query]:
        """One submission a block of labels."""
        rows = [prediction_array(row, exact=self.exact) for row in self.parameters.rows]
        for block in range(self.parameters.queries):
            query = self._idle()
            start, stop = self._span(block)
            for i in range(start, stop):
                query[i] = rows[i - start]
            yield query

    def _span(self, block: int) -> tuple[int, int]:
        start = block * self.parameters.m
        return start, min(start + self.parameters.m, self.parameters.labels)

    @cached_property
    def errors(self) -> Errors:
        """The errors that the attack was certified for."""
        return self.channel.errors(self.parameters.queries)

    def _loss(self) -> arb:
        """The largest loss that a query can show."""
        rows = self.parameters.rows
        worst = sum((-(ball(row[-1]).log()) for row in rows), arb(0))
        return ((self.channel.scored - len(rows)) * self._idle_charge() + worst) / self.channel.scored

    def _error(self) -> arb:
        """E, as it was certified."""
        return self.errors.sum_error(self._loss())

    @cached_property
    def scale(self) -> int:
        """Binary digits after the point of the decoder's integers: its rounding takes next to nothing of the margin."""
        with working(256 + self.channel.working_bits + 8 * self.parameters.m):
            step = smallest_step(self.parameters.rows)
            kept = widening(self.channel, self.parameters.tilted) * (step - 2 * self._away())
            error = self._error()
            margin = kept - 2 * error
            usable = lower((margin if margin > 0 else step).min(error if error > 0 else step))
        return max(0, GUARD_BITS + usable.denominator.bit_length() - usable.numerator.bit_length())

    @cached_property
    def charges(self) -> list[list[int]]:
        """-ln u[i,k] of the active rows, scaled to integers."""
        with working(self.scale + 64 + self.channel.rows.bit_length()):
            return [[self._integer(-(ball(p).log())) for p in row] for row in self.parameters.rows]

    def _integer(self, value: arb) -> int:
        return int((value * arb(2) ** self.scale).mid().floor().unique_fmpz())

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels, or InconsistentScores."""
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        left, predicted = np.empty((2, self.parameters.queries), dtype=object)
        for block, total in enumerate(sums_of(self.channel, scores, self.parameters.queries)):
            start, stop = self._span(block)
            whole = (total.numerator << self.scale) // total.denominator
            labels[start:stop], left[block] = self._read(whole, stop - start)
            predicted[block] = whole - left[block]
        # Two charges a row, the idle rows and the sum lose less than a unit each in being rounded down.
        self._allowance.require(left, predicted, self.scale, 2 * self.parameters.m + 2)
        return labels

    def _read(self, total: int, active: int) -> tuple[list[int], int]:
        """The digits of one sum, largest row first, and what they leave of it."""
        with working(self.scale + 64 + self.channel.rows.bit_length()):
            base = self._integer((self.channel.scored - active) * self._idle_charge())
        charges = self.charges[:active]
        least = sum(row[0] for row in charges)
        low = sum(row[-1] - row[0] for row in charges)
        rest = total - base - least
        digits = [0] * active
        for i in range(active - 1, -1, -1):
            levels = [value - charges[i][0] for value in charges[i]]
            low -= levels[-1]
            digits[i] = sum(
                rest > self._threshold(levels[k], levels[k + 1], low) for k in range(self.channel.classes - 1)
            )
            rest -= levels[digits[i]]
        return digits, rest

    def _threshold(self, below: int, above: int, low: int) -> int:
        """Midway between the largest sum of one class and the smallest of the next, as noise may show them."""
        tilt = self.channel.law.tilt * (above - below - low)
        return int((below + low + above - tilt) / 2) if tilt else (below + low + above) // 2

    @cached_property
    def _allowance(self) -> Allowance:
        with working(self.scale + 64 + self.channel.rows.bit_length()):
            away = self._away()
            gap = widening(self.channel, self.parameters.tilted) * (smallest_step(self.parameters.rows) - 2 * away)
            return self._allowed(gap, away)

    def _allowed(self, gap: arb, away: arb) -> Allowance:
        return Allowance.certified(self.channel, self.errors, self._loss(), gap, away)
