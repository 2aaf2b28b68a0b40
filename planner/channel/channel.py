"""The score channel: all that the mathematics needs to know of a scenario.

Row i of a submission charges t_i(k) = -ln u[i,k]; the reported score is the mean charge of the true labels plus
an error. Two figures decide almost everything: W, the largest difference of charges that one row can make, and
E, the largest error of the *sum* of charges. Attacks use what can surely be reached (`reach`) and errors rounded
up; impossibility proofs use what can at most be reached (`reach_limit`) and errors rounded down.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Literal

from flint import arb

from dsl.scenario import (
    Arbitrary,
    Decimals,
    FixedPoint,
    Gaussian,
    Ieee,
    Laplace,
    Multiplicative,
    Noise,
    NoNoise,
    Precision,
    Scenario,
    Shown,
    Significant,
    Subexponential,
    Summation,
    Time,
    Truncated,
    Uniform,
)
from planner.channel.formats.summation import BLOCK, REMAINDER, additions, pairwise_depth
from planner.channel.noises import noise_bound, noise_centre, noise_size, unbounded
from planner.numerics.lockless import cached_property
from planner.numerics.reals import Number, ball, per_precision

SIGNIFICAND = {16: 11, 32: 24, 64: 53}  # bits, the hidden one included
UNIT_ROUNDOFF = {bits: Fraction(1, 2**digits) for bits, digits in SIGNIFICAND.items()}
SMALLEST_NORMAL = {16: 14, 32: 126, 64: 1022}  # 2^-this
LARGEST = {16: 2**16 - 2**5, 32: 2**128 - 2**104, 64: 2**1024 - 2**971}  # finite
LOG_ULPS = 4  # assumed accuracy of a scorer's logarithm
WRITTEN_UNITS = 2  # roundoffs of an entry in writing it down
SPARE_BITS = 64  # of a fixed grid finer than any attack needs
USED_BITS = 1024  # of a finer grid, or of more digits: a plan takes no more, and writes its rows out in half a second
ClipOf = Literal["prediction", "charged", "logarithm"]  # a prediction, the probability charged, its logarithm


@dataclass(frozen=True)
class Channel:
    """A scenario as the mathematics sees it."""

    N: int
    K: int
    columns: int
    precision: Precision  # of predictions, until their logarithms are taken
    score_precision: Precision  # of charges as they are added up, and of the score
    clip: Number | None
    renormalises: bool
    summation: Summation
    shown: Shown
    noise: Noise
    budget: int | None
    time: Time
    adaptive: bool
    target: int  # labels that must come out right
    delta: Fraction  # admissible probability of failure
    clip_of: ClipOf = "prediction"  # what the scorer keeps away from 0
    checks: bool = True  # predictions outside [0, 1] are refused
    lines: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
    sources: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    scenario: Scenario | None = field(default=None, compare=False, repr=False)  # that it was made of, for its scorer

    @property
    def exact_scores(self) -> bool:
        """Whether a score is an exact real number: arbitrary precision, no noise, shown in full."""
        exact = isinstance(self.precision, Arbitrary) and isinstance(self.score_precision, Arbitrary)
        return exact and isinstance(self.noise, NoNoise) and self.shown is None

    @property
    def unknown(self) -> tuple[str, ...]:
        """The fields whose values the mathematics has no word for: nothing is promised under them, nothing excluded.

        Predictions and scores in formats of two kinds are such values: no arithmetic is known that mixes them.
        """
        known = (
            ("phi", isinstance(self.precision, Precision)),
            ("score_phi", type(self.score_precision) is type(self.precision)),
            ("noise", isinstance(self.noise, Noise)),
            ("decimals", isinstance(self.shown, Shown)),
            ("summation", isinstance(self.summation, Summation)),
        )
        return tuple(field for field, is_known in known if not is_known)

    @property
    def formats(self) -> tuple[Precision, Precision]:
        """The formats of predictions and of scores."""
        return self.precision, self.score_precision

    @property
    def random(self) -> bool:
        """Whether the noise is random and independent from query to query."""
        return isinstance(self.noise, Uniform | Gaussian | Laplace | Subexponential)

    @property
    def can_return_infinity(self) -> bool:
        """Whether a prediction of exactly 0 for the true class shows as an infinite score.

        Fixed point has no infinity: its logarithm takes predictions from the smallest step up, and refuses 0.
        """
        return self.clip is None and not any(isinstance(one, FixedPoint) for one in self.formats)

    @property
    def may_return_infinity(self) -> bool:
        """Whether it cannot be excluded: a clip that the format rounds or flushes to 0, at either end, clips nothing.

        In one column the other end is 1 - clip: where that rounds to 1, its complement is 0.
        """
        if self.clip is None or not isinstance(self.precision, Ieee) or self.clip_of == "logarithm":
            return self.can_return_infinity
        if not ball(self.clip) >= ball(Fraction(1, 2 ** SMALLEST_NORMAL[self.precision.bits])):
            return True
        return self.columns == 1 and self.clip_of == "prediction" and self.largest_prediction(self.precision) == 1

    def largest_prediction(self, precision: Ieee) -> Fraction:
        """1 - clip as the format holds it."""
        assert self.clip is not None
        return _rounded_complement(self.clip, SIGNIFICAND[precision.bits])

    @property
    def centre(self) -> Fraction:
        """What an attacker subtracts from every score: where noise is centred, less half of what is cut off."""
        cut = Fraction(1, 2 * 10**self.shown.digits) if isinstance(self.shown, Truncated) else Fraction(0)
        return noise_centre(self.noise) - cut

    @property
    def noise_name(self) -> str:
        """The noise as the language calls it."""
        return "none" if isinstance(self.noise, NoNoise) else type(self.noise).__name__.lower()

    @property
    def wrong_allowed(self) -> int:
        """How many labels may come out wrong."""
        return self.N - self.target

    def useful_bits(self, precision: FixedPoint) -> int:
        """How fine a grid attacks use at most: it tells all labels by powers of two, with room to spare."""
        return min(precision.fraction_bits, self.target + 2 * self.N.bit_length() + SPARE_BITS, USED_BITS)

    @property
    def working_bits(self) -> int:
        """A precision at which the finest step of the scores that an attack uses is far from drowning in rounding."""
        fraction = max(self.useful_bits(one) if isinstance(one, FixedPoint) else 0 for one in self.formats)
        digits = (
            min(4 * self.shown.digits, USED_BITS) if isinstance(self.shown, Decimals | Truncated | Significant) else 0
        )
        return 128 + fraction + digits + self.N.bit_length()

    @per_precision
    def smallest_probability(self) -> arb | None:
        """The smallest probability that the scorer takes as it is; None: there is none."""
        floors = [ball(self.clip)] if self.clip is not None else []
        if isinstance(self.precision, FixedPoint):
            floors.append(arb(2) ** -self.precision.fraction_bits)
        if isinstance(self.precision, Ieee):
            floors.append(ball(Fraction(1, 2 ** SMALLEST_NORMAL[self.precision.bits])))
        return _largest(floors)

    @per_precision
    def reach(self) -> arb | None:
        """W for attacks: a log-odds that a two-class row surely realises; None: as large as one likes."""
        p = self.smallest_probability()
        return None if p is None else ((1 - p) / p).log()

    @per_precision
    def class_reach(self) -> arb | None:
        """The largest spread of charges in a row of K classes whose entries may all be of one size."""
        p = self.smallest_probability()
        return None if p is None else -(p.log()) - ball(self.K).log()

    @property
    def rows_bounded(self) -> bool:
        """Whether nothing outside [0, 1] is charged: it is refused, or moved into the range of a two-sided clip."""
        return self.checks or (self.clip is not None and self.clip_of == "prediction")

    @per_precision
    def reach_limit(self) -> arb | None:
        """W for impossibility proofs: no row can do more. None: a row can do anything, or show infinity."""
        if self.unknown or self.may_return_infinity or not self.rows_bounded:
            return None
        spread = self._largest_spread()
        # A renormalised row of K entries can charge up to ln K more than its spread.
        if self.sum_overflows(spread + ball(self.K).log() + 1):
            return None
        return spread

    def _largest_spread(self) -> arb:
        """No two charges of one row are farther apart, where nothing outside [0, 1] is charged and none is infinite."""
        if self.clip is None:
            assert isinstance(self.precision, FixedPoint)
            reach = self.reach()
            assert reach is not None
            # Entries of several columns need not sum to 1: one may be 1 itself.
            return reach if self.columns == 1 else self.precision.fraction_bits * arb(2).log()
        if not isinstance(self.precision, Ieee):
            # A prediction of 0 is moved to the clip itself, even where that lies below a fixed grid's step. Where only
            # what is charged is kept away from 0, a prediction of 1 stays 1.
            largest = 1 - ball(self.clip) if self.clip_of == "prediction" else arb(1)
            return (largest / ball(self.clip)).log()
        # The scorer's own bounds are floats: 1 - clip is rounded to the grid near 1, clip itself relatively.
        unit = unit_roundoff(self.precision)
        low = ball(self.clip) * (1 - ball(unit))
        top = self.largest_prediction(self.precision)
        if top < 1:
            low = low.min(ball(1 - top))
        return (1 / low).log()

    def sum_overflows(self, charge: arb) -> bool:
        """Whether a sum of N charges of this size each cannot be excluded to leave the range of the score's format.

        Then a finite loss may show as infinity, as float16 shows every loss from N = 94,502 on.
        """
        if not isinstance(self.score_precision, Ieee):
            return False
        return not self.N * charge * growth(self) < LARGEST[self.score_precision.bits]

    def errors(self, queries: int) -> Errors:
        """The errors of scores when the attack asks `queries` queries (random noise: all of them at once)."""
        counted = queries if self.random else 1
        return self._errors.get(counted) or self._errors.setdefault(counted, Errors(self, counted))

    @cached_property
    def _errors(self) -> dict[int, Errors]:
        return {}


@dataclass(frozen=True)
class Errors:
    """The error of a score, as a function of the largest loss that a query can show."""

    channel: Channel
    queries: int

    def sum_error(self, loss: arb, heaviest: arb | None = None) -> arb:
        """E: the error of the sum of charges when no labeling scores above `loss`, nor a row above `heaviest`."""
        return self.channel.N * self.score_error(loss, heaviest)

    def score_error(self, loss: arb, heaviest: arb | None = None) -> arb:
        """The error of one score when no labeling scores above `loss`.

        Attacks that tell the heaviest charge of a row also reckon with the entries as they wrote them.
        """
        before_rounding = self.constant() + self._growing(loss, heaviest)
        if heaviest is not None:
            before_rounding -= self._written()
        return before_rounding + self._significant(loss + before_rounding + noise_size(self.channel.noise))

    @per_precision
    def constant(self) -> arb:
        """The part that does not depend on the loss: noise, rounding to decimals or to a fixed grid."""
        c = self.channel
        if c.unknown:
            return arb.pos_inf()
        total: arb = noise_bound(c.noise, c.delta, self.queries) + c_half_unit(c)
        if isinstance(c.precision, Ieee):
            total += ball(unit_roundoff(c.precision) * prepared_units(c)) * (1 + self._factor())
        if isinstance(c.score_precision, Ieee):
            total += self._rounded_noise(c.score_precision)
        return total

    @per_precision
    def _written(self) -> arb:
        """The part that entries lose in being written down; in one column the scorer itself rounds 1 - p."""
        c = self.channel
        if not isinstance(c.precision, Ieee) or c.columns == 1:
            return arb(0)
        return ball(unit_roundoff(c.precision) * WRITTEN_UNITS) * (1 + self._factor())

    def _rounded_noise(self, precision: Ieee) -> arb:
        """Random noise is added in the format: the sum is rounded at the noise's own size, and again when shown."""
        c = self.channel
        if not c.random:
            return arb(0)
        largest = noise_size(c.noise) + noise_bound(c.noise, c.delta, self.queries)
        return ball(unit_roundoff(precision) * (1 + shown_roundings(c.shown))) * largest

    def _factor(self) -> arb:
        """Multiplicative noise: by which part of itself the computed score, its own errors included, may change."""
        noise = self.channel.noise
        return ball(noise.alpha) if isinstance(noise, Multiplicative) else arb(0)

    @per_precision
    def relative(self) -> arb:
        """The part that grows with the loss: floating-point evaluation and multiplicative noise."""
        factor = self._factor()
        return factor + float_error(self.channel) * (1 + factor)

    def _growing(self, loss: arb, heaviest: arb | None) -> arb:
        """What grows with the loss. Where no row is very heavy, each of numpy's additions can be counted."""
        c = self.channel
        plain = self.relative() * loss
        if heaviest is None or not isinstance(c.score_precision, Ieee) or c.summation is not Summation.PAIRWISE:
            return plain
        counted, remainder = self._counted()
        factor = self._factor()
        last = loss.min(BLOCK * heaviest / c.N)
        return plain.min(factor * loss + (1 + factor) * (counted * loss + remainder * last))

    @per_precision
    def _counted(self) -> tuple[arb, arb]:
        """The relative error by the additions that every row may see, and that of the last block's rows by the rest."""
        c = self.channel
        assert isinstance(c.score_precision, Ieee)
        unit = unit_roundoff(c.score_precision)
        # The remainder's additions come after those of the last block, and touch no other: hence 1 + REMAINDER.
        return float_error(c, pairwise_depth(c.N)), accumulated((1 + REMAINDER) * unit)

    def _significant(self, largest: arb) -> arb:
        """Half a unit of the last digit of the largest score that is rounded, noise included."""
        shown = self.channel.shown
        if not isinstance(shown, Significant):
            return arb(0)
        if not largest.is_finite():
            return arb.pos_inf()
        top = largest.upper()
        if not top > 0:
            return arb(0)
        exponent = int((top.log() / arb(10).log()).upper().floor().unique_fmpz()) + 1
        return arb(10) ** (exponent - shown.digits) / 2


