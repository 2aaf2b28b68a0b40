"""Blocks that grow: labels found before cost next to nothing in later queries."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from threatplan.verify import reading
from threatplan.verify.block import fractions, smallest_gap
from threatplan.verify.channel import Channel
from threatplan.verify.claims import (
    Claim,
    Derived,
    carried,
    count,
    part_of_a_query,
    room,
    score_fits,
    separation,
    two_classes,
)
from threatplan.verify.intervals import Interval, total
from threatplan.verify.reading import Unreadable


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Separation phase by phase; a phase knows no more labels than were found before it."""
    reading.only(data, "kind", "queries", "labels", "doubt", "phases")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    doubt = reading.rational(data, "doubt")
    if not 0 < doubt < 1:
        raise Unreadable("`doubt` is no probability")
    phases = [_phase(channel, one) for one in reading.items(data, "phases")]
    used = [doubt, 1 - doubt, *(p for _, _, rows in phases for p in rows)]
    claims: list[Claim] = [carried(channel, used)]
    found = asked = 0
    for known, blocks, rows in phases:
        loss = _loss(channel, doubt, known, rows)
        claims.append(room(found, known))
        claims.append(separation(channel, queries, partial(smallest_gap, channel, rows, 0), loss, tilted=True))
        claims += score_fits(channel, queries, loss)
        found += blocks * len(rows)
        asked += blocks
    claims += (room(found, labels), count("queries >= blocks asked", queries, ">=", asked))
    widest = max((known + len(rows) for known, _, rows in phases), default=channel.N + 1)
    fits = (two_classes(channel), part_of_a_query(channel, widest))
    return Derived(labels, queries, 2, tuple(claims), adaptive=True, fits=fits)


def _phase(channel: Channel, data: Any) -> tuple[int, int, list[Fraction]]:
    if not isinstance(data, list) or len(data) != 3 or not isinstance(data[2], list):
        raise Unreadable("a phase is no triple")
    named = {"known": data[0], "blocks": data[1]}
    return reading.whole(named, "known"), reading.whole(named, "blocks", 1), fractions(channel, data[2])


def _loss(channel: Channel, doubt: Fraction, known: int, rows: list[Fraction]) -> Callable[[], Interval]:
    """The largest loss: idle rows, known labels, and every row of the block at its dearer side."""

    def loss() -> Interval:
        idle = max(channel.N - known - len(rows), 0) * channel.even()
        paid = total(channel.charges.heavy(min(p, 1 - p)) for p in rows)
        return (idle + known * channel.charges.light(doubt) + paid) / channel.N

    return loss
