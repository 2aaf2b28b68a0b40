"""Brier score of K classes: a row u charges its label k the sum of squared differences, 1 + |u|^2 - 2 u_k.

So two classes are charged 2 (u_k - u_j) apart: linear in the entries, and by 2 at most. scikit-learn halves that for two
classes, where (u - y)^2 is left, and shows it whole for more; halved it is, too, where it is told to (`half_brier`). Below,
s is 1/2 where it is halved, and 1 otherwise. Rows are neutral at 1/K each, with a charge of s (1 - 1/K).

Rows of two groups of classes, m inside and n outside: inside (1 - n d)/K each, outside (1 + m d)/K. That charges those inside
2 s d more, and no entry is negative while |d| <= 1/max(m, n). The squares of such a row add up to 1/K + m n d^2/K.
"""

from __future__ import annotations

from fractions import Fraction
from math import fsum
from typing import TYPE_CHECKING, Any

from flint import arb

from planner.channel.metrics.base import Level
from planner.channel.metrics.brier import FLOAT_UNIT, Brier
from planner.channel.sides import Sides, larger_side, ones_of
from planner.numerics.reals import ball

if TYPE_CHECKING:
    from planner.channel.channel import Channel

# Each is derived in docs/theory/errors.md.
SQUARE_UNITS = 3  # of a squared difference, relative to it: the difference, which counts twice, and its square
NEUTRAL_UNITS = 4  # of a row: entries 1/K that are rounded, and squares that underflow
ENTRY_UNITS = 6  # of a weight: two entries, as they are reckoned and as they are written
STEP_UNITS = 8  # of a weight about its own size: the step, products with it, sums and quotients
ROW_UNITS = 8  # of the attacker's own charge, beside an addition a class
PAID = Fraction(5, 4)  # a row of weight w charges no label more than w PAID above a neutral one
LEVEL_BITS = 46  # a weight of few levels and its charges are off by no more than 64 of 128 units