def unit_roundoff(precision: Ieee) -> Fraction:
    """The relative error of one correctly rounded operation."""
    return UNIT_ROUNDOFF[precision.bits]


def accumulated(share: Fraction) -> arb:
    """The relative error of a value that was rounded several times, from the sum of the single roundings' errors."""
    return arb.pos_inf() if share >= Fraction(1, 2) else ball(share / (1 - share))


def float_error(channel: Channel, added: int | None = None) -> arb:
    """The relative error of a mean of logarithms: logarithms, sum, division, rounding; none where all is exact.

    Sum, division and the decimals shown are rounded in the score's format. Logarithms are taken before or after a
    prediction is widened to it, and a scorer does not say which: they count as taken in the coarser of both.
    """
    if isinstance(channel.score_precision, Ieee):
        in_sum = additions(channel.N, channel.summation) if added is None else added
        rounded = (in_sum + 1 + shown_roundings(channel.shown)) * unit_roundoff(channel.score_precision)
        return accumulated(rounded + 2 * LOG_ULPS * _logarithm_unit(channel))
    return accumulated(2 * LOG_ULPS * _logarithm_unit(channel))


def shown_roundings(shown: Shown) -> int:
    """How often a score is rounded in its own format on the way to its decimals.

    What is cut off may be cut off a multiple of the score: 0.29 * 100 is 28.999999999999996.
    """
    match shown:
        case None:
            return 0
        case Truncated():
            return 2
    return 1


