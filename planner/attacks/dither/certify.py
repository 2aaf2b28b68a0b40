"""The dithered spread: how likely it is that so many queries suffice, over the attacker's coins.

Noise within a bound for certain costs nothing else. Noise without one stays within a bound but for half of delta: that
event is counted by itself, the coins have the other half, and all else is proved for noise within the bound.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.attacks.dither.parameters import DitheredSpread
from planner.attacks.dither.settling import Settling
from planner.attacks.spread.certify import OWN_BITS
from planner.attacks.spread.parameters import base_set
from planner.attacks.threshold.certify import (
    certainty,
    offset_deviation,
    offset_inequalities,
    setting_inequalities,
    steady_tolerance,
    tolerance,
    weight,
)
from planner.attacks.threshold.parameters import SETTLING_REACH
from planner.channel.channel import Channel
from planner.designs.butterfly import Butterfly
from planner.designs.hadamard import factors
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, p: DitheredSpread) -> Proof:
    """Never wrong for any labeling; the number of queries holds with probability 1 - delta."""
    chance = float(left_to_coins(channel, p))
    text = (
        f"{certainty(channel, p.noise_share)}; {p.queries:,} queries suffice with probability at least 1 - {chance:g} "
        "over the attacker's own coins"
    )
    return Proof(
        text,
        (
            *setting_inequalities(channel, p),
            *offset_inequalities(p),
            _matrix(p),
            _capacity(p),
            _settling_margin(p),
            _query_count(p),
            compare(
                "probability of needing more queries <= δ that is left to coins",
                lambda: failure(channel, p),
                "<=",
                lambda: ball(left_to_coins(channel, p)),
            ),
        ),
    )


def _matrix(p: DitheredSpread) -> Inequality:
    power, core = factors(p.order)  # refuses an order that has no matrix
    return compare("order of a Hadamard matrix at hand", lambda: ball(power * core), ">=", lambda: ball(p.order))


def _capacity(p: DitheredSpread) -> Inequality:
    room = Butterfly(p.rounds, base_set(p.base)).capacity()
    return compare("capacity of a block >= labels of a block", lambda: ball(room), ">=", lambda: ball(p.block))


def _settling_margin(p: DitheredSpread) -> Inequality:
    """A comparison of many sums has entries up to rounds * amplitude, all within the settling reach."""

    def half_gap() -> arb:
        reach = weight(p, p.small).min(ball(Fraction(SETTLING_REACH)))
        return reach / (2 * p.rounds * base_set(p.base).maximum)

    def error() -> arb:
        small = p.scored_by.small_for(SETTLING_REACH)
        return offset_deviation(p) + tolerance(p) + p.rows * p.scored_by.level_step(p.columns, max(small, p.small))

    return compare("half the gap of settling comparisons > float error + dev", half_gap, ">", error)


def _query_count(p: DitheredSpread) -> Inequality:
    asked = p.bits * (p.bootstrap + p.order * p.rounds + p.settle + 1 + p.own)
    name = "queries >= (bootstrap + order * rounds + settling + verification + offset's own) * bits of a class"
    return compare(name, lambda: ball(p.queries), ">=", lambda: ball(asked))


# -- the probability ----------------------------------------------------------------------------------


def left_to_coins(channel: Channel, p: DitheredSpread) -> Fraction:
    """What noise that may leave its bound does not have of delta."""
    return channel.delta * (1 - p.noise_share) if channel.law.tailed else channel.delta


def failure(channel: Channel, p: DitheredSpread) -> arb:
    """The probability that more queries are needed: a jump, an error of a whole gap, or too many doubtful sums."""
    settling = Settling(p, moved(p))
    whole_gap = settling.sums * settling.exceeds(Fraction(1))
    return p.bits * (jumps(channel, p) + whole_gap + settling.probability_above(p.settle))


def jumps(channel: Channel, p: DitheredSpread) -> arb:
    """That noise, floating point or the offset's grid moves some sum across a boundary.

    The offset is uniform over a cell and drawn after the sum is fixed, so a sum comes within e of a boundary with
    probability 2e/cell, however the noise is chosen, and be it by someone who knows the offset. Random noise knows
    nothing: given it, sum, noise and offset are uniform over a cell, and it only moves what is measured.
    """
    error = steady_tolerance(channel, p) if channel.random else tolerance(p)
    return 2 * p.order * p.rounds * (error + offset_deviation(p)) / ball(p.cell)


def moved(p: DitheredSpread) -> arb:
    """How far anything but rounding to decimals moves a measured sum, in nats: float64 sums of them, too."""
    own = arb(2) ** -OWN_BITS * (1 + weight(p, p.small))
    row = p.scored_by.level_deviation(p.columns, p.small, base_set(p.base).maximum)
    return tolerance(p) + offset_deviation(p) + p.rows * (row + own)
