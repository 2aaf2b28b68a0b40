"""Blocks with odds base^(exponent 2^i): every sum is a multiple of one gap."""

from __future__ import annotations

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
from threatplan.verify.intervals import Interval, log, power_of_two


def derive(channel: Channel, data: reading.Data) -> Derived:
    """m labels a query."""
    reading.only(data, "kind", "queries", "labels", "m", "base", "exponent")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    m, base, exponent = (reading.whole(data, name, 1) for name in ("m", "base", "exponent"))

    def gap() -> Interval:
        return exponent * log(base)

    def loss() -> Interval:  # a row with odds v >= 1 charges at most ln(1 + v) <= ln 2 + ln v
        return log(2) + gap() * (power_of_two(m) - 1) / channel.N

    claims = (
        Claim("W >= largest log-odds", channel.reach, ">=", lambda: gap() * power_of_two(m - 1)),
        separation(channel, queries, gap, loss, tilted=True),
        room(m * queries, labels),
    )
    fits = (logarithms(channel), two_classes(channel), exact_predictions(channel), part_of_a_query(channel, m))
    return Derived(labels, queries, 2, claims, listed=-(-labels // m), fits=fits)
