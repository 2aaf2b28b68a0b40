"""Who is scored, by rows that charge every class alike; then the labels of those rows, a board of their own."""

from __future__ import annotations

from dataclasses import replace

from threatplan.verify import corners, reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, any_sums, count, logarithms, room, score_fits
from threatplan.verify.design import stages_of
from threatplan.verify.designs import design_of
from threatplan.verify.intervals import Interval, real
from threatplan.verify.reading import Unreadable

FIELDS = ("kind", "queries", "labels", "asking", "asking_gap", "asking_centre", "part", "design", "gap", "digits")


def derive(channel: Channel, data: reading.Data) -> Derived:
    """A scored row charges what its entry says, any other nothing; n times the middle is known."""
    reading.only(data, *FIELDS)
    queries, labels, part = (reading.whole(data, name, 1) for name in ("queries", "labels", "part"))
    asking, stages = design_of(reading.record(data, "asking")), stages_of(data)
    gap, centre = reading.rational(data, "asking_gap"), reading.rational(data, "asking_centre")
    if gap <= 0 or max(gap.denominator.bit_length(), centre.denominator.bit_length()) > 2**16 or part > 2**64:
        raise Unreadable("numbers such as no such attack has")
    least, most = (centre + sign * gap * asking.amplitude for sign in (-1, 1))
    sound = asking.sound and asking.K == 2

    def reach() -> Interval:
        return channel.charges.corner_reach(channel, 1)

    n = channel.scored
    board = replace(channel, N=n, target=n, radius=n, uncertain=0, membership=False)
    claims = (
        count("designs that hold what they say", int(sound), ">=", 1),
        Claim("W >= largest charge", reach, ">=", lambda: real(most)),
        Claim("smallest charge >= that of the largest prediction", lambda: real(least), ">=",
              lambda: channel.charges.corner_rest(reach(), 1, 1)),
        Claim("gap > 2 (E + dev) of who is scored", lambda: real(gap), ">",
              lambda: 2 * corners.known_error(channel, queries, real(most))),
        room(asking.capacity if sound else 0, channel.N),
        count("labels of the second part >= scored rows", part, ">=", n),
        count("queries asked >= queries of both parts", queries, ">=", asking.M + stages.design.M * stages.digits),
        *score_fits(channel, queries, lambda: real(most)),
        *stages.claims(board, queries, part),
    )  # fmt: skip
    fits = (
        any_sums(channel),
        logarithms(channel),
        ("a design of bits, or one stage for all classes", stages.suits(channel)),
        *corners.conditions(channel),
    )
    found = Derived(labels, queries, stages.told, claims, adaptive=True, fits=fits)
    return replace(found, of_a_part=True, membership=True)
