"""Comparisons that are listed beforehand: a boundary lies farther from either sum than noise and floating point reach."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.attacks.scaled.parameters import ScaledThresholds
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare

SHOWN_BITS = 51  # a shown score over its unit is off by 2^-51 of itself: both are float64, and so is the quotient
DIGIT_SLACK = Fraction(1, 4)  # of a unit: how far from a whole number of units a shown score may be


def prove(channel: Channel, p: ScaledThresholds) -> Proof:
    """One comparison for each bit of a label."""
    return Proof(certainty(channel, p), inequalities(channel, p))


def certainty(channel: Channel, p: ScaledThresholds) -> str:
    """What comparisons with a margin promise."""
    what = (
        "for a scorer that adds no noise to what it rounds" if channel.law.quiet else "whatever noise within its bound"
    )
    if channel.law.tailed:
        chance = float(channel.delta * p.noise_share)
        return f"every labeling, with probability at least 1 - {chance:g} over the noise that is rounded"
    return f"every labeling, with certainty, {what}"


def inequalities(channel: Channel, p: ScaledThresholds) -> tuple[Inequality, ...]:
    """A boundary that lies well between two sums, and entries that are charged as they are written."""
    return (
        _carried(channel, p),
        compare("boundary - charge of a label that is favoured > error of a sum before it is rounded",
                lambda: boundary(channel, p) - sum_of(p, p.large), ">", lambda: error(channel, p)),
        compare("charge of a label that pays W - boundary > error of a sum before it is rounded",
                lambda: sum_of(p, p.small) - boundary(channel, p), ">", lambda: error(channel, p)),
        compare("float error of a shown score, in its last decimal < 1/4", lambda: reading_error(channel, p), "<",
                lambda: ball(DIGIT_SLACK)),
    )  # fmt: skip


def _carried(channel: Channel, p: ScaledThresholds) -> Inequality:
    entries = (p.small, p.large, p.idle)
    fit = sum(channel.metric.takes(channel, one) for one in entries)
    name = "entries that the scorer takes as they are, idle rows' included"
    return compare(name, lambda: ball(fit), ">=", lambda: ball(len(entries)))


def charge(entry: Fraction) -> arb:
    """-ln u."""
    return -(ball(entry).log())


def sum_of(p: ScaledThresholds, entry: Fraction) -> arb:
    """The sum of charges where the row that is asked gave its label's class this entry."""
    return (p.rows - 1) * charge(p.idle) + charge(entry)


def boundary(channel: Channel, p: ScaledThresholds) -> arb:
    """The sum of charges above which more than `p.boundary` units are shown; what is cut off moves it by half a unit."""
    unit = channel.digits.unit or Fraction(0)
    return ball(channel.scored * ((p.boundary + Fraction(1, 2)) * unit - channel.centre))


def error(channel: Channel, p: ScaledThresholds) -> arb:
    """What noise and floating point add to a sum before it is rounded, every entry being charged as it was written."""
    heaviest = charge(p.small).max(charge(p.idle))
    loss = sum_of(p, p.small) / channel.scored
    before = channel.errors(p.queries, p.noise_share).score_error(loss, heaviest) - channel.digits.half_unit()
    return channel.scored * before


def reading_error(channel: Channel, p: ScaledThresholds) -> arb:
    """How far from a whole number of units a shown score is, as a float64."""
    largest = (sum_of(p, p.small) + error(channel, p)) / channel.scored + abs(ball(channel.centre))
    return largest * arb(2) ** -SHOWN_BITS / ball(channel.digits.unit or Fraction(1))
