"""Averaging under random noise: Hadamard's signs over blocks, each a butterfly, and the union bound."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Protocol

from threatplan.verify import reading
from threatplan.verify.channel import RELATIVE, Channel, Enclosure
from threatplan.verify.claims import Claim, Derived, carried, columns_for_classes, count, score_fits, wide_floats
from threatplan.verify.designs import butterfly_capacity
from threatplan.verify.intervals import Interval, power_of_two, real
from threatplan.verify.metrics import metric_of
from threatplan.verify.metrics.base import Metric
from threatplan.verify.reading import Unreadable
from threatplan.verify.sets import bit_set
from threatplan.verify.sides import bits_of
from threatplan.verify.tails import of_mean

LARGEST_CORE = 256  # of Paley's matrices
ROUNDED = Fraction(1, 2**20)  # of delta: noise above what its own rounding is reckoned for
BASE_CORE = 10  # of a base row's Conway-Guy set
FIELDS = ("kind", "queries", "labels", "rows", "classes", "metric", "columns", "small", "order", "rounds", "base", "repeats",
          "centre", "tolerance", "seed")  # fmt: skip


class Measures(Protocol):
    """What rows of a butterfly are made of."""

    @property
    def charges(self) -> Metric:
        """What their metric is."""

    @property
    def columns(self) -> int:
        """Of a submission."""

    @property
    def small(self) -> Fraction:
        """The smallest prediction."""

    @property
    def base(self) -> int:
        """Weights of a base row."""


@dataclass(frozen=True)
class Spread:
    """The parameters of an averaging attack."""

    queries: int
    labels: int
    rows: int
    classes: int
    metric: str
    columns: int
    small: Fraction
    order: int
    rounds: int
    base: int
    repeats: int
    centre: Fraction
    tolerance: Fraction

    @property
    def charges(self) -> Metric:
        """What its rows are made for."""
        return metric_of(self.metric)

    @property
    def block(self) -> int:
        """Labels of a block."""
        return -(-self.labels // self.order)

    @property
    def sums(self) -> int:
        """Measurements."""
        return self.order * self.rounds * bits_of(self.classes)


def read(data: reading.Data, *further: str) -> Spread:
    """The parameters from their record."""
    reading.only(data, *FIELDS, *further)
    reading.whole(data, "seed")
    numbers = {
        name: reading.whole(data, name, 1)
        for name in ("queries", "labels", "rows", "order", "rounds", "base", "repeats")
    }
    found = Spread(
        **numbers,
        classes=reading.whole(data, "classes", 2),
        metric=reading.text_of(data, "metric"),
        columns=reading.whole(data, "columns", 1),
        small=reading.rational(data, "small"),
        centre=reading.rational(data, "centre"),
        tolerance=reading.rational(data, "tolerance"),
    )
    if not found.charges.usable(found.small, found.classes):
        raise Unreadable("`small` leaves no weight")
    return found


def base_row(size: int) -> tuple[int, ...]:
    """The weights of a butterfly's base row."""
    if size > 4096:
        raise Unreadable(f"a base row of {size:,} weights")
    core = min(size, BASE_CORE)
    return bit_set(core, size - core)


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Every sum of every block right, but for a chance delta over the noise."""
    p = read(data)
    claims = (
        *shape(channel, p),
        count("noise is random and independent", int(channel.random), ">=", 1),
        Claim("M P(|mean of h noises| >= g/(2N) - e) + M P(|noise| > tolerance - e) <= δ (1 - 2^-20)",
              lambda: _failure(channel, p), "<=", lambda: real(channel.delta * (1 - ROUNDED))),
    )  # fmt: skip
    return Derived(p.labels, p.queries, p.classes, claims, listed=p.sums * p.repeats, fits=fits(channel, p))


def fits(channel: Channel, p: Spread) -> tuple[tuple[str, bool], ...]:
    """The submission has the shape that the scorer takes."""
    return (
        columns_for_classes(channel),
        wide_floats(channel),
        ("noise that does not grow with the loss", channel.noise.name not in RELATIVE),
        ("averages of noise are never certain", not channel.random or channel.delta > 0),
        ("all rows are submitted", p.rows == channel.N),
        ("columns of a submission", p.columns == channel.columns),
        ("classes of a row", p.classes == channel.K),
        ("charges of the scorer's metric", p.metric == channel.metric),
        ("a Hadamard matrix of that order is at hand", has_matrix(p.order)),
    )


def has_matrix(order: int) -> bool:
    """Whether Sylvester's powers of two times one of Paley's matrices, of order at most 256, has that order."""
    primes = [p for p in range(3, LARGEST_CORE) if all(p % q for q in range(2, isqrt(p) + 1))]
    cores = {1, *(p + 1 if p % 4 == 3 else 2 * (p + 1) for p in primes)}
    return any(
        core <= LARGEST_CORE and order % core == 0 and (order // core) & (order // core - 1) == 0 for core in cores
    )


def shape(channel: Channel, p: Spread) -> tuple[Claim, ...]:
    """Labels, predictions, capacity and queries."""
    used = [p.small, 1 - p.small] if p.columns == 1 else [p.small]
    return (
        *score_fits(channel, p.queries, lambda: p.charges.heaviest_level(p.small, p.classes), ROUNDED),
        count("labels >= goal", p.labels, ">=", channel.target),
        count("rows of a submission", p.rows, ">=", channel.N),
        carried(channel, used, "predictions"),
        count("capacity of a block >= labels of a block", butterfly_capacity(p.rounds, p.base), ">=", p.block),
        count("classes told apart >= K", p.classes, ">=", channel.K),
        count("columns of a submission", p.columns, ">=", 1 if channel.K == 2 else channel.K),
        count("queries >= order * rounds * repeats * bits of a class", p.queries, ">=", p.sums * p.repeats),
    )


def gap(p: Spread) -> Interval:
    """The weight of an entry 1."""
    return p.charges.strength(p.small, p.classes) / max(base_row(p.base))


def score_error(channel: Channel, p: Spread) -> Interval:
    """The error of one score at the largest loss, noise included, and the attacker's float64."""
    loss = p.charges.heaviest_level(p.small, p.classes)
    shown = loss + abs(channel.centre()) + channel.tau(p.queries, ROUNDED)
    return channel.score_error(p.queries, loss, part=ROUNDED) + power_of_two(-44) * (1 + shown)


def fixed_error(channel: Channel, p: Spread) -> Interval:
    """What is no noise: rounding, floating point, predictions off the grid, a centre that is not quite right."""
    known = score_error(channel, p) - channel.tau(p.queries, ROUNDED)
    off = row_deviation(p)
    law = channel.noise
    if law.name == "uniform":
        a: Enclosure = law.a
        b: Enclosure = law.b
        off = off + (real(a.hi - a.lo) + real(b.hi - b.lo)) / 2
    return (known + off + abs(p.centre - channel.subtracted())).high


def row_deviation(p: Measures) -> Interval:
    """How far a row's weight is off what is wanted."""
    return p.charges.multiple(p.columns, p.small, max(base_row(p.base)))


def _failure(channel: Channel, p: Spread) -> Interval:
    """That a sum is off by half a gap, or that the attack refuses its own answer."""
    error = fixed_error(channel, p)
    wrong = of_mean(channel, p.order * p.repeats, gap(p) / (2 * p.rows) - error)
    return p.sums * wrong + alarm(channel, p)


def alarm(channel: Channel, p: Spread) -> Interval:
    """That some score is off by more than is tolerated."""
    return p.sums * of_mean(channel, p.repeats, p.tolerance - fixed_error(channel, p))
