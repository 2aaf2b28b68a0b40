"""Log-loss: a row charges -ln u, u what it gave the label's class; weights are log-odds, and the clip bounds them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from threatplan.verify.formats import FLOAT64, LEAST_NORMAL, SIGNIFICAND, holds
from threatplan.verify.intervals import (
    INFINITY,
    MINUS_INFINITY,
    ZERO,
    Interval,
    exp,
    larger,
    log,
    power_of_two,
    real,
    smaller,
)
from threatplan.verify.metrics.base import Metric
from threatplan.verify.sides import odds, sizes
from threatplan.verify.summation import pairwise_additions

if TYPE_CHECKING:
    from threatplan.verify.channel import Channel

LOGARITHM_ROUNDINGS = 8  # a logarithm right to 4 units in the last place is off by 8 unit roundoffs
WRITTEN_ROUNDINGS = 2
LEAST_MOVED = 4  # roundings of an entry that limits grant any scorer
RATIO_ROUNDINGS = 6  # exp and two divisions between the entries of a row
WEIGHT_ROUNDINGS = 2  # of a weight: the step, its multiple and the sum with the middle weight
EXACT_ROUNDINGS = 4  # of a complement, 1/K or the row sum of two groups, which an exact scorer does not make
OWN_ROUNDINGS = 2  # of the attacker's logarithm of a mantissa
LEAST_OFFSET = 1.0  # log-odds from which offset rows start


class LogLoss(Metric):
    """The mean of -ln u."""

    name = "log_loss"
    logarithmic = True
    cornered = True
    clips = True

    def knows(self, c: Channel) -> bool:
        """Every channel that this checker reads."""
        return True

    # -- charges -----------------------------------------------------------------------------------------

    def even(self, classes: int) -> Interval:
        """ln K."""
        return log(classes)

    def light(self, p: Fraction) -> Interval:
        """-ln(1-p)."""
        return -log(1 - p)

    def heavy(self, p: Fraction) -> Interval:
        """-ln p."""
        return -log(p)

    def weight(self, p: Fraction) -> Interval:
        """ln((1-p)/p)."""
        return log(real(1 - p) / real(p))

    # -- rows --------------------------------------------------------------------------------------------

    def lists(self, p: Fraction) -> bool:
        """Neither 0 nor 1: a logarithm would be infinite."""
        return 0 < p < 1

    def carries(self, c: Channel, p: Fraction) -> bool:
        """Within the clip, and on the format's grid."""
        if not 0 < p < 1 or (c.clip is not None and not c.clip.hi <= p <= 1 - c.clip.hi):
            return False
        return holds(c.precision, p)

    def reach(self, c: Channel) -> Interval:
        """The log-odds of the smallest probability."""
        p = _floor(c)
        return INFINITY if p is None else log((1 - p) / p)

    def stage_reach(self, c: Channel, classes: int, digits: int) -> Interval:
        """Rows of two groups of classes, or of classes each with its own level."""
        floor, least = _floor(c), power_of_two(-1022)
        p = least if floor is None else larger(least, floor)
        if c.K == 2:
            return log((1 - p) / p)
        if classes > 2:
            return -log(p) - log(c.K)
        group = max(max(pair) for pair in [*sizes(c.K), (0, c.K)][:digits])
        ratio = (1 / p - group) / group
        return log(ratio) if ratio > 0 else MINUS_INFINITY

    def span(self, c: Channel) -> Interval | None:
        """Within [0, 1], where nothing shows as infinity."""
        two_sided = c.clip is not None and c.clip_of == "prediction"
        return None if _may_show_infinity(c) or not (c.checks or two_sided) else _spread(c)

    def breadth(self, c: Channel, span: Interval) -> Interval | None:
        """Dividing a row of many classes by its sum moves all of its charges by up to ln K."""
        return span + log(c.K) if c.K > 2 else span

    def largest_charge(self, c: Channel, span: Interval) -> Interval:
        """Renormalised rows charge up to ln K more than their spread."""
        return span + log(c.K) + 1

    def largest_loss(self, c: Channel, span: Interval) -> Interval:
        """The same, where rows are renormalised."""
        return span + 2 + (log(c.K) if c.renormalises else 0)

    def least_loss(self, c: Channel) -> Interval | None:
        """-ln(1-p) >= p, or one row's least step where a prediction of 1 stays 1."""
        if c.clip is None:
            return None
        two_sided = c.clip_of == "prediction"
        if two_sided and not (c.ieee and _largest_prediction(c) == 1):
            return c.clip.interval
        if c.fixed:
            return real(Fraction(1, 2 ** (int(c.precision.fraction_bits) + 1) * c.scored))
        if not c.ieee:
            return None
        bits = int(c.precision.bits)
        least = Fraction(1, 2 ** (SIGNIFICAND[bits] - LEAST_NORMAL[bits])) if c.clip_of == "logarithm" else c.unit
        return smaller(c.clip.interval, real(least / (2 * c.scored)))

    def steadiness(self, c: Channel) -> tuple[Interval, Interval] | None:
        """What a score may vary for what it has to charge.

        Of K charges from a to a + x whose mean is m the squares are largest with one of them at a + x, or with as many as m
        allows: their variance is (m - a) x (1 - 1/K) at most. Rows that need not sum to 1 have a at the least charge that
        the clip leaves, and (m - a)/m^2 is 1/(4 a) at most. Rows that sum to 1 + Kc at most have an m of ln K - Kc at
        least, and m/m^2 is 1 over it. Of two classes whose charges are x apart m is ln(2 cosh(x/2)) and the variance
        x^2/4: the largest row has most of it for what m has above ln 2, and (m - ln 2)/m^2 is 1/(4 ln 2) at most.
        """
        x = c.reach_limit()
        if x is None:
            return None
        most = x * Fraction(c.K - 1, c.K)
        if c.columns > 1 and not (c.renormalises and c.checks):
            least = _least_of_a_row(c)
            return None if least is None else (most / (4 * least), least)
        mean = log(c.K) - (ZERO if c.clip is None else c.K * c.clip.interval) - self.moved(c)
        if not mean > 0:
            return None
        if c.K > 2:
            return most / mean, mean
        largest = log((exp(x / 2) + exp(-x / 2)) / 2)
        return x * x / 4 / largest / (4 * mean), mean

    def shows_infinity(self, c: Channel) -> bool:
        """A prediction of 0 for the true class, where nothing keeps it from 0."""
        return c.clip is None and not c.fixed and not c.fixed_scores

    # -- errors ------------------------------------------------------------------------------------------

    def computed(self, c: Channel) -> Fraction:
        """Logarithms may be taken before or after a prediction is widened: in the coarser of both formats."""
        return LOGARITHM_ROUNDINGS * max(c.unit, c.score_unit)

    def prepared(self, c: Channel) -> Fraction:
        """An entry is written down, and where rows are renormalised summed and divided."""
        return _prepared_roundings(c) * c.unit

    def moved(self, c: Channel) -> Fraction:
        """No less than a few roundings."""
        return max(LEAST_MOVED, _prepared_roundings(c)) * c.unit

    def written(self, c: Channel) -> Fraction:
        """In one column the scorer itself makes the complement."""
        return WRITTEN_ROUNDINGS * c.unit if c.ieee and c.columns > 1 else Fraction(0)

    # -- rows of a design ----------------------------------------------------------------------------------

    def mean_loss(self, c: Channel, largest: Interval, spread: Interval) -> Interval:
        """x + ln(1 + e^-x) for two classes, below its chord; else ln K + x."""
        nothing = log(c.K)
        if c.K > 2 or not largest > 0:
            return nothing + spread / c.N
        heaviest = largest + log(1 + exp(-largest))
        return nothing + spread / c.N * (heaviest - nothing) / largest

    def heaviest(self, c: Channel, largest: Interval) -> Interval:
        """ln K + x."""
        return log(c.K) + largest

    def missed(self, c: Channel, largest: Interval, spread: Interval, classes: int) -> Interval:
        """Ratios by roundings, small entries by absolute steps.

        An absolute step costs exp(x) times as much in a row of spread x, at most as if as many rows as can be had the
        largest spread.
        """
        spent = c.N + spread / largest * exp(largest)
        if c.fixed:
            step = power_of_two(-int(c.precision.fraction_bits))
            return 2 * step * c.K * (c.N + spent)
        unit = c.unit if c.ieee else FLOAT64
        ratios = RATIO_ROUNDINGS * c.N + 2 * spread
        if c.columns == 1:
            ratios = ratios + (spent if _half_left(unit, largest) else INFINITY)
        missed = ratios / 2 if classes == 2 else ratios
        if c.ieee:
            return unit * missed
        # What the attacker loses in adding up the entries of many classes an exact scorer finds when it renormalises.
        summed = pairwise_additions(c.K) if c.renormalises and classes > 2 else 0
        return unit * (missed + (EXACT_ROUNDINGS + summed) * c.N)

    def own(self, c: Channel, largest: Interval, spread: Interval) -> Interval:
        """Logarithms of mantissas, and a quotient by the gap."""
        return FLOAT64 * (OWN_ROUNDINGS * c.N + spread + largest)

    # -- corner rows ---------------------------------------------------------------------------------------

    def corner_reach(self, c: Channel, larger_part: int) -> Interval:
        """The smallest probability over the other's, with as many classes on either side as may be."""
        floor, least = _floor(c), power_of_two(-1022)
        p = least if floor is None else larger(least, floor)
        odds_ = (1 / p - larger_part) / larger_part
        return log(odds_) if odds_ > 0 else MINUS_INFINITY

    def corner_rest(self, weight: Interval, dear: int, cheap: int) -> Interval:
        """What normalising costs every label of the row."""
        return log(cheap + dear * exp(-weight))

    def corner_missed(self, c: Channel, most: Interval, either: bool) -> Interval:
        """Entries by roundings of their own, weights by two roundings of theirs, a prediction near 1 by a step."""
        unit = c.unit if c.ieee else FLOAT64
        row = RATIO_ROUNDINGS + WEIGHT_ROUNDINGS * most
        if not c.ieee:
            row = row + EXACT_ROUNDINGS + (pairwise_additions(c.K) if c.renormalises and c.K > 2 else 0)
        if c.columns == 1 and either:
            row = row + (1 + exp(most) if _half_left(unit, most) else INFINITY)
        return c.scored * unit * row

    # -- rows of a few levels ------------------------------------------------------------------------------

    def usable(self, small: Fraction, classes: int) -> bool:
        """Odds above 0."""
        return 0 < small < 1 and odds(small, classes) > 0

    def strength(self, small: Fraction, classes: int) -> Interval:
        """The log-odds between two sides of the classes."""
        return log(odds(small, classes))

    def float_strength(self, small: Fraction, classes: int) -> float:
        """Numerator and denominator apart, where no float64 holds their quotient."""
        ratio = odds(small, classes)
        return math.log(ratio) if ratio < 2**1023 else math.log(ratio.numerator) - math.log(ratio.denominator)

    def step(self, columns: int, small: Fraction) -> Interval:
        """In one column an absolute step near 1."""
        step = power_of_two(-50)
        return step + power_of_two(-53) / small if columns == 1 else step

    def multiple(self, columns: int, small: Fraction, amplitude: int) -> Interval:
        """In one column 1 - p is a multiple of 2^-53."""
        weight = self.weight(small)
        rounding = power_of_two(-50) * (1 + weight)
        on_grid = (small * 2**53).denominator == 1
        if columns > 1 or (amplitude == 1 and on_grid):
            return rounding
        closest = exp(-(weight * (amplitude - 1) / amplitude)) / 2 if on_grid else real(small / 2)
        return rounding + power_of_two(-53) / closest.low

    def payment_range(self, least: Interval, most: Interval, ratio: Fraction) -> Interval:
        """ln((r + e^most)/(r + e^least))."""
        return log((ratio + exp(most)) / (ratio + exp(least)))

    def float_payment_range(self, least: float, most: float, ratio: float) -> float:
        """The same."""
        return (most + math.log1p(ratio * math.exp(-most))) - (least + math.log1p(ratio * math.exp(-least)))

    def float_even(self, classes: int) -> float:
        """ln K."""
        return math.log(classes)

    def float_payment(self, w: float) -> float:
        """ln(1 + e^w)."""
        return w + math.log1p(math.exp(-w)) if w > 0 else math.log1p(math.exp(w))

    def realised(self, w: float, columns: int, sign: int) -> float:
        """In one column what is left of p once 1 - p is a float64."""
        ratio = math.exp(-w)
        small = ratio / (1 + ratio)
        return 1 - (1 - small) if columns == 1 and sign > 0 else small