def growth(channel: Channel) -> arb:
    """The factor by which rounding can at most enlarge a sum of charges, however many there are: (1 + u)^k <= e^(uk)."""
    share = 2 * LOG_ULPS * _logarithm_unit(channel)
    if isinstance(channel.score_precision, Ieee):
        share += (additions(channel.N, channel.summation) + 2) * unit_roundoff(channel.score_precision)
    return ball(share).exp()


def _logarithm_unit(channel: Channel) -> Fraction:
    """The roundoff of logarithms: that of the coarser floating-point format."""
    return max((unit_roundoff(one) for one in channel.formats if isinstance(one, Ieee)), default=Fraction(0))


def prepared_units(channel: Channel) -> int:
    """Unit roundoffs that an entry may lose before its logarithm is taken.

    Complements and 1/K are rounded when they are written down, or by the scorer. A row that is renormalised is added
    up and divided, after the attacker's own sum missed 1 by as many roundings.
    """
    sums = 2 * additions(channel.K, channel.summation) + 3 if channel.renormalises else 0
    return WRITTEN_UNITS + sums


def c_half_unit(channel: Channel) -> arb:
    """Half a unit of the last place shown, and of the last place of a fixed-point score."""
    return _half_a_decimal(channel.shown) + _half_a_step(channel.score_precision)


