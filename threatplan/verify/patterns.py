"""A Ladder from a level, by all patterns of a few rows: the right one alone makes it fall, and to a level that is certain.

Sure rows hold p and 1 - p, the others are even. With c right rows that are sure the sum of charges is that of c light
ones and N - c even ones; a wrong one adds what a row weighs. The board falls for sums below N (R - η), to a multiple of
η. How many queries: every level of the worst case takes all patterns of its new rows but one, and any other case no more
than that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor

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
from threatplan.verify.intervals import INFINITY, Interval, hull, real, smaller
from threatplan.verify.reading import Unreadable

HALF = Fraction(1, 2)
FLOATS = Fraction(1, 2**40)  # of a level that is shown: what floats and a start known to some digits may be off
MOST_NEW = 24


@dataclass(frozen=True)
class Levels:
    """The least room on both sides of the board's edge, and how many levels are certain."""

    below: Interval
    above: Interval
    certain: int


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Only the right pattern falls, and what is shown then is known beforehand."""
    reading.only(data, "kind", "queries", "labels", "doubt", "sure")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    p, sure = reading.rational(data, "doubt"), _whole(reading.items(data, "sure"))
    if not 0 < 2 * p < 1 or not sure:
        raise Unreadable("`doubt` is no probability below a half, or no row is ever sure")
    fits = ladder_from_a_level(channel)
    if not all(met for _, met in fits):
        return Derived(labels, queries, 2, (), adaptive=True, releases=("ladder",), fits=fits)
    new = [two - one for one, two in zip([0, *sure], sure, strict=False)]
    rising = (new[0] == 0) + sum(0 < one <= MOST_NEW for one in new)

    def off() -> Interval:
        most = max(sure) * channel.charges.heavy(p) + (channel.N - max(sure)) * channel.even()
        return replace(channel, shown=None).sum_error(1, most / channel.N)

    def found(part: Callable[[Levels], Interval]) -> Callable[[], Interval]:
        return lambda: part(levels(channel, p, sure, off()))

    claims = (
        carried(channel, [p, 1 - p]),
        count("levels at which more rows are sure than before, and not too many", rising if max(sure) <= channel.N else 0,
              ">=", len(sure)),
        count("rows that are sure in the end >= labels", sure[-1], ">=", labels),
        count("queries >= patterns of all levels", queries, ">=", sum(max(1, 2 ** min(one, 64) - 1) for one in new)),
        Claim("levels that are certain", found(lambda one: real(one.certain)), ">=", lambda: real(len(sure))),
        Claim("least room below the board's edge > E", found(lambda one: one.below), ">", off),
        Claim("least room of a wrong row above it > E", found(lambda one: one.above), ">", off),
        half_a_step(channel),
    )  # fmt: skip
    return Derived(labels, queries, 2, claims, adaptive=True, releases=("ladder",), fits=fits)


def _whole(values: list[object]) -> list[int]:
    if not all(isinstance(one, int) and not isinstance(one, bool) and one >= 0 for one in values):
        raise Unreadable("rows that are sure are counted by whole numbers")
    return [int(str(one)) for one in values]


def ladder_from_a_level(channel: Channel) -> tuple[tuple[str, bool], ...]:
    """A Ladder whose start is public."""
    level = channel.release.name == "ladder" and channel.release.start is not None
    return (*two_class_floats(channel), ("a Ladder from a level", level))


def two_class_floats(channel: Channel) -> tuple[tuple[str, bool], ...]:
    """Log-loss of two classes, without noise, read in decimals."""
    return (
        two_classes(channel),
        columns_for_classes(channel),
        logarithms(channel),
        wide_floats(channel),
        wide_scores(channel),
        ("no noise", channel.noise.name == "none"),
        ("all digits, or decimals", channel.shown is None or channel.shown.name != "significant"),
    )


def half_a_step(channel: Channel) -> Claim:
    """Two levels are told apart by what is shown of them."""
    eta, start = channel.release.eta.lo, channel.release.start.hi

    def hidden() -> Interval:
        unit = real(0) if channel.shown is None else 2 * channel.half_unit()
        return unit + real(2 * FLOATS * (1 + start))

    return Claim("half a step > what is shown may be off, twice", lambda: real(eta * HALF), ">", hidden)


def levels(channel: Channel, p: Fraction, sure: list[int], off: Interval) -> Levels:
    """Level after level, as long as it is certain which multiple of the step is nearest."""
    charges, release = channel.charges, channel.release
    eta, shown = hull(release.eta.lo, release.eta.hi), hull(release.start.lo, release.start.hi)
    below, above, certain = INFINITY, INFINITY, 0
    light, even, weight = charges.light(p), channel.even(), charges.weight(p)
    for some in sure:
        right, edge = (channel.N - some) * even + some * light, channel.N * (shown - eta)
        below, above = smaller(below, edge - right), smaller(above, right + weight - edge)
        place = (right + hull(-off, off)) / (channel.N * eta) + HALF
        step = floor(place.least())
        if step != floor(place.most()):
            break
        certain, shown = certain + 1, step * eta
    return Levels(below, above, certain)
