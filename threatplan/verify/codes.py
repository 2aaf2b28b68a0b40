"""Averages by words of a code: the chance that what is read of some label lies nearer to another class's word."""

from __future__ import annotations

from itertools import combinations

from threatplan.verify import consistent, reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, count
from threatplan.verify.consistent import SHARE, Averages
from threatplan.verify.intervals import ZERO, Interval, real
from threatplan.verify.reading import Unreadable


def derive(channel: Channel, data: reading.Data) -> Derived:
    """All passes of a label together, one label a block."""
    length = reading.whole(data, "length", 1)
    words = [reading.whole({"word": one}, "word") for one in reading.items(data, "words")]
    p = consistent.read(channel, data, "words", "length")
    if len(words) != p.classes or any(word >= 2**length for word in words):
        raise Unreadable("words that are not one of so many bits a class")
    apart = min((one ^ other).bit_count() for one, other in combinations(words, 2))
    alone = int(p.rounds == 1 and p.base == 1 and p.labels <= p.order and not p.repairs)
    claims = (
        *consistent.shape(channel, p),
        count("a label a block, and no sum repaired", alone, ">=", 1),
        count("bits in which two words differ", apart, ">=", 1),
        count("queries >= order * length of a word", p.queries, ">=", p.order * length),
        Claim("probability that a label is nearer to another word <= δ", lambda: _nearer(channel, p, apart), "<=",
              lambda: real(channel.delta)),
    )  # fmt: skip
    over, fits = consistent.over(channel), consistent.conditions(channel, p)
    return Derived(p.labels, p.queries, p.classes, claims, over=over, listed=p.order * length, fits=fits)


def _nearer(channel: Channel, p: Averages, apart: int) -> Interval:
    """The mean of the errors of all passes that tell two words apart, half a gap off, for every label and other class."""
    left = channel.delta * SHARE if channel.random else ZERO
    gap = consistent.seen(channel, p)
    return left + p.labels * (p.classes - 1) * consistent.strays(channel, p, apart * p.order, gap / 2)