def _half_a_decimal(shown: Shown) -> arb:
    match shown:
        case Decimals(digits=digits) | Truncated(digits=digits):  # of what is cut off the attacker adds half a unit
            return ball(Fraction(1, 2 * 10**digits))
        case Significant() | None:  # what significant digits hide grows with the score
            return arb(0)
    return unbounded(shown)  # type: ignore[unreachable]


def _half_a_step(precision: Precision) -> arb:
    match precision:
        case FixedPoint(fraction_bits=bits):
            return arb(2) ** -(bits + 1)
        case Ieee() | Arbitrary():  # what a float hides grows with the score
            return arb(0)
    return unbounded(precision)  # type: ignore[unreachable]


def _rounded_complement(clip: Number, significand: int) -> Fraction:
    """1 - clip rounded to the nearest float below 1, where floats are multiples of 2^-significand."""
    exact = 1 - (clip.lo if not isinstance(clip, int | Fraction) else Fraction(clip))
    return Fraction(round(exact * 2**significand), 2**significand)


def _largest(values: list[arb]) -> arb | None:
    result: arb | None = None
    for value in values:
        result = value if result is None else result.max(value)
    return result


CLIPS_OF: dict[str, ClipOf] = {"torch_bce": "logarithm", "xgboost": "charged", "lightgbm": "charged"}
FIELD_NAMES = ("N", "K", "phi", "score_phi", "noise", "decimals", "clip", "columns", "scorer", "checks",
               "queries", "time", "adaptive",
               "goal", "confidence")  # fmt: skip


def channel_of(scenario: Scenario) -> Channel:
    """The channel that a scenario describes."""
    lines = {name: line for name in FIELD_NAMES if (line := scenario.line(name)) is not None}
    sources = {name: origin.source for name, origin in scenario.origins.items()}
    return Channel(
        N=scenario.N,
        K=scenario.K,
        columns=scenario.columns,
        precision=scenario.phi,
        score_precision=scenario.score_format,
        clip=scenario.clip,
        renormalises=scenario.renormalises,
        summation=scenario.summation,
        shown=scenario.shown,
        noise=scenario.noise,
        budget=scenario.queries,
        time=scenario.time,
        adaptive=scenario.adaptive,
        target=ceil(scenario.goal * scenario.N),
        delta=1 - scenario.confidence,
        checks=scenario.checks,
        clip_of=CLIPS_OF.get(scenario.scorer.name, "prediction") if scenario.scorer else "prediction",
        lines=lines,
        sources=sources,
        scenario=scenario,
    )
