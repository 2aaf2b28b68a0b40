"""Designs for K classes: labels are a few digits each, and the digits lie in components of a design of bits.

The record says what every level's components hold. Checked are: that sums of a component's digits are distinct, that
there are as many digits as the labels need, and that no label's digits cost more than the amplitude together.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import Any

from threatplan.verify import reading
from threatplan.verify.reading import Unreadable
from threatplan.verify.sets import popcounts

MOST_SUMS = 2**18  # of a core, listed to see that they are distinct
MOST_DIGITS = 4096  # of a component


@dataclass(frozen=True)
class Digits:
    """Digits of one component: the radix of each, and the largest value it adds."""

    radices: tuple[int, ...]
    largest: tuple[int, ...]


@dataclass(frozen=True)
class Kary:
    """A design for labels of K classes."""

    M: int
    K: int
    A: int
    capacity: int
    sound: bool  # whether the digits suffice, and are told apart


def kary(data: reading.Data) -> Kary:
    """The design of a record, and whether its digits suffice."""
    reading.only(data, "type", "M", "K", "A", "recipe", "held", "labels", "spares")
    M, K, A = (reading.whole(data, name, 1) for name in ("M", "K", "A"))
    labels, spares = reading.whole(data, "labels"), reading.whole(data, "spares")
    recipe = reading.record(data, "recipe")
    reading.only(recipe, "type", "radix", "main", "bits")
    radix, main, bits = reading.whole(recipe, "radix", 2), _few(recipe, "main"), _few(recipe, "bits")
    counts = popcounts(M)
    held = reading.items(data, "held")
    if len(held) < len(counts) - (counts[-1] == 0):
        raise Unreadable("`held` has fewer levels than the design")
    levels = list(_levels(held, counts))
    pools = {kind: _pool(levels, kind) for kind in {2, radix}}
    own_bits = (K - 1).bit_length()
    sound = (
        radix**main * 2**bits >= K
        and (main > 0 or bits > 0)
        and (radix > 2 or main == 0)
        and (spares == 0 or bits == 0)
        and all(-(-top >> p) <= A for p, _, digits in levels for top in digits.largest)
        and _dealt([(pools[radix], main), (pools[2], bits)], labels, A)
        and _dealt([(pools[2], own_bits)], spares, A)
    )
    return Kary(M, K, A, labels + spares, sound)


def _few(data: reading.Data, name: str) -> int:
    value = reading.whole(data, name)
    if value > 256:
        raise Unreadable(f"`{name}` is {value}")
    return value


def _levels(held: list[Any], counts: list[int]) -> Iterator[tuple[int, int, Digits]]:
    """For every level: how many components hold which digits."""
    for p, count in enumerate(counts):
        if not count:
            continue
        part = held[p]
        if reading.text_of(part, "type") == "split":
            reading.only(part, "type", "first", "second", "at")
            at = reading.whole(part, "at")
            if at > count:
                raise Unreadable("a level is split beyond its components")
            yield p, at, _digits(reading.record(part, "first"))
            yield p, count - at, _digits(reading.record(part, "second"))
        else:
            yield p, count, _digits(part)


def _digits(data: reading.Data) -> Digits:
    """Low digits in mixed radix; above them, scaled by all of them, a core whose sums must be distinct."""
    reading.only(data, "type", "low", "core")
    if reading.text_of(data, "type") != "digits":
        raise Unreadable("a level holds no digits")
    low, core = reading.items(data, "low"), reading.items(data, "core")
    if len(low) + len(core) > MOST_DIGITS or not all(type(radix) is int and radix >= 2 for radix in low):
        raise Unreadable("`low` is no list of radices")
    if not all(
        isinstance(values, list) and values and all(type(v) is int and v > 0 for v in values) for values in core
    ):
        raise Unreadable("`core` is no list of digits")
    if prod(len(values) + 1 for values in core) > MOST_SUMS or not _distinct(core):
        raise Unreadable("`core` has sums that are alike, or too many to be listed")
    largest, place = [], 1
    for radix in low:
        largest.append(place * (radix - 1))
        place *= radix
    return Digits((*low, *(len(values) + 1 for values in core)), (*largest, *(place * max(values) for values in core)))


def _distinct(core: list[list[int]]) -> bool:
    sums = [0]
    for values in core:
        sums = [total + value for total in sums for value in (0, *values)]
    return len(set(sums)) == len(sums)


@dataclass(frozen=True)
class Pool:
    """Digits of one radix, ascending in cost: the costs that occur, and where the digits of each end."""

    costs: tuple[int, ...]
    ends: tuple[int, ...]

    def cost(self, i: int) -> int:
        """What digit i costs."""
        return self.costs[bisect_right(self.ends, i)]


def _pool(levels: list[tuple[int, int, Digits]], radix: int) -> Pool:
    """A digit's cost is the largest entry it takes: its largest value, spread over 2^p queries."""
    counts: dict[int, int] = {}
    for p, components, digits in levels:
        for kind, top in zip(digits.radices, digits.largest, strict=True):
            if kind == radix:
                cost = -(-top >> p)
                counts[cost] = counts.get(cost, 0) + components
    costs = sorted(cost for cost in counts if counts[cost])
    return Pool(tuple(costs), tuple(accumulate(counts[cost] for cost in costs)))


def _dealt(kinds: list[tuple[Pool, int]], labels: int, most: int) -> bool:
    """Whether every label gets its digits, and none more than `most` worth of them.

    Slots are filled from cheap to dear one after the other, the dearest of them from dear to cheap.
    """
    if labels == 0:
        return True
    slots = [(pool, slot * labels) for pool, count in kinds for slot in range(count)]
    if not slots or any(not pool.ends or start + labels > pool.ends[-1] for pool, start in slots):
        return False
    highest = [pool.cost(start + labels - 1) for pool, start in slots]
    turned = highest.index(max(highest))

    def place(slot: int, i: int) -> int:
        return labels - 1 - i if slot == turned else i

    # Between two ends of runs nothing changes.
    looked_at = {0, labels - 1}
    for slot, (pool, start) in enumerate(slots):
        for end in pool.ends:
            looked_at |= {place(slot, at) for at in (end - start - 1, end - start) if 0 <= at < labels}
    return all(
        sum(pool.cost(start + place(slot, i)) for slot, (pool, start) in enumerate(slots)) <= most for i in looked_at
    )
