"""Labels of a secret part: a design about the middle of a corner's weights, and one query that counts class 1."""

from __future__ import annotations

from threatplan.verify import corners, reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, columns_for_classes, count, room
from threatplan.verify.designs import design_of
from threatplan.verify.intervals import ZERO, Interval, real
from threatplan.verify.reading import Unreadable


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Entries move weights about the centre by whole gaps; a count moves a sum by the largest weight, which is more."""
    reading.only(data, "kind", "queries", "labels", "design", "gap", "centre", "digits")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    design = design_of(reading.record(data, "design"))
    gap, centre = reading.rational(data, "gap"), reading.rational(data, "centre")
    digits = reading.whole(data, "digits", 1)
    if digits > 64 or gap <= 0 or max(gap.denominator.bit_length(), centre.denominator.bit_length()) > 2**16:
        raise Unreadable("`gap` or `centre` has a value that no such attack has")
    lowest, highest = centre - gap * design.amplitude, centre + gap * design.amplitude
    least, most = real(lowest), real(highest)
    sound = design.sound and design.K == 2

    def error() -> Interval:
        return 2 * corners.error(channel, queries, real(lowest), real(highest), either=False)

    claims = (
        corners.reach(channel, most),
        Claim("smallest weight > 0", lambda: real(lowest), ">", lambda: ZERO),
        Claim("gap > 2 (E + dev)", lambda: real(gap), ">", error),
        count("designs that hold what they say", int(sound), ">=", 1),
        room(design.capacity if sound else 0, labels),
        count("digits of a class", digits, "<=", (channel.K - 1).bit_length()),
        *corners.fits(channel, queries, least, most),
    )
    fits = (columns_for_classes(channel), *corners.conditions(channel))
    listed = (design.M + 1) * digits
    return Derived(labels, queries, 2**digits, claims, listed=listed, fits=fits, of_a_part=True)
