"""Labels and split by corner rows of either class: three states a row, read modulo 3.

A component with 2^p slots holds a row for each m = c 3^k <= high 2^(p-1), c no multiple of 3, whose parts on half of the
slots are integers between low and high: floors and ceilings of m/2^(p-1). Where high is 1, slots are turned instead.
"""

from __future__ import annotations

from dataclasses import replace

from threatplan.verify import corners, reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, count, room, two_classes
from threatplan.verify.intervals import Interval, real
from threatplan.verify.reading import Unreadable
from threatplan.verify.sets import popcounts

LARGEST = 2**128  # number in a design


def derive(channel: Channel, data: reading.Data) -> Derived:
    """All rows in every query, by whole gaps."""
    reading.only(data, "kind", "queries", "labels", "design", "gap", "settling")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    design, gap = reading.record(data, "design"), reading.rational(data, "gap")
    settling = reading.whole(data, "settling")
    reading.only(design, "type", "blocks", "seed")
    seed = reading.record(design, "seed")
    reading.only(seed, "type", "high", "low")
    blocks, high, low = reading.whole(design, "blocks", 1), reading.whole(seed, "high"), reading.whole(seed, "low")
    if (design["type"], seed["type"]) != ("lindstrom", "corner") or max(blocks, high) > LARGEST:
        raise Unreadable("a design of other rows, or of absurd numbers")
    if gap <= 0 or gap.denominator.bit_length() > 2**16:
        raise Unreadable("`gap` has a value that no such attack has")
    sound = 1 <= low <= high
    least, most = real(low * gap), real(high * gap)

    def error() -> Interval:
        return 2 * corners.error(channel, queries, real(low * gap), real(high * gap), either=True)

    claims = (
        count("designs that hold what they say", int(sound), ">=", 1),
        corners.reach(channel, most),
        Claim("gap > 2 (E + dev)", lambda: real(gap), ">", error),
        room(capacity(blocks, high, low) if sound else 0, labels),
        count("rows of the design >= N", labels, ">=", channel.N),
        count("queries asked >= queries of the design and of settling", queries, ">=", blocks + settling),
        count("queries of settling >= numbers of scored rows, less one", settling, ">=", channel.uncertain),
        *corners.fits(channel, queries, least, most),
    )
    fits = (two_classes(channel), *corners.conditions(channel)[:-1])  # a number of scored rows may have to be settled
    listed = None if settling else blocks
    found = Derived(labels, queries, 2, claims, settling > 0, listed=listed, fits=fits)
    return replace(found, of_a_part=True, membership=True)


def capacity(blocks: int, high: int, low: int) -> int:
    """Rows that components of so many queries hold; one of no bits tells class 0 and rows that are not scored alike."""
    return sum(number * held(high, low, p) for p, number in enumerate(popcounts(blocks)) if p)


def held(high: int, low: int, p: int) -> int:
    """Powers of 3 with a multiple that fits and that 3 times the power does not divide."""
    half, k = 2 ** (p - 1), 0
    while 3**k <= high * half:
        largest = high * half // 3**k
        largest -= largest % 3 == 0
        if high > 1 and largest * 3**k // half < low:
            break
        k += 1
    return k
