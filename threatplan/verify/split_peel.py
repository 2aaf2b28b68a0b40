"""Several classes of a secret part: who is not of class 0, which class those have, who is scored of the rest.

The first question is a design about the middle of a corner's weights. Those whom it finds are scored; whoever is left is of
class 0 if it is scored. So later rows hide nothing but what is asked. Of designs for the members the first that holds them is
taken, and with it the one beside it for the rows that are left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from threatplan.verify import corners, reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, columns_for_classes, count, logarithms, room, score_fits
from threatplan.verify.designs import Design, design_of
from threatplan.verify.intervals import INFINITY, ZERO, Interval, exp, log, real, smaller
from threatplan.verify.reading import Unreadable

FIELDS = ("kind", "queries", "labels", "design", "gap", "centre", "members", "members_gap", "others", "others_gap",
          "others_centre", "classes")  # fmt: skip
MOST_DESIGNS = 64


@dataclass(frozen=True)
class Peel:
    """The parameters."""

    queries: int
    labels: int
    classes: int
    design: Design
    members: list[Design]
    others: list[Design]
    gap: Fraction
    centre: Fraction
    members_gap: Fraction
    others_gap: Fraction
    others_centre: Fraction

    @property
    def most(self) -> Fraction:
        """The largest weight."""
        return self.centre + self.gap * self.design.amplitude

    @property
    def least(self) -> Fraction:
        """The smallest of the first question."""
        return self.centre - self.gap * self.design.amplitude

    @property
    def sound(self) -> bool:
        """Designs of bits, those of members of bits or of all their classes, and as many for the rows left, or none."""
        bits = all(one.sound and one.K == 2 for one in (self.design, *self.others))
        told = all(one.sound and one.K in (2, self.classes - 1) for one in self.members)
        return bits and told and bool(self.members) and len(self.others) in (0, len(self.members))


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Questions about all rows, about members by their classes, and about the rows left."""
    p = _read(data)
    made_for = ("as many classes as it was made for", p.classes == channel.K)
    fits = (columns_for_classes(channel), logarithms(channel), made_for, *corners.conditions(channel))
    found = Derived(p.labels, p.queries, p.classes, _claims(channel, p), adaptive=True, fits=fits)
    return replace(found, of_a_part=True, membership=bool(p.others))


def _read(data: reading.Data) -> Peel:
    reading.only(data, *FIELDS)
    names = "gap", "centre", "members_gap", "others_gap", "others_centre"
    numbers = {name: reading.rational(data, name) for name in names}
    members, others = (reading.items(data, name) for name in ("members", "others"))
    classes = reading.whole(data, "classes", 3)
    odd = numbers["gap"] <= 0 or max(one.denominator.bit_length() for one in numbers.values()) > 2**16
    if odd or classes > 2**24 or max(len(members), len(others)) > MOST_DESIGNS:
        raise Unreadable("gaps, designs or classes such as no such attack has")
    return Peel(
        reading.whole(data, "queries", 1),
        reading.whole(data, "labels", 1),
        classes,
        design_of(reading.record(data, "design")),
        [design_of(one) for one in members],
        [design_of(one) for one in others],
        *numbers.values(),
    )


def _claims(channel: Channel, p: Peel) -> tuple[Claim, ...]:
    sound = count("designs that hold what they say", int(p.sound), ">=", 1)
    if not p.sound:
        return (sound,)
    pairs = [(p.classes - 1, 1)]
    least, most = p.least, p.most
    widest = p.members_gap * max(one.amplitude for one in p.members)

    def first() -> Interval:
        return 2 * corners.error(channel, p.queries, real(least), real(most), False, pairs)

    return (
        sound,
        corners.reach(channel, real(most), pairs),
        Claim("smallest weight > 0", lambda: real(least), ">", lambda: ZERO),
        Claim("gap > 2 (E + dev)", lambda: real(p.gap), ">", first),
        room(p.design.capacity, channel.N),
        count("room for the members >= scored rows", max(one.capacity for one in p.members), ">=", channel.scored),
        Claim("W of all classes >= gap x amplitude of members",
              lambda: smaller(channel.charges.stage_reach(channel, channel.K, 1), real(most)), ">=",
              lambda: real(widest)),
        Claim("gap of members > 2 (E + dev)", lambda: real(p.members_gap), ">", lambda: _later(channel, p)),
        *(_left(channel, p) if p.others else ()),
        count("queries asked >= queries of all questions", p.queries, ">=", _asked(p, channel.scored)),
        *score_fits(channel, p.queries, lambda: real(most) + log(p.classes)),
    )  # fmt: skip


def _later(channel: Channel, p: Peel) -> Interval:
    return 2 * corners.known_error(channel, p.queries, real(p.most))


def _left(channel: Channel, p: Peel) -> tuple[Claim, ...]:
    """Rows left charge class 0 between two amounts; what remains of 1 the other classes share."""
    reach = p.others_gap * max(one.amplitude for one in p.others)
    low, high = p.others_centre - reach, p.others_centre + reach
    spare = min(p.others[place].capacity - channel.N + fewest for place, fewest in _ways(p, channel.scored))

    def weight(charge: Fraction) -> Interval:
        return log((exp(real(charge)) - 1) / (p.classes - 1))

    return (
        count("room for the rows that are left, less their number >= 0", spare, ">=", 0),
        Claim("smallest charge of rows that are left > 0", lambda: real(low), ">", lambda: ZERO),
        Claim("largest weight >= that of the lightest row left", lambda: real(p.most), ">=",
              lambda: -weight(low) if low > 0 else INFINITY),
        Claim("largest weight >= that of the heaviest row left", lambda: real(p.most), ">=",
              lambda: weight(high) if high > 0 else INFINITY),
        Claim("gap of rows that are left > 2 (E + dev)", lambda: real(p.others_gap), ">", lambda: _later(channel, p)),
    )  # fmt: skip


def _ways(p: Peel, scored: int) -> list[tuple[int, int]]:
    """Designs of members that some number of them leads to: the first that holds them; with the fewest such."""
    found, held = [], -1
    for place, one in enumerate(p.members):
        if held < scored and one.capacity > held:
            found.append((place, held + 1))
            held = one.capacity
    return found


def _asked(p: Peel, scored: int) -> int:
    """The first question with its count, and the dearest way from there."""
    ways = []
    for place, _ in _ways(p, scored):
        design = p.members[place]
        stages = 1 if design.K > 2 else (p.classes - 2).bit_length()
        ways.append(stages * design.M + (p.others[place].M if p.others else 0))
    return p.design.M + 1 + max(ways)
