"""Averages of random noise on a secret part: all rows at one weight, their sides by Sylvester's matrix.

Sums times a row's signs average to half the weight, its negative, or nothing: a row is misread where noise and error exceed
half of that, a quarter of the weight, in the sum of n charges. Half of delta is for that, half for noises that scores are not
explained with.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from threatplan.verify import corners, reading
from threatplan.verify.channel import Channel, Enclosure
from threatplan.verify.claims import Claim, Derived, columns_for_classes, count, score_fits, two_classes, wide_floats
from threatplan.verify.intervals import ZERO, Interval, power_of_two, real
from threatplan.verify.reading import Unreadable
from threatplan.verify.tails import of_mean

HALF = Fraction(1, 2)
LONGEST = 2**64  # numbers of an attack that anybody runs


def derive(channel: Channel, data: reading.Data) -> Derived:
    """A column of the matrix for every row, repeated until the averages are right but for half of delta."""
    reading.only(data, "kind", "queries", "labels", "order", "repeats", "weight")
    queries, labels, order, repeats = (
        reading.whole(data, name, 1) for name in ("queries", "labels", "order", "repeats")
    )
    weight = reading.rational(data, "weight")
    if weight.denominator.bit_length() > 2**16 or max(queries, order, repeats) > LONGEST:
        raise Unreadable("numbers such as no such attack has")

    def charge() -> Interval:
        return real(weight) + channel.charges.corner_rest(real(weight), 1, 1)

    def chance() -> Interval:
        margin = real(weight / 4) / channel.scored - _fixed(channel, queries, weight, charge())
        return channel.N * of_mean(channel, order * repeats, margin)

    claims = (
        corners.reach(channel, real(weight)),
        Claim("a weight above 0", lambda: real(weight), ">", lambda: ZERO),
        count("order of Sylvester's matrix >= N", order if order & (order - 1) == 0 else 0, ">=", channel.N),
        Claim("N P(|mean of M noises| >= W/(4n) - e) <= δ/2", chance, "<=", lambda: real(channel.delta * HALF)),
        *score_fits(channel, queries, charge, HALF),
    )
    fits = (
        two_classes(channel),
        columns_for_classes(channel),
        wide_floats(channel),
        ("random noise that leaves a doubt", channel.random and channel.delta > 0),
        *corners.conditions(channel),
    )
    found = Derived(labels, queries, 2, claims, listed=order * repeats, fits=fits)
    return replace(found, of_a_part=True, membership=True)


def _fixed(channel: Channel, queries: int, weight: Fraction, charge: Interval) -> Interval:
    """What is no noise: rounding, floating point, predictions, the attacker's transform, a centre known to an enclosure."""
    tau = channel.tau(queries, HALF)
    own = power_of_two(-44) * (1 + charge + abs(channel.centre()) + tau)
    missed = channel.charges.corner_missed(channel, real(weight), True) / channel.scored
    off = ZERO
    if channel.noise.name == "uniform":
        a: Enclosure = channel.noise.a
        b: Enclosure = channel.noise.b
        off = (real(a.hi - a.lo) + real(b.hi - b.lo)) / 2
    return (channel.score_error(queries, charge, charge, HALF) - tau + own + missed + off).high
