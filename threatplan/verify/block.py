"""Blocks whose probabilities are listed: subset sums of their weights lie a gap apart."""

from __future__ import annotations

from fractions import Fraction

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Derived, carried, part_of_a_query, room, score_fits, separation, two_classes
from threatplan.verify.intervals import MINUS_INFINITY, ZERO, Interval, smaller, total
from threatplan.verify.reading import Unreadable
from threatplan.verify.sets import bit_set


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Rows of one query, the same in all of them."""
    reading.only(data, "kind", "queries", "labels", "rows", "core")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    rows, core = fractions(channel, reading.items(data, "rows")), reading.whole(data, "core")
    if core > len(rows):
        raise Unreadable("`core` is larger than the block")

    def loss() -> Interval:
        charges = total(channel.charges.heavy(min(p, 1 - p)) for p in rows)
        return ((channel.N - len(rows)) * channel.even() + charges) / channel.N

    claims = (
        carried(channel, rows),
        separation(channel, queries, lambda: smallest_gap(channel, rows, core), loss, tilted=core == 0),
        room(len(rows) * queries, labels),
        *score_fits(channel, queries, loss),
    )
    listed = -(-labels // max(len(rows), 1))
    return Derived(
        labels, queries, 2, claims, listed=listed, fits=(two_classes(channel), part_of_a_query(channel, len(rows)))
    )


def fractions(channel: Channel, values: list[object]) -> list[Fraction]:
    """A list of predictions."""
    found = [reading.fraction(value, "rows") for value in values]
    if not all(map(channel.charges.lists, found)):
        raise Unreadable("a probability is not between 0 and 1")
    return found


def smallest_gap(channel: Channel, rows: list[Fraction], core: int) -> Interval:
    """A lower bound on the distance of two subset sums of the weights."""
    weights = [channel.charges.weight(p) for p in rows]
    return _from_levels(weights, core) if core else _from_the_largest(weights)


def _from_the_largest(weights: list[Interval]) -> Interval:
    """The largest weight in which two subsets differ exceeds the sum of all smaller ones by at least this."""
    below, gap = ZERO, None
    for weight in weights:
        gap = weight - below if gap is None else smaller(gap, weight - below)
        below = below + weight
    return MINUS_INFINITY if gap is None else gap


def _from_levels(weights: list[Interval], core: int) -> Interval:
    """Weights near multiples of a unit whose subset sums differ by 1 at least, less what they miss, twice."""
    levels = bit_set(core, len(weights) - core)
    unit = weights[-1] / levels[-1]
    return unit - 2 * total(abs(weight - unit * level) for weight, level in zip(weights, levels, strict=True))
