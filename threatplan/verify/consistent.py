"""Averages under a free random offset: the chance that some sum is read wrong, over the attacker's coins."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from threatplan.verify import reading
from threatplan.verify.block import fractions
from threatplan.verify.channel import RELATIVE, Channel, Enclosure
from threatplan.verify.claims import COINS, NOISE_AND_COINS, Claim, Derived, count, wide_floats
from threatplan.verify.designs import butterfly_capacity
from threatplan.verify.intervals import (
    INFINITY,
    ONE,
    ZERO,
    Interval,
    erfc,
    exp,
    larger,
    log,
    pi,
    power_of_two,
    real,
    smaller,
    sqrt,
)
from threatplan.verify.reading import Unreadable
from threatplan.verify.scaled import free_rows, unit_of
from threatplan.verify.sides import bits_of
from threatplan.verify.spread import base_row, has_matrix
from threatplan.verify.tails import laplace_peak, of_mean, uniform

SHARE = Fraction(1, 64)  # of delta: noise outside the bound within which scores are explained
WHOLE_FIELDS = ("queries", "labels", "rows", "columns", "order", "rounds", "base")


@dataclass(frozen=True)
class Averages:
    """The parameters, read."""

    queries: int
    labels: int
    rows: int
    columns: int
    order: int
    rounds: int
    base: int
    classes: int
    small: Fraction
    large: Fraction
    gap: Fraction
    repairs: int
    tilt: Fraction

    @property
    def passes(self) -> int:
        """Bits of a class."""
        return bits_of(self.classes)


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Every sum of every block right, but for delta."""
    p = read(channel, data)
    claims = (
        *shape(channel, p),
        Claim("probability that a sum is read wrong, or a score moved <= δ",
              lambda: failure(channel, p, p.rounds * p.passes), "<=", lambda: real(channel.delta)),
    )  # fmt: skip
    listed = p.order * p.rounds * p.passes
    return Derived(
        p.labels, p.queries, p.classes, claims, over=over(channel), listed=listed, fits=conditions(channel, p)
    )


def over(channel: Channel) -> str:
    """What a failure is the chance of."""
    return NOISE_AND_COINS if channel.random else COINS


