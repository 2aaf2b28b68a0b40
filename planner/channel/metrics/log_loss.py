"""Log-loss: a row charges its label -ln u, u the probability that it gave the label's class.

The weight of a row is its log-odds ln((1-p)/p). The clip bounds it: W = ln((1-c)/c). Rows are neutral at 1/K, with a
charge of ln K. The constants of its errors are derived in docs/theory/errors.md.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, exp, fsum, log, log1p
from typing import TYPE_CHECKING, Any

from flint import arb

from dsl.scenario import Summation
from planner.channel.formats.ieee import SIGNIFICAND, SMALLEST_NORMAL, IeeeFormat
from planner.channel.formats.summation import additions
from planner.channel.metrics.base import Level, Metric
from planner.channel.sides import BINARY, Sides, imbalance, larger_side, ones_of
from planner.numerics.reals import Number, ball, lower, midpoint, upper, upper_end, working

if TYPE_CHECKING:
    from planner.channel.channel import Channel

LOG_ULPS = 4  # assumed accuracy of a scorer's logarithm
WRITTEN_UNITS = 2  # roundoffs of an entry in writing it down
LEAST_MOVED = 4  # roundoffs that limits grant an entry before its logarithm, whatever the scorer does
RATIO_UNITS = 6  # of the ratio of two entries: two exponentials (1 ulp each) and two divisions, in unit roundoffs
WEIGHT_UNITS = 2  # of a weight itself: a step is rounded, multiplied and added to the middle of all weights
EXACT_UNITS = 4  # a complement, 1/K or the row sum of two groups, which an exact scorer does not round
LOG_UNITS = 2  # the attacker's rounding of a mantissa's logarithm, in unit roundoffs of float64
CONSTANT_BITS = 200  # precision of ln 2 in the attacker's constants
FLOAT_BITS = 53
FLOAT_UNIT = Fraction(1, 2**FLOAT_BITS)
LEAST_FLOAT = Fraction(1, 2 ** SMALLEST_NORMAL[64])
UNCLIPPED = Fraction(1, 2**1000)  # the smallest probability used against a scorer that does not clip
LEAST_OFFSET = 1.0  # log-odds: below, the candidates of a bootstrap lie too near each other
STEADY = 700.0  # log-odds whose smaller probability float64 holds to its full precision
STEP_BITS = 50  # log-odds are off by 2^-50: exp, a sum and a quotient, twice as much where p is near 1/2
ROW_BITS = 50  # a row of log-odds w is off by 2^-50 (1 + w): four roundings of w itself, those of exp and a quotient
LARGEST_ODDS = 2**1023  # that a float64 holds
LN2 = log(2)


class LogLoss(Metric):
    """The mean of -ln u."""

    known = True
    weighs = True
    adds = True
    id = "log_loss"
    title = "log-loss"
    nonnegative = True
    logarithmic = True
    cornered = True
    totals = True

    # -- charges -------------------------------------------------------------------------------------

    def neutral_charge(self, classes: int) -> arb:
        """ln K."""
        return ball(classes).log()

    def light(self, p: Fraction) -> arb:
        """-ln(1-p)."""
        return -(ball(1 - p).log())

    def heavy(self, p: Fraction) -> arb:
        """-ln p."""
        return -(ball(p).log())

    def weight(self, p: Fraction) -> arb:
        """ln((1-p)/p)."""
        return (ball(1 - p) / ball(p)).log()

    # -- rows that can be made -----------------------------------------------------------------------

    def reach(self, channel: Channel) -> arb:
        """The log-odds of the smallest probability that the scorer takes as it is."""
        p = _smallest_probability(channel)
        return ((1 - p) / p).log() if p > 0 else arb.pos_inf()

    def class_reach(self, channel: Channel) -> arb:
        """Entries may all be of one size: the largest is above 1/K."""
        p = _smallest_probability(channel)
        return -(p.log()) - ball(channel.classes).log() if p > 0 else arb.pos_inf()

    def stage_reach(self, channel: Channel, classes: int, digits: int) -> arb:
        """What float64 can write and the scorer takes: with n classes on the likelier side ln((1/p - n)/n)."""
        p = ball(LEAST_FLOAT).max(_smallest_probability(channel))
        if channel.classes == 2:
            return ((1 - p) / p).log()
        if classes > 2:
            return -(p.log()) - ball(channel.classes).log()
        sizes = (ones_of(channel.classes, digit) for digit in range(digits))
        larger = max(max(ones, channel.classes - ones) for ones in sizes)
        odds = (1 / p - larger) / larger
        return odds.log() if odds > 0 else arb.neg_inf()

    def span(self, channel: Channel) -> arb:
        """Infinite where a row may show infinity, or charge anything: entries above 1 pass, and nothing moves them."""
        if _may_show_infinity(channel) or not _rows_bounded(channel):
            return arb.pos_inf()
        return _largest_spread(channel)

    def breadth(self, channel: Channel, span: arb) -> arb:
        """Rows of several entries that do not sum to 1 charge up to ln K more, or less, once they are divided by it."""
        return span if channel.classes == 2 else span + ball(channel.classes).log()

    def largest_charge(self, channel: Channel, span: arb) -> arb:
        """A renormalised row of K entries can charge up to ln K more than its spread."""
        return span + ball(channel.classes).log() + 1

    def largest_loss(self, channel: Channel, span: arb) -> arb:
        """The same, where rows are renormalised."""
        return span + 2 + (ball(channel.classes).log() if channel.renormalises else 0)

    def least_loss(self, channel: Channel) -> arb | None:
        """-ln(1-p) >= p, so a row whose prediction stays below 1 - clip charges at least the clip.

        Where predictions of 1 are left alone, because only what is charged is clipped or because 1 - clip is rounded to
        1, a row may be charged nothing, and the least that is left is one row's least step.
        """
        if channel.clip is None:
            return None
        smallest, own = ball(channel.clip), channel.submission
        if isinstance(own, IeeeFormat):
            if channel.clip_of == "prediction" and _largest_prediction(channel.clip, own) < 1:
                return smallest
            return smallest.min(ball(_least_step(channel, own) / (2 * channel.scored)))
        if channel.clip_of == "prediction":
            return smallest
        return ball(Fraction(1, 2 ** (own.fraction_bits + 1) * channel.scored)) if own.fixed else None

    def steadiness(self, channel: Channel) -> tuple[arb, arb] | None:
        """Whoever moves a score pays for it: a row that sums to 1 charges ln K on average, and more if it charges unevenly.

        Entries that are clipped sum to 1 + K c at most. Rows that may have any sum pay the least charge that there is. A row
        that charges m more than its least on average, and x more at most, has a variance of m x (1 - 1/K) at most.
        """
        span = channel.span()
        most = span * (channel.classes - 1) / channel.classes
        if channel.columns > 1 and not (channel.renormalises and channel.checks):
            least = _least_charge(channel)
            return (most / (4 * least), least) if least > 0 else None
        clip = arb(0) if channel.clip is None else ball(channel.clip)
        mean = ball(channel.classes).log() - channel.classes * clip - ball(self.moved(channel) or 0)
        if not mean > 0:
            return None
        if channel.classes > 2:
            return most / mean, mean
        # x^2/ln cosh(x/2) rises with x, so no row has more than the largest for what it charges above ln 2.
        above = span / 2 + (1 + (-span).exp()).log() - arb(2).log()
        return span**2 / (16 * mean * above), mean

    def shows_infinity(self, channel: Channel) -> bool:
        """Fixed point has no infinity: its logarithm takes predictions from the smallest step up, and refuses 0."""
        return channel.clip is None and not (channel.submission.fixed or channel.scores.fixed)

    def prediction(self, channel: Channel, weight: arb) -> Fraction | None:
        """1/(1 + e^w), rounded down to the format."""
        if weight > channel.reach():
            return None
        p = channel.submission.round_down(lower(1 / (1 + weight.exp())))
        return p if p is not None and self.takes(channel, p) else None

    def takes(self, channel: Channel, p: Fraction) -> bool:
        """In the format, and not moved by the clip."""
        if not 0 < p < 1:
            return False
        if channel.clip is not None:
            largest = upper_end(channel.clip)
            if not largest <= p <= 1 - largest:
                return False
        return channel.submission.holds(p)

    def neutral_row(self, channel: Channel) -> tuple[Fraction, ...]:
        """1/K each, or as near to it as a fixed grid comes."""
        if not channel.submission.fixed:
            return (Fraction(1, channel.classes),) * channel.classes
        first, others = _uniform_entries(channel.classes, channel.submission.fraction_bits)
        return (first, *(others,) * (channel.classes - 1))

    def neutral_deviation(self, channel: Channel) -> arb:
        """Nothing, unless 1/K is off a fixed grid."""
        if not channel.submission.fixed:
            return arb(0)
        K = channel.classes
        first, others = _uniform_entries(K, channel.submission.fraction_bits)
        if first == others or not others:
            return arb(0) if others else arb.pos_inf()
        return channel.scored * abs((K * ball(first)).log()).max(abs((K * ball(others)).log()))

    # -- the error of computing a score --------------------------------------------------------------

    def charge_error(self, channel: Channel) -> Fraction | None:
        """The logarithm's ulps, two roundoffs each, in the coarser of both formats: a scorer does not say in which."""
        return 2 * LOG_ULPS * max(channel.submission.unit, channel.scores.unit)

    def prepared(self, channel: Channel) -> Fraction | None:
        """Complements and 1/K are rounded when they are written down, or by the scorer.

        A row that is renormalised is added up and divided, after the attacker's own sum missed 1 by as many roundings.
        """
        return channel.submission.unit * _prepared_units(channel)

    def written(self, channel: Channel) -> Fraction:
        """In one column the scorer itself rounds 1 - p."""
        return Fraction(0) if channel.columns == 1 else channel.submission.unit * WRITTEN_UNITS

    def moved(self, channel: Channel) -> Fraction | None:
        """As much as attacks count, and never less than a few roundoffs."""
        return max(LEAST_MOVED, _prepared_units(channel)) * channel.submission.unit

    # -- rows of a design --------------------------------------------------------------------------------

    def mean_loss(self, channel: Channel, largest: arb, spread: arb) -> arb:
        """A row of spread x charges at most ln K + x.

        Of two classes it charges at most x + ln(1 + e^-x), which is convex: it stays below the chord from 0 to the
        largest spread.
        """
        nothing = ball(channel.classes).log()
        if channel.classes > 2 or not largest > 0:
            return nothing + spread / channel.scored
        heaviest = largest + (1 + (-largest).exp()).log()
        return nothing + spread / channel.scored * (heaviest - nothing) / largest

    def heaviest(self, channel: Channel, largest: arb) -> arb:
        """ln K + x."""
        return ball(channel.classes).log() + largest

    def deviation(self, channel: Channel, largest: arb, spread: arb, classes: int) -> arb:
        """The ratio of two entries misses by units of its own size.

        In one column the complement of a prediction near 1 is off by an absolute amount, which costs exp(x) times as
        much in a row of spread x. Given the sum of the spreads, a convex cost is largest when as many rows as possible
        have the largest.
        """
        exact = not channel.submission.floating
        unit = ball(FLOAT_UNIT if exact else channel.submission.unit)
        ratios = RATIO_UNITS * channel.scored + 2 * spread
        if channel.columns == 1:
            if not _complement_left(unit, largest):
                return arb.pos_inf()
            ratios += channel.scored + spread / largest * largest.exp()
        # Of two groups of classes the attacker reckons from midway between them: either misses by half the difference.
        missed = ratios / 2 if classes == 2 else ratios
        return unit * (missed + _exact_units(channel, classes) * exact * channel.scored)

    def own_error(self, channel: Channel, largest: arb, spread: arb) -> arb:
        """Logarithms of mantissas, and at last one quotient of the sum, error included, by the gap."""
        return ball(FLOAT_UNIT) * (LOG_UNITS * channel.scored + spread + largest)

    def corner_reach(self, channel: Channel, larger: int) -> arb:
        """Of m dear classes and n cheap ones a dear one has e^-w/(n + m e^-w), no less than the smallest probability."""
        p = ball(LEAST_FLOAT).max(_smallest_probability(channel))
        odds = (1 / p - larger) / larger
        return odds.log() if odds > 0 else arb.neg_inf()

    def corner_rest(self, weight: arb, dear: int, cheap: int) -> arb:
        """ln(n + m e^-w), n cheap classes and m dear ones."""
        return (cheap + dear * (-weight).exp()).log()

    def corner_missed(self, channel: Channel, most: arb, either: bool) -> arb:
        """Each charge by units of its entry, and by the roundings of its weight: a step, a product and a sum.

        In one column the smaller side of a prediction near 1 is off by an absolute amount, which costs exp(w) times as
        much. There the cheap class is class 1.
        """
        exact = not channel.submission.floating
        unit = ball(FLOAT_UNIT if exact else channel.submission.unit)
        row = RATIO_UNITS + WEIGHT_UNITS * most + _exact_units(channel, channel.classes) * exact
        if channel.columns == 1 and either:
            if not _complement_left(unit, most):
                return arb.pos_inf()
            row += 1 + most.exp()
        return channel.scored * unit * row

    def entries(self, xp: Any, charges: Any, inside: int, classes: int, columns: int) -> tuple[Any, Any]:
        """Probabilities whose ratio is e^-charge; e^-|charge| is at most 1, so that neither side cancels."""
        outside = classes - inside
        fade = xp.exp(-abs(charges))
        total = xp.where(charges >= 0, outside + inside * fade, outside * fade + inside)
        others, members = xp.where(charges >= 0, 1.0, fade) / total, xp.where(charges >= 0, fade, 1.0) / total
        if columns == 1:
            # The other side of a prediction near 1 is 1 minus it: that difference must be the small side wanted.
            members = xp.where(charges >= 0, members, 1 - others)
        return members, others

    def class_entries(self, xp: Any, step: float, levels: Any) -> Any:
        """Probabilities in the ratios e^-charge; levels are integers: the least is taken off without rounding."""
        grown = xp.exp(-step * (levels - levels.min(axis=1, keepdims=True)).astype(float))
        return xp.asarray(grown / grown.sum(axis=1, keepdims=True))

    def total(self, xp: Any, predictions: Any, rows: Any = None) -> Fraction:
        """The sum of -ln u. Exponents are summed exactly; only the logarithms of mantissas are rounded."""
        mantissas, exponents = xp.frexp(predictions)
        return -int(exponents.sum()) * _ln2() - Fraction(fsum(xp.log(mantissas)))

    def heavy_float(self, small: Fraction) -> float:
        """-ln p."""
        return log(small.denominator) - log(small.numerator)

    # -- rows of few levels ---------------------------------------------------------------------------

    def smallest_usable(self, channel: Channel) -> Fraction | None:
        """With one column 1 - p is a float64, too."""
        least = Fraction(0) if channel.clip is None else upper(ball(channel.clip))
        if channel.columns == 1:
            steps = max(1, -(-least.numerator * 2**FLOAT_BITS // least.denominator))
            found = Fraction(steps, 2**FLOAT_BITS)
        else:
            found = max(UNCLIPPED, _float_above(least))
        return found if found < Fraction(1, 2 * channel.classes) else None

    def strength(self, small: Fraction, classes: int) -> arb:
        """ln of the odds between the sides."""
        return ball(_odds(small, classes)).log()

    def strength_float(self, small: Fraction, classes: int) -> float:
        """The same as a float64, to two roundings; odds that no float64 holds are not used."""
        odds = _odds(small, classes)
        if odds <= 0:
            return 0.0
        return log(odds) if odds < LARGEST_ODDS else log(odds.numerator) - log(odds.denominator)

    def small_for(self, weight: float) -> Fraction:
        """Below 1/(1 + e^w)."""
        return Fraction(1, ceil(exp(weight)) + 2)

    def offset_prediction(self, channel: Channel, small: Fraction, deviation: float) -> Fraction:
        """A power of two, so that 1 - p is a float64, too; with one column p is off by the grid near 1."""
        steady = STEADY
        if channel.columns == 1:
            steady = -log(2.0**-FLOAT_BITS / deviation) if deviation > 0 else 0.0
        return _power_of_two_near(min(-log(small), steady), small)

    def least_offset(self, classes: int) -> float:
        """More, where one side has more classes."""
        return LEAST_OFFSET + log(imbalance(classes))

    def payment(self, w: float, own: int, other: int) -> float:
        """ln(own + other e^w)."""
        return w + log(other) + log1p(own / other * exp(-w))

    def saving(self, w: float) -> float:
        """ln(1 + e^-w)."""
        return _softplus(-w)

    def slope(self, w: float, own: int, other: int) -> float:
        """1/(1 + own/other e^-w)."""
        return 1 / (1 + own / other * exp(-w))

    def payment_range(self, least: arb, most: arb, ratio: Fraction) -> arb:
        """ln((r + e^most)/(r + e^least))."""
        share = ball(ratio)
        return ((share + most.exp()) / (share + least.exp())).log()

    def payment_range_float(self, least: float, most: float, ratio: float) -> float:
        """The same as a float64."""
        return (most + log1p(ratio * exp(-most))) - (least + log1p(ratio * exp(-least)))

    def level(self, weight: float, columns: int, sides: Sides) -> Level:
        """Encoded on its small side: the smaller probability is computed directly, and its complement from it.

        With one column a prediction near 1 lies on the grid of 2^-53, so 1 - u is not the p that was wanted; charges are
        those of the p that was realised.
        """
        if len(sides) > len(BINARY):
            return _side_level(weight, sides)
        if weight == 0:
            return Level(0.5, 0.5, LN2, LN2)
        odds = exp(-abs(weight))
        small = odds / (1 + odds)
        if columns == 1 and weight > 0:
            small = 1 - (1 - small)  # what is left of p once 1 - p is a float64; the outer difference is exact
        high, low = -log(small), -log1p(-small)
        return Level(small, 1 - small, high, low) if weight > 0 else Level(1 - small, small, low, high)

    def even_charge(self, classes: int) -> float:
        """ln K."""
        return log(classes)

    def level_step(self, columns: int, small: Fraction) -> arb:
        """A few roundings; with one column a step of 2^-53 beside the smaller probability."""
        relative = arb(2) ** -STEP_BITS
        return relative + arb(2) ** -FLOAT_BITS / ball(small) if columns == 1 else relative

    def level_deviation(self, columns: int, small: Fraction, amplitude: int) -> arb:
        """The largest multiple is on the grid, the others near it.

        With one column a prediction near 1 is a multiple of 2^-53; everything else is off by a few roundings.
        """
        weight, on_grid = self.weight(small), (small * 2**FLOAT_BITS).denominator == 1
        rounding = arb(2) ** -ROW_BITS * (1 + weight)
        if columns > 1 or (amplitude == 1 and on_grid):
            return rounding
        closest = (-(weight * (amplitude - 1) / amplitude)).exp() / 2 if on_grid else ball(small) / 2
        return rounding + arb(2) ** -FLOAT_BITS / ball(lower(closest))

    def steady_multiple(self, columns: int, weight: float) -> float:
        """2^-52 e^w in one column."""
        return 2.0**-52 * exp(weight) if columns == 1 and weight > 0 else 0.0


# -- the scorer's bounds -----------------------------------------------------------------------------------


def _smallest_probability(channel: Channel) -> arb:
    """The smallest probability that the scorer takes as it is; 0: there is none."""
    clip = arb(0) if channel.clip is None else ball(channel.clip)
    return clip.max(ball(channel.submission.least() or 0))


def _may_show_infinity(channel: Channel) -> bool:
    """Whether it cannot be excluded: a clip that the format rounds or flushes to 0, at either end, clips nothing.

    In one column the other end is 1 - clip: where that rounds to 1, its complement is 0.
    """
    own = channel.submission
    if channel.clip is None or not isinstance(own, IeeeFormat) or channel.clip_of == "logarithm":
        return LOG_LOSS.shows_infinity(channel)
    if not ball(channel.clip) >= ball(Fraction(1, 2 ** SMALLEST_NORMAL[own.value.bits])):
        return True
    return channel.columns == 1 and channel.clip_of == "prediction" and _largest_prediction(channel.clip, own) == 1


def _rows_bounded(channel: Channel) -> bool:
    """Whether nothing outside [0, 1] is charged: it is refused, or moved into the range of a two-sided clip."""
    return channel.checks or (channel.clip is not None and channel.clip_of == "prediction")


def _largest_spread(channel: Channel) -> arb:
    """No two charges of one row are farther apart, where nothing outside [0, 1] is charged and none is infinite."""
    own = channel.submission
    if channel.clip is None:
        least = own.least()
        assert least is not None, "only a fixed grid bounds what is not clipped"
        # Entries of several columns need not sum to 1: one may be 1 itself.
        p = ball(least)
        return ((1 - p) / p).log() if channel.columns == 1 else own.fraction_bits * arb(2).log()
    if not isinstance(own, IeeeFormat):
        # A prediction of 0 is moved to the clip itself, even where that lies below a fixed grid's step. Where only
        # what is charged is kept away from 0, a prediction of 1 stays 1.
        largest = 1 - ball(channel.clip) if channel.clip_of == "prediction" else arb(1)
        return (largest / ball(channel.clip)).log()
    # The scorer's own bounds are floats: 1 - clip is rounded to the grid near 1, clip itself relatively.
    low = ball(channel.clip) * (1 - ball(own.unit))
    top = _largest_prediction(channel.clip, own)
    if top < 1:
        low = low.min(ball(1 - top))
    return (1 / low).log()


def _largest_prediction(clip: Number, own: IeeeFormat) -> Fraction:
    """1 - clip as the format holds it: rounded to the nearest float below 1, where floats are multiples of its unit."""
    exact = 1 - (Fraction(clip) if isinstance(clip, int | Fraction) else clip.lo)
    return Fraction(round(exact * 2**own.significand), 2**own.significand)


def _least_charge(channel: Channel) -> arb:
    """What every row charges at least, whatever it says: -ln(1-c) >= c, where predictions are kept below 1 - c."""
    own = channel.submission
    if channel.clip is None or channel.clip_of != "prediction":
        return arb(0)
    return ball(1 - _largest_prediction(channel.clip, own)) if isinstance(own, IeeeFormat) else ball(channel.clip)


def _least_step(channel: Channel, own: IeeeFormat) -> Fraction:
    """The least charge above 0 of a row: that of the float below 1, or of log1p of the least float that there is."""
    if channel.clip_of == "logarithm":
        return Fraction(1, 2 ** (SMALLEST_NORMAL[own.value.bits] + SIGNIFICAND[own.value.bits]))
    return own.unit


def _prepared_units(channel: Channel) -> int:
    """Unit roundoffs that an entry may lose before its logarithm is taken."""
    sums = 2 * additions(channel.classes, channel.summation) + 3 if channel.renormalises else 0
    return WRITTEN_UNITS + sums


def _complement_left(unit: arb, weight: arb) -> bool:
    """Whether rounding a prediction near 1 leaves at least half of its complement 1/(1 + e^w).

    Only then its logarithm is off by no more than twice what the complement is off, as a share; if nothing is left, by any
    amount.
    """
    return bool(unit * (1 + weight.exp()) <= 1)


def _exact_units(channel: Channel, classes: int) -> int:
    """What an exact scorer does not round as the attacker does; where rows are renormalised, sums of many classes."""
    summed = channel.renormalises and classes > 2
    return EXACT_UNITS + (additions(channel.classes, Summation.PAIRWISE) if summed else 0)


# -- numbers -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _uniform_entries(classes: int, bits: int) -> tuple[Fraction, Fraction]:
    """What class 0 and what any other class gets of a uniform row on a grid of 2^-bits."""
    least = Fraction(2**bits // classes, 2**bits)
    return 1 - (classes - 1) * least, least


@lru_cache(maxsize=1)
def _ln2() -> Fraction:
    with working(CONSTANT_BITS):
        return midpoint(arb(2).log())


def _softplus(w: float) -> float:
    """ln(1 + e^w)."""
    return w + log1p(exp(-w)) if w > 0 else log1p(exp(w))


def _odds(small: Fraction, classes: int) -> Fraction:
    """e^W: with n classes on the likelier side and m on the other, the smaller probability is 1/(m + n e^w)."""
    n = larger_side(classes)
    return (1 / small - n) / n


def _float_above(value: Fraction) -> Fraction:
    """The next float64 at or above a positive number."""
    if not value:
        return value
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if value < Fraction(2) ** exponent:
        exponent -= 1
    scale = Fraction(2) ** (FLOAT_BITS - 1 - exponent)
    return ceil(value * scale) / scale


def _power_of_two_near(reach: float, least: Fraction) -> Fraction:
    """A power of two near e^-reach, but neither below it nor below `least`."""
    exponent = max(1, int(reach / LN2))
    found = Fraction(1, 2**exponent)
    while found < least:
        found *= 2
    return found


def _side_level(weight: float, sides: Sides) -> Level:
    """The prediction of several classes, alike within a side."""
    ones = sum(sides)
    zeros = len(sides) - ones
    if weight >= 0:
        on = 1 / (ones + zeros * exp(-weight))
        off = exp(-weight) * on
    else:
        off = 1 / (zeros + ones * exp(weight))
        on = exp(weight) * off
    return Level(off, on, -log(off), -log(on))


LOG_LOSS = LogLoss()
