"""Blocks among rows of ones: K entries a row that need not sum to 1, and one entry for all classes of idle rows."""

from __future__ import annotations

from threatplan.verify import reading
from threatplan.verify.block import fractions
from threatplan.verify.channel import Channel
from threatplan.verify.claims import (
    Derived,
    any_sums,
    count,
    logarithms,
    part_of_a_query,
    room,
    score_fits,
    separation,
)
from threatplan.verify.digits import rows_of, smallest_step
from threatplan.verify.intervals import Interval, larger, log, total


def derive(channel: Channel, data: reading.Data) -> Derived:
    """One row for each label of a block, and the entry of all others."""
    reading.only(data, "kind", "queries", "labels", "rows", "idle")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    rows = rows_of(channel, data)
    (idle,) = fractions(channel, [data["idle"]])

    def loss() -> Interval:
        return ((channel.N - len(rows)) * -log(idle) + total(-log(min(row)) for row in rows)) / channel.N

    def heaviest() -> Interval:
        return larger(-log(idle), *(-log(min(row)) for row in rows))

    entries = [idle, *(p for row in rows for p in row)]
    fit = sum(map(channel.carries, entries)) if all(len(row) == channel.K for row in rows) else 0
    claims = (
        count("entries that the scorer takes as they are, idle rows' included", fit, ">=", len(entries)),
        separation(channel, queries, lambda: smallest_step(rows), loss, tilted=True, heaviest=heaviest),
        room(len(rows) * queries, labels),
        *score_fits(channel, queries, loss),
    )
    told = min(map(len, rows), default=1)
    fits = (
        logarithms(channel),
        ("a level for each class", told == channel.K),
        any_sums(channel),
        part_of_a_query(channel, len(rows)),
    )
    return Derived(labels, queries, told, claims, listed=-(-labels // max(len(rows), 1)), fits=fits)
