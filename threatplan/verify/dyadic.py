"""Blocks with log-odds near powers of two: each is missed by no more than its prediction's rounding explains."""

from __future__ import annotations

from fractions import Fraction

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import (
    Claim,
    Derived,
    exact_predictions,
    logarithms,
    part_of_a_query,
    room,
    separation,
    two_classes,
)
from threatplan.verify.intervals import Interval, log, power_of_two, real


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Weights 2^(i-m+1-shift) of m labels; d(weight)/dp = 1/(p(1-p)) <= 6 where the weight is at most 9/8."""
    reading.only(data, "kind", "queries", "labels", "m", "bits", "shift")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    m, digits, shift = reading.whole(data, "m", 1), reading.whole(data, "bits", 1), reading.whole(data, "shift")

    def gap() -> Interval:
        return power_of_two(1 - m - shift)

    def deviation() -> Interval:
        return 6 * m * power_of_two(-digits)

    def loss() -> Interval:
        return log(2) + real(Fraction(3, channel.N))

    claims = (
        Claim("W >= largest log-odds", channel.reach, ">=", lambda: Fraction(9, 8) * power_of_two(-shift)),
        separation(channel, queries, gap, loss, tilted=False, deviation=deviation),
        room(m * queries, labels),
    )
    fits = (logarithms(channel), two_classes(channel), exact_predictions(channel), part_of_a_query(channel, m))
    return Derived(labels, queries, 2, claims, listed=-(-labels // m), fits=fits)
