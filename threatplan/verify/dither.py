"""The dithered spread: sums measured through rounding under a random offset, and doubtful ones settled by comparisons.

Its answer is certain; a chance over the attacker's coins is left that it takes more queries than promised. Noise without
a bound for certain leaves the one that is reckoned with at half of the chance, and coins have the other half.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import COINS, NOISE_AND_COINS, Claim, Derived, count
from threatplan.verify.designs import butterfly_capacity
from threatplan.verify.intervals import Interval, power_of_two, real, smaller
from threatplan.verify.reading import Unreadable
from threatplan.verify.settling import Settling
from threatplan.verify.spread import base_row, has_matrix, row_deviation
from threatplan.verify.thresholds import (
    Thresholds,
    fits,
    float_reach,
    grid_step,
    largest_score,
    offset_deviation,
    read,
    score_error,
    setting,
    tolerance,
    weight,
    with_offset,
)

SETTLING_REACH = 18  # largest log-odds of comparisons of many sums


@dataclass(frozen=True)
class Dither(Thresholds):
    """The parameters."""

    order: int
    rounds: int
    base: int
    settle: int

    @property
    def noise_part(self) -> Fraction:
        """Coins have the other half."""
        return Fraction(1, 2)

    @property
    def outside(self) -> int:
        """Labels that are measured: those of rows outside the offset."""
        return min(self.labels, self.rows - self.offset_rows)

    @property
    def block(self) -> int:
        """Labels of a block."""
        return -(-self.outside // self.order)


def derive(channel: Channel, data: reading.Data) -> Derived:
    """The offset, the measurements, the settling, the verification, and the offset's own labels."""
    own = {name: reading.whole(data, name, 1) for name in ("order", "rounds", "base", "settle")}
    reading.whole(data, "seed")
    p = Dither(**{**read(data, *own, "seed"), **own})
    if p.offset_rows >= p.rows or p.order > 2**64:
        raise Unreadable("offset rows or blocks beyond the labels")
    inside = min(p.labels - p.outside, max(p.offset_rows - 1, 0))  # the offset's labels: the last one is not asked
    asked = p.bits * (p.bootstrap + p.order * p.rounds + p.settle + 1 + inside)
    claims = (
        *setting(channel, p),
        *with_offset(p),
        count("order of a Hadamard matrix at hand", p.order if has_matrix(p.order) else 0, ">=", p.order),
        count("capacity of a block >= labels of a block", butterfly_capacity(p.rounds, p.base), ">=", p.block),
        _settling_margin(p),
        count("queries >= (bootstrap + order * rounds + settling + verification + offset's own) * bits of a class",
              p.queries, ">=", asked),
        Claim("probability of needing more queries <= δ that is left to coins", lambda: _failure(channel, p), "<=",
              lambda: real(channel.delta / 2 if channel.unbounded else channel.delta)),
    )  # fmt: skip
    over = NOISE_AND_COINS if channel.unbounded else COINS
    return Derived(p.labels, p.queries, p.classes, claims, adaptive=True, over=over, fits=fits(channel, p))


def _settling_margin(p: Dither) -> Claim:
    """Comparisons of many sums have entries up to rounds * amplitude, all within the settling reach."""

    def half_gap() -> Interval:
        return smaller(weight(p, p.small), real(SETTLING_REACH)) / (2 * p.rounds * max(base_row(p.base)))

    def error() -> Interval:
        small = Fraction(1, ceil(exp(SETTLING_REACH)) + 2)
        return offset_deviation(p) + tolerance(p) + p.rows * grid_step(p, max(small, p.small))

    return Claim("half the gap of settling comparisons > float error + dev", half_gap, ">", error)


def _jumping(channel: Channel, p: Dither) -> Interval:
    """What may take a sum over a boundary: all errors that somebody may choose who knows the coins.

    Noise that is drawn is independent of them: sum and noise and offset together are uniform over a cell.
    """
    if not channel.random:
        return tolerance(p)
    chosen = score_error(channel, p) - channel.tau(p.queries, p.noise_part)
    return p.rows * (chosen + largest_score(p) * power_of_two(-48))


def _failure(channel: Channel, p: Dither) -> Interval:
    """A jump over a boundary, an error of a whole gap, or too many doubtful sums; for each bit of a class."""
    moved = tolerance(p) + offset_deviation(p)
    jumps = 2 * p.order * p.rounds * (_jumping(channel, p) + offset_deviation(p)) / p.cell
    own = power_of_two(-44) * (1 + weight(p, p.small))
    deviation = moved + p.rows * (row_deviation(p) + own)
    top = max(base_row(p.base))
    gap, float_gap = weight(p, p.small) / top, float_reach(p, p.small) / top
    settling = Settling(p.order, p.rounds, p.cell, gap, float_gap, deviation)
    whole_gap = p.order * p.rounds * settling.exceeds(Fraction(1))
    return p.bits * (jumps + whole_gap + settling.above(p.settle))
