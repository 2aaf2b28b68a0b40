"""Blocks of labels of K classes: the step of each row exceeds the spread of all rows before it."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise

from threatplan.verify import reading
from threatplan.verify.block import fractions
from threatplan.verify.channel import Channel
from threatplan.verify.claims import (
    Derived,
    columns_for_classes,
    count,
    logarithms,
    part_of_a_query,
    room,
    score_fits,
    separation,
)
from threatplan.verify.intervals import INFINITY, ZERO, Interval, log, smaller, total
from threatplan.verify.metrics.log_loss import idle_deviation
from threatplan.verify.reading import Unreadable


def derive(channel: Channel, data: reading.Data) -> Derived:
    """One row for each label of a block, K entries each."""
    reading.only(data, "kind", "queries", "labels", "rows")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    rows = rows_of(channel, data)

    def loss() -> Interval:
        worst = total(-log(min(row)) for row in rows)
        return ((channel.N - len(rows)) * log(channel.K) + worst) / channel.N

    entries = [p for row in rows for p in row]
    full = all(len(row) == channel.K for row in rows)
    fit = sum(map(channel.carries, entries)) if full else 0
    off = max((abs(sum(row, Fraction(-1))) for row in rows), default=Fraction(0))
    rounding = (channel.additions(channel.K) + 2) * (channel.unit if channel.ieee else 0)
    claims = (
        count("probabilities that the scorer takes as they are", fit, ">=", len(entries)),
        count("|row sum - 1| <= rounding", off, "<=", Fraction(rounding)),
        separation(
            channel, queries, lambda: smallest_step(rows), loss, tilted=True, deviation=partial(idle_deviation, channel)
        ),
        room(len(rows) * queries, labels),
        *score_fits(channel, queries, loss),
    )
    told = min(map(len, rows), default=1)
    fits = (
        logarithms(channel),
        ("a level for each class", told == channel.K),
        columns_for_classes(channel),
        part_of_a_query(channel, len(rows)),
    )
    return Derived(labels, queries, told, claims, listed=-(-labels // max(len(rows), 1)), fits=fits)


def rows_of(channel: Channel, data: reading.Data) -> list[list[Fraction]]:
    """The entries of every active row."""
    given = reading.items(data, "rows")
    if not all(isinstance(row, list) for row in given):
        raise Unreadable("a row is no list of probabilities")
    return [fractions(channel, row) for row in given]


def smallest_step(rows: list[list[Fraction]]) -> Interval:
    """The largest row in which two labelings differ outweighs all smaller ones by at least this."""
    below, gap = ZERO, INFINITY
    for row in rows:
        charges = [-log(p) for p in row]
        for first, second in pairwise(charges):
            gap = smaller(gap, second - first - below)
        below = below + (charges[-1] - charges[0])
    return gap
