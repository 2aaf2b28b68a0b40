"""Averages under weights of random size: the chance that some sum is read wrong, over the attacker's coins.

A gap is the sum of eight uniform variables, so the Fourier coefficients of a score's place in its cell fall with the eighth
power of the number of cells that it may run through; what they leave of evenness multiplies every chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb, factorial

from threatplan.verify import reading
from threatplan.verify.block import fractions
from threatplan.verify.channel import RELATIVE, Channel
from threatplan.verify.claims import (
    COINS,
    NOISE_AND_COINS,
    Claim,
    Derived,
    count,
    logarithms,
    two_classes,
    wide_floats,
    wide_scores,
)
from threatplan.verify.consistent import cumulant, off_centre, uniform_cumulant
from threatplan.verify.designs import butterfly_capacity
from threatplan.verify.intervals import (
    INFINITY,
    ONE,
    ZERO,
    Interval,
    exp,
    larger,
    log,
    pi,
    power_of_two,
    real,
    smaller,
)
from threatplan.verify.reading import Unreadable
from threatplan.verify.spread import base_row, has_matrix

UNIFORMS, BINS = 8, 16
SHARE = Fraction(1, 64)  # of delta: noise outside the bound within which scores are explained
MOST_DECIMALS = 12
WHOLE_FIELDS = ("queries", "labels", "rows", "columns", "order", "rounds", "base")
EXACT_FIELDS = ("least", "width", "unit", "lean", "rate")


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
    small: Fraction
    least: Fraction
    width: Fraction
    unit: Fraction
    lean: Fraction
    rate: Fraction
    repairs: bool

    @property
    def top(self) -> int:
        """The largest entry."""
        return max(base_row(self.base))

    @property
    def block(self) -> int:
        """Labels a block."""
        return -(-self.labels // self.order)

    @property
    def sizes(self) -> tuple[int, int]:
        """The sizes of a query's entries, added up: base rows of the largest power of two stand in every query."""
        weights, power = base_row(self.base), 1
        while 2 * power <= self.rounds:
            power *= 2
        few = min(self.block // len(weights), power) * sum(weights)
        many = min(self.rounds * sum(weights) + self.rounds - 1, self.block * max(weights))
        return self.labels // self.block * few, -(-self.labels // self.block) * many


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Every sum of every block right, but for delta."""
    p = read(channel, data)
    claims = (
        *_rows(channel, p),
        count("order of a Hadamard matrix at hand", p.order * has_matrix(p.order), ">=", p.order),
        count("capacity of a block >= labels of a block", butterfly_capacity(p.rounds, p.base), ">=", p.block),
        count("repairs of sums only where no noise is random", int(p.repairs), "<=", int(not channel.random)),
        *_unit(channel, p),
        Claim("probability that a sum is read wrong, or leans too far <= δ", lambda: failure(channel, p), "<=",
              lambda: real(channel.delta)),
    )  # fmt: skip
    over = NOISE_AND_COINS if channel.random else COINS
    return Derived(p.labels, p.queries, 2, claims, over=over, listed=p.order * p.rounds, fits=_conditions(channel, p))


def read(channel: Channel, data: reading.Data) -> Averages:
    """The parameters from their record."""
    reading.only(data, "kind", *WHOLE_FIELDS, *EXACT_FIELDS, "small", "repairs", "seed")
    reading.whole(data, "seed")
    (small,) = fractions(channel, [data["small"]])
    exact = {name: reading.fraction(data[name], name) for name in EXACT_FIELDS}
    if not (all(one > 0 for one in exact.values()) and exact["lean"] < 1):
        raise Unreadable("a gap, a unit or a rate that is not above 0, or a sum that leans all the way")
    queries, labels, rows, columns, order, rounds, base = (reading.whole(data, name, 1) for name in WHOLE_FIELDS)
    least, width, unit, lean, rate = exact.values()
    repairs = reading.truth(data, "repairs")
    return Averages(
        queries, labels, rows, columns, order, rounds, base, small, least, width, unit, lean, rate, repairs
    )  # fmt: skip


def _rows(channel: Channel, p: Averages) -> tuple[Claim, ...]:
    used = [p.small] if p.columns > 1 else [p.small, 1 - p.small]
    fit = sum(map(channel.carries, used)) + sum(Fraction(float(one)) == one for one in (p.least, p.width))
    return (
        count("entries that the scorer takes as they are, numbers that float64 holds", fit, ">=", len(used) + 2),
        Claim("largest log-odds <= those of the smallest entry", lambda: _heaviest(p) + _rounded(p), "<=",
              lambda: log(real(1 - p.small) / p.small)),
    )  # fmt: skip


def _unit(channel: Channel, p: Averages) -> tuple[Claim, ...]:
    if channel.shown is None or channel.shown.name != "significant":
        return (count("unit of what is shown", abs(channel.step - p.unit), "<=", 0),)
    start = p.unit * 10 ** (int(channel.shown.digits) - 1)
    return (
        Claim("least score >= start of a decade", lambda: _scores(channel, p)[0], ">=", lambda: real(start)),
        Claim("largest score <= its end", lambda: _scores(channel, p)[1], "<=", lambda: real(10 * start)),
    )


def _conditions(channel: Channel, p: Averages) -> tuple[tuple[str, bool], ...]:
    shown = channel.shown is not None and (channel.step > 0 or channel.shown.name == "significant")
    return (
        ("rows and columns of the channel", (p.rows, p.columns) == (channel.N, channel.columns)),
        logarithms(channel),
        two_classes(channel),
        ("scores rounded to decimals, or to significant digits", shown),
        ("at most 12 decimals", channel.step == 0 or channel.step * 10**MOST_DECIMALS >= 1),
        ("noise within a bound, be it but for δ", not channel.random or channel.delta > 0),
        ("noise that does not grow with the loss", channel.noise.name not in RELATIVE),
        wide_floats(channel),
        wide_scores(channel),
    )


# -- scores ----------------------------------------------------------------------------------------------


def _heaviest(p: Averages) -> Interval:
    return real(p.top * (p.least + p.width))


def _rounded(p: Averages) -> Interval:
    """A row's log-odds, or its charge, as float64 makes it."""
    return power_of_two(-50) * (1 + _heaviest(p))


def _scores(channel: Channel, p: Averages) -> tuple[Interval, Interval]:
    """An active row charges half of its weight, more or less by how a sum leans, and ln(1 + e^-w); an idle one ln 2."""
    ends, even = [], log(real(2))
    for size in p.sizes:
        share = Fraction(size, p.rows)
        some = share / p.top  # no fewer rows are active
        floor = real(share * p.least * (1 - p.lean) / 2) + (1 - share) * even
        roof = real(share * (p.least + p.width) * (1 + p.lean) / 2)
        ends.append((floor, roof + some * log(1 + exp(-real(p.least))) + (1 - some) * even))
    error = _before(channel, p) + _noise(channel, p)
    return smaller(*(low for low, _ in ends)) - error, larger(*(high for _, high in ends)) + error


def _before(channel: Channel, p: Averages) -> Interval:
    """What a score is off by before it is rounded, but for random noise: predictions near 1 on their grid included."""
    error = channel.constant(p.queries, SHARE) - channel.step / 2 + channel.relative() * -log(p.small)
    error = error - _noise(channel, p) + _rounded(p)
    if p.columns > 1:
        return error
    paying = (1 + p.lean) / 2 if p.top == 1 else Fraction(1)
    part = power_of_two(-54) / p.small
    return error + power_of_two(-53) + paying * part / (1 - part) if part < 1 else INFINITY


def _noise(channel: Channel, p: Averages) -> Interval:
    return channel.tau(p.queries, SHARE) if channel.random else ZERO


def _own(channel: Channel, p: Averages) -> Interval:
    """The attacker's arithmetic, and a centre that is not known exactly, in gaps."""
    shown = 1 - log(p.small) + abs(channel.subtracted()) + p.unit + _noise(channel, p)
    return p.rows * (power_of_two(-44) * shown + off_centre(channel)) / p.least


# -- chances ---------------------------------------------------------------------------------------------


def failure(channel: Channel, p: Averages) -> Interval:
    """A sum that leans, noise outside of its bound, or a round that is read wrong."""
    left = real(channel.delta * SHARE) if channel.random else ZERO
    leaning = 2 * exp(-real(p.lean**2 * p.sizes[0] / (2 * p.top)))
    one = _unrepaired(channel, p) if p.repairs else p.order * _off(channel, p, p.order, Fraction(1, 2))
    return left + p.queries * leaning + p.rounds * one


def _off(channel: Channel, p: Averages, scores: int, gaps: Fraction) -> Interval:
    """That the mean of so many errors is so many gaps off, either way."""
    margin = gaps - 2 * _own(channel, p)
    grown = _growth(channel, p)
    if not margin > 0 or not grown < INFINITY:
        return ONE
    return smaller(2 * exp(scores * (log(grown) - p.rate * margin)), ONE)


def _unrepaired(channel: Channel, p: Averages) -> Interval:
    """A whole gap missed; two sums wrong; one, or two, wrong and every score explained all the same."""
    h, pairs = p.order, p.order * (p.order - 1)
    found = h * _off(channel, p, h, Fraction(1)) + 2 * h * _inside(channel, p, 1) ** h
    if h == 1:
        return found
    half = h // 2
    return found + pairs * (_off(channel, p, half, Fraction(1)) + 2 * _inside(channel, p, 2) ** half)


def _inside(channel: Channel, p: Averages, gaps: int) -> Interval:
    """That a score whose sum is so many gaps off is still explained: twice what may move it beside rounding is granted."""
    cell = p.rows * p.unit
    across = _before(channel, p) / p.unit
    granted = 2 * (across + _own(channel, p) * p.least / cell)
    left = 1 - gaps * p.least / cell + 2 * (granted + across)
    return (1 + _uneven(p)) * larger(left, ZERO)


def _growth(channel: Channel, p: Averages) -> Interval:
    """E exp(rate * error), in gaps: even errors of every bin of gaps, and the worst for what is uneven or jumps."""
    low, across = p.least - p.width / 2, _before(channel, p) / p.unit
    if low <= 0 or not across < Fraction(1, 2):
        return INFINITY
    total, signs, uneven = ZERO, 2 if channel.random else 1, _uneven(p)
    for place, share in enumerate(_shares()):
        s = real(p.rate * p.rows / (p.least + p.width * Fraction(place, BINS)))
        total = total + share * exp(uniform_cumulant(s * p.unit / 2) + _law(channel, s))
    s = real(p.rate * p.rows / low)
    worst = exp(s * p.unit * (Fraction(1, 2) + across) + _law(channel, s))
    return total + (signs * uneven + 2 * across * (1 + signs * uneven)) * worst


def _law(channel: Channel, s: Interval) -> Interval:
    return cumulant(channel, s) if channel.random else ZERO


def _uneven(p: Averages) -> Interval:
    """2 zeta(8) (8/(pi L (1 - k)))^8, zeta(8) = pi^8/9450."""
    low = p.least - p.width / 2
    if low <= 0:
        return INFINITY
    bent = 2 / ((1 - p.lean) * (exp(real(low)) - 1))
    cells = p.width * (1 - p.lean) * p.sizes[0] / (2 * p.rows * p.unit)
    if not bent < 1 or not cells > 0:
        return INFINITY
    return 2 * real(Fraction(10041, 10000)) * (UNIFORMS / (pi() * cells * (1 - bent))) ** UNIFORMS


def _shares() -> list[Fraction]:
    """The chance of each bin of gaps: that a sum of uniforms lies in it."""

    def below(x: Fraction) -> Fraction:
        terms = ((-1) ** k * comb(UNIFORMS, k) * max(x - k, Fraction(0)) ** UNIFORMS for k in range(UNIFORMS + 1))
        return sum(terms, Fraction(0)) / factorial(UNIFORMS)

    ends = [below(Fraction(UNIFORMS * place, BINS)) for place in range(BINS + 1)]
    return [after - before for before, after in pairwise(ends)]
