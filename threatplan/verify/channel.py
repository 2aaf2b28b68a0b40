"""The channel from its exact record: what a row can reach, and by how much a score may be off.

Derived from the definitions: every row charges its label what the metric says, a score is the mean charge of the true
labels as the scorer computes it, plus noise, as it is shown. All errors are bounds from above; `reach` is a weight that a
row surely has, `reach_limit` one that no row exceeds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from threatplan.verify.formats import LARGEST, Kind, unit_of
from threatplan.verify.intervals import (
    INFINITY,
    ZERO,
    Interval,
    erfc_inverse_above,
    exp,
    hull,
    larger,
    log,
    power_of_two,
    real,
    smaller,
    sqrt,
)
from threatplan.verify.metrics import metric_of
from threatplan.verify.metrics.base import Metric
from threatplan.verify.summation import pairwise_additions, pairwise_depth


@dataclass(frozen=True)
class Enclosure:
    """A real number, known to lie between two rationals."""

    lo: Fraction
    hi: Fraction

    @property
    def interval(self) -> Interval:
        """The same at the working precision."""
        return hull(self.lo, self.hi)

    def over(self, parts: int) -> Enclosure:
        """Divided exactly."""
        return Enclosure(self.lo / parts, self.hi / parts)


FALLING = ("log_loss", "brier", "half_brier")  # metrics that are better when lower, never below 0
RELEASES = {"plain": (), "best": (), "ladder": ("eta", "start"), "capped": ("level",), "changes": ("most",)}
ROUNDED = (
    "decimals",
    "percent",
)  # to the nearest multiple of a decimal; a percentage has two digits fewer than its share
STEPPED = (*ROUNDED, "truncated")  # rules by which every score is shown as a multiple of a decimal
RELATIVE = ("multiplicative", "skewed")  # a factor about 1, or between two bounds of their own
RANDOM = ("uniform", "gaussian", "laplace", "subexponential")
UNBOUNDED = ("gaussian", "laplace", "subexponential")  # any noise is possible, however unlikely
WHOLE = Fraction(1)  # of delta


@dataclass(frozen=True)
class Channel:
    """All that the mathematics needs to know, one field for one of the record."""

    N: int
    scored: int  # rows that a score is the mean of, at most
    K: int
    metric: str
    predictions: str  # what a row holds
    abstain: bool  # a class that does not exist is taken, and counts as wrong
    reduction: (
        str  # whether scores are the mean of charges, or their sum: then everything here speaks of what is n-th of it
    )
    columns: int
    precision: Kind  # of predictions, until they are charged
    score_precision: Kind  # of charges as they are added up, and of the score
    clip: Enclosure | None
    renormalises: bool
    summation: str
    shown: Kind | None
    noise: Kind
    budget: int | None
    time: str
    adaptive: bool
    target: int
    delta: Fraction
    clip_of: str
    checks: bool  # predictions outside [0, 1] are refused
    release: Kind  # what becomes of scores before their digits are shown
    response: Enclosure | None  # epsilon: labels were flipped once, and these are scored
    accounts: int  # with a memory each, where a release has one
    any_sums: bool  # rows are charged as they are, whatever they sum to
    radius: int  # labels that the attacker's guess has wrong at most; N: it has none
    exactly: bool  # just so many
    counted: bool  # because the number of ones is public, and not as a part of what a guess leaves
    uncertain: int  # rows of those scored that may not be
    looser: int  # labels more that may be wrong if all of them are
    membership: bool  # which rows are scored is wanted too
    beside: tuple[str, ...]  # metrics whose scores come back with it

    # -- what the scorer is ------------------------------------------------------------------------------

    @property
    def known(self) -> bool:
        """Whether predictions and scores have formats of one kind that the metric knows: of others nothing is known.

        Nor is it of a secret part of the rows where counts are scored, or something is known of the labels; or of boards that
        do not show each score where lower is not better, or where a part of the rows is scored; or of such a part where
        labels were flipped. Of several scores that come back together each must be known, and shown.
        """
        if self.response is not None and self.split:
            return False
        if self.reduction == "sum" and not self._divided:
            return False
        if self.beside:
            return self.release.name == "plain" and all(one.known for one in self.apart)
        if self.release.name != "plain" and (self.split or self.metric not in FALLING):
            return False
        fits = self.predictions in self.charges.predictions
        if self.split and (not self.charges.weighs or self.exactly or self.radius < self.scored - self.uncertain):
            return False
        return self.precision.name == self.score_precision.name and fits and self.charges.knows(self)

    @property
    def _divided(self) -> bool:
        """Whether a sum of logarithms tells its mean: of how many is known, each is shown, on no grid of its own."""
        plain = self.release.name == "plain" and not self.fixed_scores
        return plain and self.charges.logarithmic and not self.uncertain

    @property
    def apart(self) -> tuple[Channel, ...]:
        """A board for each score that comes back, which shows it alone."""
        return tuple(replace(self, metric=name, beside=()) for name in (self.metric, *self.beside))

    def read_by(self, metric: Any) -> Channel:
        """The same board to somebody who reads the score of that name; as it is, where it shows none such."""
        names = (self.metric, *self.beside)
        if metric not in self.beside:
            return self
        return replace(self, metric=metric, beside=tuple(one for one in names if one != metric))

    @property
    def charges(self) -> Metric:
        """What rows charge, and how exactly."""
        return metric_of(self.metric)

    @property
    def ieee(self) -> bool:
        """Whether predictions are floating point."""
        return self.precision.name == "ieee"

    @property
    def fixed(self) -> bool:
        """Whether predictions lie on a fixed grid."""
        return self.precision.name == "fixed"

    @property
    def ieee_scores(self) -> bool:
        """Whether scores are computed in floating point."""
        return self.score_precision.name == "ieee"

    @property
    def fixed_scores(self) -> bool:
        """Whether scores lie on a fixed grid."""
        return self.score_precision.name == "fixed"

    @property
    def random(self) -> bool:
        """Whether noise is drawn anew for each query."""
        return self.noise.name in RANDOM

    @property
    def unbounded(self) -> bool:
        """Whether no bound holds for the noise but with some probability."""
        return self.noise.name in UNBOUNDED

    @property
    def wrong_allowed(self) -> int:
        """Labels that may come out wrong."""
        return self.N - self.target

    @property
    def split(self) -> bool:
        """Whether a secret part of the rows is scored, or may be."""
        return self.scored - self.uncertain < self.N

    @property
    def parts(self) -> int:
        """How often what is shown holds a score as it is reckoned with here."""
        return self.scored if self.reduction == "sum" else 1

    @property
    def step(self) -> Fraction:
        """The last decimal, of a score as it is reckoned with here; 0 where scores are no multiples of one."""
        stepped = self.shown is not None and self.shown.name in STEPPED
        return (
            Fraction(1, self.parts * 10 ** int(self.shown.digits))
            if stepped and self.shown is not None
            else Fraction(0)
        )

    @property
    def unit(self) -> Fraction:
        """The relative error of one rounding of a prediction."""
        return unit_of(self.precision)

    @property
    def score_unit(self) -> Fraction:
        """The relative error of one rounding of a score."""
        return unit_of(self.score_precision)

    @property
    def useful_bits(self) -> int:
        """How much of a fixed grid an attack can use."""
        grids = [int(one.fraction_bits) for one in (self.precision, self.score_precision) if one.name == "fixed"]
        return min(max(grids, default=0), self.target + 2 * self.N.bit_length() + 64)

    @property
    def bits(self) -> int:
        """A precision to start from."""
        digits = 4 * self.shown.digits if self.shown is not None else 0
        return 160 + self.useful_bits + int(digits) + self.N.bit_length()

    # -- what rows can reach -----------------------------------------------------------------------------

    def even(self) -> Interval:
        """What a row that favours no class charges."""
        return self.charges.even(self.K)

    def reach(self) -> Interval:
        """W for attacks on two classes."""
        return self.charges.reach(self)

    def reach_limit(self) -> Interval | None:
        """W for impossibility proofs; None: no row is too large."""
        span = self.charges.span(self) if self.known else None
        if span is None:
            return None
        charge = self.charges.largest_charge(self, span)
        if self.ieee_scores and not self.scored * charge * self.growth() < LARGEST[self.score_precision.bits]:
            return None
        return span

    def breadth(self) -> Interval | None:
        """An interval that holds all charges of all rows has this length; None: none is known."""
        span = self.reach_limit()
        return None if span is None else self.charges.breadth(self, span)

    def carries(self, p: Fraction) -> bool:
        """Whether the scorer takes a prediction as it is."""
        return self.charges.carries(self, p)

    # -- noise -------------------------------------------------------------------------------------------

    def tau(self, queries: int, part: Fraction = WHOLE) -> Interval:
        """Within what the recentred noises of all queries stay, but for a part of delta where they have no bound."""
        law = self.noise
        if law.name == "bounded":
            return _interval(law.tau)
        if law.name == "uniform":
            middle = self.centre()
            return larger(_interval(law.b) - middle, middle - _interval(law.a))
        if law.name in ("none", *RELATIVE):
            return ZERO
        share = self.delta * part / max(queries, 1)
        if share <= 0:
            return INFINITY
        if law.name == "gaussian":
            return _interval(law.sigma) * sqrt(2) * erfc_inverse_above(share) if share < 1 else ZERO
        if law.name == "laplace":
            return -_interval(law.b) * log(share)
        return _subexponential(law, log(2 / share))

    def centre(self) -> Fraction:
        """What is subtracted from every score."""
        if self.noise.name != "uniform":
            return Fraction(0)
        middle: Fraction = (self.noise.a.lo + self.noise.b.lo) / 2
        return middle

    def subtracted(self) -> Fraction:
        """What an attacker subtracts from every score: the noise's centre, less half a unit where scores are cut off."""
        if self.shown is None or self.shown.name != "truncated":
            return self.centre()
        return self.centre() - self.step / 2

    @property
    def shown_roundings(self) -> int:
        """Roundings on the way to the decimals: one in writing them, one more where a multiple is cut off or rounded."""
        if self.shown is None:
            return 0
        return 2 if self.shown.name in ("truncated", "percent") else 1

    @property
    def alpha(self) -> Interval:
        """By which part of itself a score may change."""
        if self.noise.name == "skewed":
            return larger(_interval(self.noise.alpha), _interval(self.noise.above))
        return _interval(self.noise.alpha) if self.noise.name == "multiplicative" else ZERO

    # -- errors ------------------------------------------------------------------------------------------

    def sum_error(self, queries: int, loss: Interval, heaviest: Interval | None = None) -> Interval:
        """E: the error of the sum of charges."""
        return self.scored * self.score_error(queries, loss, heaviest)

    def score_error(
        self, queries: int, loss: Interval, heaviest: Interval | None = None, part: Fraction = WHOLE
    ) -> Interval:
        """The error of a score when no labeling scores above `loss`, nor a row above `heaviest`.

        Attacks that know the heaviest row also know their own entries as they were written down.
        """
        error = self.constant(queries, part) + self._growing(loss, heaviest)
        if heaviest is not None:
            error = error - self.charges.written(self) * (1 + self.alpha)
        return error + self.last_digit(loss + error + abs(self.centre()))

    def last_digit(self, largest: Interval) -> Interval:
        """Half a unit of the last significant digit of scores up to the largest, where such digits are shown."""
        if self.shown is None or self.shown.name != "significant":
            return ZERO
        return _half_unit_of(largest * self.parts, self.shown.digits) / self.parts

    def constant(self, queries: int, part: Fraction = WHOLE) -> Interval:
        """What does not grow with the loss."""
        if not self.known:
            return INFINITY
        tau = self.tau(queries, part)
        error = tau + self.half_unit() + self.charges.prepared(self) * (1 + self.alpha)
        if self.random:
            error = error + (1 + self.shown_roundings) * self.score_unit * (abs(self.centre()) + tau)
        return error

    def half_unit(self) -> Interval:
        """Half a unit of the last decimal, half a step of a fixed grid, and what narrow floats lose near 0."""
        error = ZERO + self.step / 2 + self.underflow
        if self.fixed_scores:
            error = error + power_of_two(-int(self.score_precision.fraction_bits) - 1)
        return error

    @property
    def underflow(self) -> Fraction:
        """Half of the least number of a narrow float, lost by charges, mean and noise, and doubled by its factor."""
        least = {16: 24, 32: 149}.get(int(self.score_precision.bits)) if self.ieee_scores else None
        return Fraction(0) if least is None else Fraction(4, 2**least)

    def relative(self) -> Interval:
        """What grows with the loss."""
        return self.alpha + self.float_error(self.additions(self.scored)) * (1 + self.alpha)

    def float_error(self, added: int, shown: bool | None = None) -> Interval:
        """The relative error of a mean of charges: additions, a division and showing it, in the score's format."""
        last = self.shown_roundings if shown is None else int(shown)
        return self.rounded((added + 1 + last) * self.score_unit + self.charges.computed(self))

    def growth(self) -> Interval:
        """By which factor roundings enlarge a sum at most, however many they are."""
        return exp(real((self.additions(self.scored) + 2) * self.score_unit + self.charges.computed(self)))

    def rounded(self, share: Fraction) -> Interval:
        """The relative error of a value whose roundings sum to a share of it."""
        return INFINITY if share >= Fraction(1, 2) else real(share / (1 - share))

    def additions(self, count: int) -> int:
        """Additions between a row and the sum of `count` rows, at most."""
        return count - 1 if self.summation == "sequential" else pairwise_additions(count)

    def _growing(self, loss: Interval, heaviest: Interval | None) -> Interval:
        plain = self.relative() * loss
        if heaviest is None or not self.ieee_scores or self.summation != "pairwise":
            return plain
        # Only the last block of 128 rows has up to 7 rows that are added one by one, after all others.
        counted = self.float_error(pairwise_depth(self.scored)) * loss
        last = self.rounded(8 * self.score_unit) * smaller(loss, 128 * heaviest / self.scored)
        return smaller(plain, self.alpha * loss + (1 + self.alpha) * (counted + last))


def _interval(value: Enclosure) -> Interval:
    return value.interval


def _subexponential(law: Kind, log_term: Interval) -> Interval:
    """Chernoff's bound at the best admissible point."""
    deviation, nu = sqrt(_interval(law.lambda2)), _interval(law.nu)
    near = deviation * sqrt(2 * log_term)
    if nu * sqrt(2 * log_term) <= deviation:
        return near
    return nu * log_term + _interval(law.lambda2) / (2 * nu)


def _half_unit_of(largest: Interval, digits: int) -> Interval:
    """Half a unit of the last of so many digits of the largest score."""
    if not largest.finite:
        return INFINITY
    top = largest.most()
    if top <= 0:
        return ZERO
    places = int((top.numerator.bit_length() - top.denominator.bit_length() - 2) * 0.30103) - 1
    while top >= Fraction(10) ** places:  # the least power of ten above it
        places += 1
    return real(Fraction(10) ** (places - digits) / 2)
