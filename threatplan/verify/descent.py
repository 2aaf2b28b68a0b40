"""Boards that only fall, a row turned a query: what a row changes is more than the board's step and the errors."""

from __future__ import annotations

from dataclasses import replace

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import (
    Claim,
    Derived,
    carried,
    columns_for_classes,
    count,
    logarithms,
    two_classes,
    wide_floats,
    wide_scores,
)
from threatplan.verify.intervals import Interval, real
from threatplan.verify.reading import Unreadable


def derive(channel: Channel, data: reading.Data) -> Derived:
    """W > 2E for the best score; W > 3/2 N eta + 2E, digits apart, for a Ladder from infinity."""
    reading.only(data, "kind", "queries", "labels", "doubt")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    p = reading.rational(data, "doubt")
    if not 0 < 2 * p < 1:
        raise Unreadable("`doubt` is no probability below a half")

    def loss() -> Interval:
        return (labels * channel.charges.heavy(p) + (channel.N - labels) * channel.even()) / channel.N

    def weight() -> Interval:
        return channel.charges.weight(p)

    claims = [carried(channel, [p, 1 - p]), count("queries >= rows turned and one", queries, ">=", labels + 1)]
    ladder = channel.release.name == "ladder"
    unit = None if channel.shown is None else channel.half_unit() * 2
    if ladder:
        eta, full = channel.release.eta, replace(channel, shown=None)

        def needed() -> Interval:
            return channel.N * real(eta.hi) * 3 / 2 + 2 * full.sum_error(1, loss())

        claims.append(Claim("weight of a row > 3/2 N η + 2E", weight, ">", needed))
        if unit is not None:
            claims.append(Claim("η > 2 units of the last decimal", lambda: real(eta.lo), ">", lambda: 2 * unit))
    else:
        claims.append(Claim("weight of a row > 2E", weight, ">", lambda: 2 * channel.sum_error(1, loss())))
    fits = (
        two_classes(channel),
        columns_for_classes(channel),
        logarithms(channel),
        wide_floats(channel),
        wide_scores(channel),
        ("no noise", channel.noise.name == "none"),
        ("all digits, or decimals", channel.shown is None or channel.shown.name != "significant"),
        ("a board that shows the first score", not ladder or channel.release.start is None),
    )
    return Derived(labels, queries, 2, tuple(claims), adaptive=True, releases=("best", "ladder"), fits=fits)