def shape(channel: Channel, p: Averages) -> tuple[Claim, ...]:
    """Entries that are charged as they are written, and blocks that hold the labels."""
    return (
        *written_entries(channel, p),
        count("order of a Hadamard matrix at hand", p.order * has_matrix(p.order), ">=", p.order),
        count("capacity of a block >= labels of a block", butterfly_capacity(p.rounds, len(base_row(p.base))), ">=",
              -(-p.labels // p.order)),
        count("sums of a round that are flipped <= as many as was proved of such errors", p.repairs, "<=",
              _flips(channel)),
    )  # fmt: skip


def written_entries(channel: Channel, p: Averages) -> tuple[Claim, ...]:
    """Entries that are charged as they are written, the smallest of them under the largest offset."""
    fit = sum(map(channel.carries, (p.small, p.large)))
    fit += sum(Fraction(float(one)) == one for one in (p.small, p.large, p.gap))
    heaviest = unit_of(channel) + max(base_row(p.base)) * p.gap
    return (
        count("entries that the scorer takes as they are, numbers that float64 holds", fit, ">=", 5),
        Claim("smallest entry that is used >= smallest that is taken",
              lambda: p.large * exp(-real(heaviest)) * (1 - _written(p)), ">=", lambda: real(p.small)),
    )  # fmt: skip


def conditions(channel: Channel, p: Averages) -> tuple[tuple[str, bool], ...]:
    """What is no inequality."""
    return (
        ("rows, classes and columns of the channel",
         (p.rows, p.classes, p.columns) == (channel.N, channel.K, channel.columns)),
        *free_rows(channel),
        ("errors to average: of rounding to decimals, or random ones of scores in full",
         unit_of(channel) > 0 or (channel.random and channel.shown is None)),
        ("a tilt just where noise and rounding are averaged together",
         (p.tilt > 0) == (channel.random and unit_of(channel) > 0)),
        ("noise that does not grow with the loss", channel.noise.name not in RELATIVE),
        wide_floats(channel),
    )  # fmt: skip


def read(channel: Channel, data: reading.Data, *further: str) -> Averages:
    """The parameters from their record."""
    own = ("classes", "small", "large", "gap", "repairs", "tilt", "seed")
    reading.only(data, "kind", *WHOLE_FIELDS, *own, *further)
    reading.whole(data, "seed")
    small, large = fractions(channel, [data["small"], data["large"]])
    exact = {name: reading.fraction(data[name], name) for name in ("gap", "tilt")}
    if not (exact["gap"] > 0 and exact["tilt"] >= 0):
        raise Unreadable("a gap that is not above 0")
    queries, labels, rows, columns, order, rounds, base = (reading.whole(data, name, 1) for name in WHOLE_FIELDS)
    return Averages(
        queries,
        labels,
        rows,
        columns,
        order,
        rounds,
        base,
        classes=reading.whole(data, "classes", 2),
        small=small,
        large=large,
        gap=exact["gap"],
        repairs=reading.whole(data, "repairs"),
        tilt=exact["tilt"],
    )


# -- errors --------------------------------------------------------------------------------------------


def _written(p: Averages) -> Interval:
    """A row's charge as float64 makes it: exponents, exponentials, the offset's grid."""
    return power_of_two(-50) * (1 - log(p.small))


def _noise(channel: Channel, p: Averages) -> Interval:
    return channel.tau(p.queries, SHARE) if channel.random else ZERO


def _moved(channel: Channel, p: Averages) -> Interval:
    """What neither rounding nor random noise moves a sum by, in gaps: rounding hides none of it for certain."""
    shown = 1 - log(p.small) + abs(channel.subtracted()) + unit_of(channel) + _noise(channel, p)
    own = power_of_two(-44) * shown
    return p.rows * (_written(p) + own + _before(channel, p) + off_centre(channel)) / p.gap


def _before(channel: Channel, p: Averages) -> Interval:
    """What a score is off by before it is rounded, but for random noise."""
    error = channel.constant(p.queries, SHARE) - unit_of(channel) / 2 + channel.relative() * -log(p.small)
    return error - _noise(channel, p)


def _bounded(channel: Channel) -> bool:
    """No error is beyond its bound: of rounding, of uniform noise, or of both."""
    return not channel.random or channel.noise.name == "uniform"


def _flips(channel: Channel) -> int:
    """How many flips are proved: two of errors that are of rounding alone, one of any with a bound."""
    if channel.random:
        return int(_bounded(channel))
    return 2


def off_centre(channel: Channel) -> Interval:
    """Ends of a uniform law that are no rationals are known to an enclosure."""
    if channel.noise.name != "uniform":
        return ZERO
    a, b = channel.noise.a, channel.noise.b
    return real((a.hi - a.lo + b.hi - b.lo) / 2)


# -- chances -------------------------------------------------------------------------------------------


def failure(channel: Channel, p: Averages, rounds: int) -> Interval:
    """One of so many rounds that is read wrong, or noise beyond its bound."""
    gap = seen(channel, p)
    if p.repairs:
        return rounds * _unrepaired(channel, p, gap)
    left = channel.delta * SHARE if channel.random else ZERO
    return left + rounds * p.order * strays(channel, p, p.order, gap / 2)


def seen(channel: Channel, p: Averages) -> Interval:
    """A gap in a score, less what may move either of two sums."""
    return (1 - 2 * _moved(channel, p)) * p.gap / p.rows


def strays(channel: Channel, p: Averages, errors: int, margin: Interval) -> Interval:
    """The mean of so many errors beyond the margin, on either side."""
    unit = unit_of(channel)
    if not channel.random:
        return uniform(errors, 2 * margin / unit)
    if not unit:
        return of_mean(channel, errors, margin)
    return _chernoff(channel, p, errors, margin)


def _unrepaired(channel: Channel, p: Averages, gap: Interval) -> Interval:
    """A whole gap missed; two sums of a round wrong; one, or two, wrong and every score explained all the same."""
    if not gap > 0:
        return ONE
    h = p.order
    if p.repairs > 1:
        return h * strays(channel, p, h, gap) + _pairs_flipped(channel, p, gap)
    alone = h * strays(channel, p, h, gap) + 2 * h * inside(channel, p, gap) ** h
    if h == 1:
        return alone
    pairs = h * (h - 1)
    return alone + pairs * strays(channel, p, h // 2, gap) + 2 * pairs * inside(channel, p, 2 * gap) ** (h // 2)


def _pairs_flipped(channel: Channel, p: Averages, gap: Interval) -> Interval:
    """Three sums nearer to other integers; up to four wrong ones that explain every score; a score shown as another.

    Any k errors of a round have at most (1 - 3k/h)^(-k/2) times the density of independent normals.
    """
    h, unit = p.order, unit_of(channel)
    if h < 12:
        return ONE
    alone = erfc(gap / 2 * sqrt(real(12 * h)) / unit / sqrt(2))
    three = comb(h, 3) * (alone / sqrt(1 - real(Fraction(9, h)))) ** 3
    false = sum(comb(h, k) * 2**k for k in (1, 2, 3, 4)) * inside(channel, p, gap) ** h
    jumping = 2 * h * (_written(p) + _before(channel, p)) / unit
    return three + false + jumping


def inside(channel: Channel, p: Averages, shift: Interval) -> Interval:
    """An error of rounding and uniform noise that the shift leaves within the bound of both.

    A shift of no more than the shorter width pushes out a triangle of the density, a longer one a strip besides.
    """
    unit, noise = real(unit_of(channel)), 2 * _noise(channel, p)
    short = smaller(unit, noise)
    long = larger(unit, noise)
    room = larger(unit + noise, (unit + noise) / 2 + _moved(channel, p) * p.gap / p.rows)
    left = shift - power_of_two(-20) * room  # scores are explained within a little more than the bound
    if not left > 0:
        return ONE
    out = left**2 / (2 * short * long) if left < short else (smaller(left, long) - short / 2) / long
    return 1 - out if out < 1 else ZERO


def _chernoff(channel: Channel, p: Averages, errors: int, margin: Interval) -> Interval:
    """The mean of rounding and noise beyond the margin, on either side."""
    s = real(p.tilt)
    if not margin > 0 or not s > 0:
        return ONE
    exponent = s * margin - uniform_cumulant(s * unit_of(channel) / 2) - cumulant(channel, s)
    return smaller(2 * exp(-errors * exponent) * smaller(_peak(channel, errors, s) / s, ONE), ONE)


def _peak(channel: Channel, count: int, s: Interval) -> Interval:
    """The density of a sum of noises under weights e^(sx), at most; independent rounding errors make it no higher."""
    law = channel.noise
    if law.name == "gaussian":
        return 1 / (_interval(law.sigma) * sqrt(2 * pi() * count))
    if law.name == "laplace":
        within = count >= 2 and _interval(law.b) * s < 1
        return laplace_peak(count, _interval(law.b), s) if within else INFINITY
    if law.name != "uniform":
        return INFINITY
    half = (_interval(law.b) - _interval(law.a)) / 2
    sinh = (exp(s * half) - exp(-s * half)) / 2
    variance = 1 / (s * s) - half * half / (sinh * sinh)
    return (
        1 / sqrt(count * variance) if variance > 0 else INFINITY
    )  # a log-concave law's is at most 1 over its deviation


def uniform_cumulant(x: Interval) -> Interval:
    """ln(sinh x/x)."""
    return log((exp(x) - exp(-x)) / (2 * x))


def cumulant(channel: Channel, s: Interval) -> Interval:
    """ln E exp(s noise) of the law about its centre, at most."""
    law = channel.noise
    if law.name == "uniform":
        return uniform_cumulant(s * (_interval(law.b) - _interval(law.a)) / 2)
    if law.name == "gaussian":
        return (_interval(law.sigma) * s) ** 2 / 2
    if law.name == "laplace":
        kept = 1 - (_interval(law.b) * s) ** 2
        return -log(kept) if kept > 0 else INFINITY
    return _interval(law.lambda2) * s**2 / 2 if _interval(law.nu) * s < 1 else INFINITY


def _interval(value: Enclosure) -> Interval:
    return value.interval
