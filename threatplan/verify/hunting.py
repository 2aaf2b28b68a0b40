"""Wrong labels of a guess, found by comparisons that ask whether any of many rows is wrong."""

from __future__ import annotations

from dataclasses import dataclass

from threatplan.verify import reading, secret
from threatplan.verify.channel import Channel
from threatplan.verify.claims import NOISE, NOTHING, Derived, count, two_classes
from threatplan.verify.thresholds import Thresholds, fits, read, setting, with_offset


@dataclass(frozen=True)
class Hunt(Thresholds):
    """The parameters."""

    wrong: int


def derive(channel: Channel, data: reading.Data) -> Derived:
    """The offset's count, the hunt outside of it and its verification, and the offset's own labels in the cheaper way."""
    p = Hunt(**read(data, "wrong"), wrong=reading.whole(data, "wrong"))
    inside, outside = p.offset_rows, p.rows - p.offset_rows
    own = min(max(0, inside - 1), splitting(inside, p.wrong) + 1)
    claims = (
        *setting(channel, p),
        *with_offset(p),
        count("wrong labels that are reckoned with >= labels that the guess may have wrong", p.wrong, ">=",
              channel.radius),
        count("queries >= bootstrap + tests + verification + offset's own", p.queries, ">=",
              p.bootstrap + splitting(outside, p.wrong) + 1 + own),
    )  # fmt: skip
    over = NOISE if channel.unbounded else NOTHING
    known = (two_classes(channel), ("a guess of all labels, or their count", secret.informed(channel)))
    return Derived(p.labels, p.queries, p.classes, claims, adaptive=True, over=over, fits=(*fits(channel, p), *known))


def splitting(n: int, d: int) -> int:
    """The most tests of Hwang's splitting for at most d defectives among n.

    One more group of 2^a rows costs one test more; when rows are left for d groups of twice the size, groups double. From
    n = 2d - 1 on, where 2d - 1 single tests are enough, that makes d tests more for each doubling.
    """
    if d <= 0 or n <= 0:
        return 0
    if n < 2 * d - 1:
        return n
    size, tests = 1, 2 * d - 1
    while n - d + 1 >= 2 * size * d:
        size, tests = 2 * size, tests + d
    return tests + (n - d + 1 - size * d) // size
