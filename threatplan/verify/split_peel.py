"""Several classes of a secret part: who is not of class 0, which class those have, who is scored of the rest.

Each question is a design about the middle of a corner's weights. Members of the first answer are scored, so at most n.
"""

from __future__ import annotations

from dataclasses import replace

from threatplan.verify import corners, reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, columns_for_classes, count, room
from threatplan.verify.designs import design_of
from threatplan.verify.intervals import ZERO, Interval, real
from threatplan.verify.reading import Unreadable


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Questions about all rows, about members by the digits of their class less one, and about the rows left."""
    fields = "kind", "queries", "labels", "design", "members", "gap", "centre", "classes", "rest"
    reading.only(data, *fields)
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    whole, members = (design_of(reading.record(data, name)) for name in ("design", "members"))
    gap, centre = reading.rational(data, "gap"), reading.rational(data, "centre")
    classes, rest = reading.whole(data, "classes", 3), reading.truth(data, "rest")
    if gap <= 0 or max(gap.denominator.bit_length(), centre.denominator.bit_length()) > 2**16 or classes > 2**24:
        raise Unreadable("`gap`, `centre` or `classes` has a value that no such attack has")
    lowest, highest = centre - gap * whole.amplitude, centre + gap * whole.amplitude
    digits = _digits(classes)
    pairs = [(classes - 1, 1), *digits, *([(1, classes - 1)] if rest else [])]
    sound = whole.sound and members.sound and whole.K == members.K == 2 and members.amplitude <= whole.amplitude
    asked = whole.M + 1 + len(digits) * (members.M + 1) + (whole.M if rest else 0)

    def error() -> Interval:
        return 2 * corners.error(channel, queries, real(lowest), real(highest), False, pairs)

    claims = (
        corners.reach(channel, real(highest), pairs),
        Claim("smallest weight > 0", lambda: real(lowest), ">", lambda: ZERO),
        Claim("gap > 2 (E + dev)", lambda: real(gap), ">", error),
        count("designs that hold what they say", int(sound), ">=", 1),
        room(whole.capacity if sound else 0, channel.N),
        count("room for the members >= scored rows", members.capacity if sound else 0, ">=", channel.scored),
        count("queries asked >= queries of all questions", queries, ">=", asked),
        *corners.fits(channel, queries, real(lowest), real(highest), pairs),
    )
    made_for = ("as many classes as it was made for", classes == channel.K)
    fits = (columns_for_classes(channel), made_for, *corners.conditions(channel))
    found = Derived(labels, queries, classes, claims, adaptive=True, fits=fits)
    return replace(found, of_a_part=True, membership=rest)


def _digits(classes: int) -> list[tuple[int, int]]:
    """Of the classes k from 1 on, how many have a binary digit of k - 1, and how many classes there are beside."""
    found = []
    for bit in range((classes - 2).bit_length()):
        dear = sum(k >> bit & 1 for k in range(classes - 1))
        found.append((dear, classes - dear))
    return found