# -- rows of many classes, for families that only log-loss has --------------------------------------------


def class_reach(c: Channel) -> Interval:
    """W for rows of K classes whose entries may all be of one size."""
    p = _floor(c)
    return INFINITY if p is None else -log(p) - log(c.K)


def idle_deviation(c: Channel) -> Interval:
    """By how much idle rows can move a sum: nothing, unless 1/K is off a fixed grid."""
    if not c.fixed:
        return ZERO
    steps = 2 ** int(c.precision.fraction_bits)
    least = Fraction(steps // c.K, steps)
    most = 1 - (c.K - 1) * least
    if not least:
        return INFINITY
    if most == least:
        return ZERO
    return c.N * larger(abs(log(c.K * most)), abs(log(c.K * least)))


# -- the scorer's bounds -----------------------------------------------------------------------------------


def _prepared_roundings(c: Channel) -> int:
    return WRITTEN_ROUNDINGS + (2 * c.additions(c.K) + 3 if c.renormalises else 0)


def _floor(c: Channel) -> Interval | None:
    """The smallest probability that reaches the logarithm as it was submitted; None: there is none."""
    floors = [] if c.clip is None else [c.clip.interval]
    if c.fixed:
        floors.append(power_of_two(-c.precision.fraction_bits))
    if c.ieee:
        floors.append(power_of_two(LEAST_NORMAL[c.precision.bits]))
    return larger(*floors) if floors else None


def _may_show_infinity(c: Channel) -> bool:
    """Whether an infinite score cannot be excluded: a clip that the format rounds to 0 at either end is none."""
    if c.clip is None or not c.ieee or c.clip_of == "logarithm":
        return LOG_LOSS.shows_infinity(c)
    if c.clip.lo < Fraction(1, 2 ** -LEAST_NORMAL[c.precision.bits]):
        return True
    return c.columns == 1 and c.clip_of == "prediction" and _largest_prediction(c) == 1


def _largest_prediction(c: Channel) -> Fraction:
    """1 - clip, rounded to the format."""
    assert c.clip is not None
    digits = 2 ** SIGNIFICAND[c.precision.bits]
    return Fraction(round((1 - c.clip.lo) * digits), digits)


def _least_of_a_row(c: Channel) -> Interval | None:
    """What any row charges at least, where predictions are kept away from 1."""
    if c.clip is None or c.clip_of != "prediction":
        return None
    if not c.ieee:
        return c.clip.interval
    left = 1 - _largest_prediction(c)
    return real(left) if left > 0 else None


def _half_left(unit: Interval | Fraction, weight: Interval) -> bool:
    """Whether 1 minus a rounded prediction keeps half of 1/(1 + e^w): ln is off by twice its share there, not beyond."""
    return bool(unit * (1 + exp(weight)) <= 1)


def _spread(c: Channel) -> Interval:
    """The most that two charges of one row differ by, within [0, 1]."""
    if c.clip is None:
        grid = int(c.precision.fraction_bits)
        return c.reach() if c.columns == 1 else grid * log(2)
    low = c.clip.interval
    if not c.ieee:
        return log((1 - low) / low) if c.clip_of == "prediction" else -log(low)
    low, top = low * (1 - c.unit), _largest_prediction(c)
    return -log(smaller(low, real(1 - top)) if top < 1 else low)


LOG_LOSS = LogLoss()