class ClassesBrier(Brier):
    """The mean of the sum over classes of (u_c - y_c)^2, halved for two classes."""

    def scale(self, classes: int) -> Fraction:
        """s."""
        return Fraction(1, 2) if classes == 2 else Fraction(1)

    def unknown(self, channel: Channel) -> tuple[str, ...]:
        """Two classes in one column, or a column a class: of rows that are divided by their sums nothing is known.

        Nor is it of a secret part of the rows of several classes.
        """
        if channel.classes == 2:
            return super().unknown(channel)
        known = (
            ("columns", channel.columns == channel.classes),
            ("renormalises", not channel.renormalises),
            ("public", not channel.split),
            ("phi", not channel.submission.fixed),
            ("clip", channel.clip is None),
        )
        return tuple(field for field, is_known in known if not is_known)

    # -- charges -------------------------------------------------------------------------------------

    def neutral_charge(self, classes: int) -> arb:
        """s (1 - 1/K)."""
        return ball(self.scale(classes) * (1 - Fraction(1, classes)))

    # -- rows that can be made -----------------------------------------------------------------------

    def reach(self, channel: Channel) -> arb:
        """2 s over the larger side of any question."""
        return self.strength(Fraction(0), channel.classes)

    def class_reach(self, channel: Channel) -> arb:
        """Levels of mean 0 lie at most (K-1)/K of their spread below it, and an entry has 1/K to lose."""
        return ball(2 * self.scale(channel.classes) / (channel.classes - 1))

    def stage_reach(self, channel: Channel, classes: int, digits: int) -> arb:
        """2 s over the larger group, or of levels that may all differ."""
        K = channel.classes
        if classes > 2:
            return self.class_reach(channel)
        sizes = [ones_of(K, digit) for digit in range(digits)]
        return ball(2 * self.scale(K) / max(max(ones, K - ones) for ones in sizes))

    def span(self, channel: Channel) -> arb:
        """2 s, whatever a row's entries sum to, if none lies outside [0, 1]."""
        return ball(2 * self.scale(channel.classes)) if channel.checks else arb.pos_inf()

    def largest_charge(self, channel: Channel, span: arb) -> arb:
        """Entries of 1 for every class but the label's, where rows need not sum to 1."""
        return span if channel.classes == 2 else span * channel.classes / 2

    def largest_loss(self, channel: Channel, span: arb) -> arb:
        """With room for the error of computing it."""
        return 2 * self.largest_charge(channel, span)

    # -- the error of computing a score --------------------------------------------------------------

    def charge_error(self, channel: Channel) -> Fraction | None:
        """Squares, none of them negative, added up class by class."""
        if channel.classes == 2:
            return super().charge_error(channel)
        return (SQUARE_UNITS + channel.classes) * max(channel.submission.unit, channel.scores.unit)

    def prepared(self, channel: Channel) -> Fraction | None:
        """No complement is taken of several columns; 1/K is rounded."""
        return super().prepared(channel) if channel.classes == 2 else NEUTRAL_UNITS * channel.submission.unit

    def moved(self, channel: Channel) -> Fraction | None:
        """The same, whatever is submitted."""
        return self.prepared(channel)

    # -- rows of a design --------------------------------------------------------------------------------

    def mean_loss(self, channel: Channel, largest: arb, spread: arb) -> arb:
        """A row of weight w <= 4 s/K charges w more at most for its entry, and K w^2/(16 s) <= w/4 for its squares."""
        if channel.classes == 2:
            return super().mean_loss(channel, largest, spread)
        return self.neutral_charge(channel.classes) + ball(PAID) * spread / channel.scored

    def heaviest(self, channel: Channel, largest: arb) -> arb:
        """The same of one row."""
        if channel.classes == 2:
            return super().heaviest(channel, largest)
        return self.neutral_charge(channel.classes) + ball(PAID) * largest

    def deviation(self, channel: Channel, largest: arb, spread: arb, classes: int) -> arb:
        """Entries as they are written; of two groups the attacker reckons from midway: either misses by half."""
        if channel.classes == 2:
            return super().deviation(channel, largest, spread, classes)
        unit = FLOAT_UNIT if channel.submission.exact else channel.submission.unit
        missed = ball(unit) * (ENTRY_UNITS * channel.scored + STEP_UNITS * spread)
        return missed / 2 if classes == 2 else missed

    def own_error(self, channel: Channel, largest: arb, spread: arb) -> arb:
        """Squares of all classes, and at last one quotient of the sum, error included, by the gap."""
        if channel.classes == 2:
            return super().own_error(channel, largest, spread)
        return ball(FLOAT_UNIT) * ((ROW_UNITS + channel.classes) * channel.scored + spread + largest)

    def entries(self, xp: Any, charges: Any, inside: int, classes: int, columns: int) -> tuple[Any, Any]:
        """(1 - n d)/K and (1 + m d)/K; what rounding takes below 0 is 0."""
        if classes == 2:
            return super().entries(xp, charges, inside, classes, columns)
        apart = charges / float(2 * self.scale(classes))
        members, others = (1 - (classes - inside) * apart) / classes, (1 + inside * apart) / classes
        return xp.maximum(members, 0.0), xp.maximum(others, 0.0)

    def class_entries(self, xp: Any, step: float, levels: Any) -> Any:
        """1/K, and as much more as a level lies below the mean of its row."""
        classes = levels.shape[1]
        below = (levels.sum(axis=1, keepdims=True) - classes * levels).astype(float)
        return xp.maximum((1 + below * (step / float(2 * self.scale(classes)))) / classes, 0.0)

    def total(self, xp: Any, predictions: Any, rows: Any = None) -> Fraction:
        """The sum of (1 - q)^2 and of the squares of all other entries of a row, q what the label's own class was given."""
        if rows is None or rows.shape[1] == 2:
            return super().total(xp, predictions)
        others = (rows**2).sum(axis=1) - predictions**2
        return self.scale(rows.shape[1]) * Fraction(fsum((1 - predictions) ** 2 + others))

    # -- rows of few levels ---------------------------------------------------------------------------

    def strength(self, small: Fraction, classes: int) -> arb:
        """2 s (1 - K p) over the larger side."""
        return ball(self._strength(small, classes))

    def strength_float(self, small: Fraction, classes: int) -> float:
        """The same as a float64."""
        return float(self._strength(small, classes))

    def _strength(self, small: Fraction, classes: int) -> Fraction:
        return 2 * self.scale(classes) * (1 - classes * small) / larger_side(classes)

    def heaviest_level(self, small: Fraction, classes: int) -> arb:
        """No row that sums to 1 charges more than 2 s."""
        return super().heaviest_level(small, classes) if classes == 2 else ball(2 * self.scale(classes))

    def level(self, weight: float, columns: int, sides: Sides) -> Level:
        """Alike within a side; no sum of squares cancels."""
        K = len(sides)
        if K == 2:
            return super().level(weight, columns, sides)
        ones, scale = sum(sides), float(self.scale(K))
        zeros, apart = K - ones, weight / (2 * scale)
        off, on = max(0.0, (1 - ones * apart) / K), max(0.0, (1 + zeros * apart) / K)
        zero = (1 - off) ** 2 + (zeros - 1) * off**2 + ones * on**2
        one = (1 - on) ** 2 + (ones - 1) * on**2 + zeros * off**2
        return Level(off, on, scale * zero, scale * one)

    def even_charge(self, classes: int) -> float:
        """s (1 - 1/K)."""
        return float(self.scale(classes) * (1 - Fraction(1, classes)))

    def level_step(self, columns: int, small: Fraction) -> arb:
        """A few roundings of numbers below 2."""
        return super().level_step(columns, small) if columns == 1 else arb(2) ** -LEVEL_BITS

    def level_deviation(self, columns: int, small: Fraction, amplitude: int) -> arb:
        """The same."""
        return super().level_deviation(columns, small, amplitude) if columns == 1 else arb(2) ** -LEVEL_BITS


class HalfBrier(ClassesBrier):
    """The same halved, however many classes there are: scikit-learn's `scale_by_half=True`."""

    id = "half_brier"
    title = "half the Brier score"

    def scale(self, classes: int) -> Fraction:
        """1/2."""
        return Fraction(1, 2)


BRIER, HALF_BRIER = ClassesBrier(), HalfBrier()
