"""Averages in passes by a prefix code: those of `consistent`, and the chance that more labels take the last pass."""

from __future__ import annotations

from fractions import Fraction

from threatplan.verify import consistent, reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, count
from threatplan.verify.designs import butterfly_capacity
from threatplan.verify.intervals import real
from threatplan.verify.prefix import above


def derive(channel: Channel, data: reading.Data) -> Derived:
    """floor(log2 K) passes over all labels, one more over at most `deep` of them."""
    deep, deep_rounds = reading.whole(data, "deep"), reading.whole(data, "deep_rounds")
    p = consistent.read(channel, data, "deep", "deep_rounds")
    depth = p.classes.bit_length() - 1
    share = Fraction(2 * (p.classes - 2**depth), p.classes)
    rounds = p.rounds * depth + deep_rounds
    room = butterfly_capacity(deep_rounds, p.base) if deep_rounds else 0
    claims = (
        *consistent.shape(channel, p),
        count("capacity of a block of the last pass >= its labels", room, ">=", -(-deep // p.order)),
        count("queries >= order * rounds of all passes", p.queries, ">=", p.order * rounds),
        Claim("probability that a sum is read wrong, a score moved, or more labels take the last pass <= δ",
              lambda: consistent.failure(channel, p, rounds) + above(p.labels, share, deep), "<=",
              lambda: real(channel.delta)),
    )  # fmt: skip
    fits = consistent.conditions(channel, p)
    over = consistent.over(channel)
    return Derived(p.labels, p.queries, p.classes, claims, adaptive=True, over=over, fits=fits)
