"""Few scored rows of many, by counts: who is scored and not of class 0, which class those have, who else is scored.

Rows weigh a whole number of halves of a unit about the middle weight; how many are sought is counted first. Counts are cut as
`splitting` cuts those of wrong guesses, and take no more queries for fewer rows, or for fewer that are sought.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from threatplan.verify import corners, reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, columns_for_classes, count, logarithms, score_fits
from threatplan.verify.designs import Design, design_of
from threatplan.verify.intervals import INFINITY, ZERO, Interval, exp, log, real, smaller
from threatplan.verify.reading import Unreadable
from threatplan.verify.splitting import by_halving

FIELDS = ("kind", "queries", "labels", "amplitude", "unit", "centre", "later", "members", "members_gap", "others_amplitude",
          "others_unit", "others_centre", "classes")  # fmt: skip
GROUPS = 16  # of numbers of members, each reckoned with at its worst
LONGEST = 2**64  # numbers of an attack that anybody runs


@dataclass(frozen=True)
class Counting:
    """The parameters."""

    queries: int
    labels: int
    classes: int
    amplitude: int
    others_amplitude: int
    members: list[Design]
    unit: Fraction
    centre: Fraction
    later: Fraction
    members_gap: Fraction
    others_unit: Fraction
    others_centre: Fraction

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The smallest and the largest weight of the first part."""
        reach = self.unit * self.amplitude / 2
        return self.centre - reach, self.centre + reach

    @property
    def sound(self) -> bool:
        """Amplitudes of at least a unit either way, and one design for the classes of members where they have several."""
        told = all(one.sound and one.K in (2, self.classes - 1) for one in self.members)
        return told and len(self.members) == int(self.classes > 2) and self.amplitude > 1 != self.others_amplitude

    @property
    def for_classes(self) -> int:
        """Queries for the classes of members."""
        return sum(one.M * (1 if one.K > 2 else (self.classes - 2).bit_length()) for one in self.members)


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Counts of members, their classes, counts of the rows left."""
    p = _read(data)
    made_for = ("as many classes as it was made for", p.classes == channel.K)
    fits = (columns_for_classes(channel), logarithms(channel), made_for, *corners.conditions(channel))
    found = Derived(p.labels, p.queries, p.classes, _claims(channel, p), adaptive=True, fits=fits)
    return replace(found, of_a_part=True, membership=p.others_amplitude > 0)


def _read(data: reading.Data) -> Counting:
    reading.only(data, *FIELDS)
    names = "unit", "centre", "later", "members_gap", "others_unit", "others_centre"
    numbers: dict[str, Any] = {name: reading.rational(data, name) for name in names}
    wholes: dict[str, Any] = {name: reading.whole(data, name, 1) for name in ("queries", "labels", "amplitude")}
    wholes |= {
        "classes": reading.whole(data, "classes", 2),
        "others_amplitude": reading.whole(data, "others_amplitude"),
    }
    members = reading.items(data, "members")
    odd = max(one.denominator.bit_length() for one in numbers.values()) > 2**16 or max(wholes.values()) > LONGEST
    if odd or numbers["unit"] <= 0 or wholes["classes"] > 2**24 or len(members) > 1:
        raise Unreadable("numbers such as no such attack has")
    return Counting(members=[design_of(one) for one in members], **wholes, **numbers)


def _claims(channel: Channel, p: Counting) -> tuple[Claim, ...]:
    sound = count("amplitudes and designs that make an attack", int(p.sound), ">=", 1)
    if not p.sound:
        return (sound,)
    (least, most), pairs = p.ends, [(p.classes - 1, 1)]
    longest = 2 * (max(p.amplitude, p.others_amplitude) + 1) * max(channel.scored, 2 * p.queries)
    return (
        sound,
        corners.reach(channel, real(most), pairs),
        Claim("smallest weight > 0", lambda: real(least), ">", lambda: ZERO),
        Claim("unit > 2 (E + dev)", lambda: real(p.unit), ">",
              lambda: 2 * corners.error(channel, p.queries, real(least), real(most), False, pairs)),
        count("largest weight >= that of what follows", most, ">=", p.later),
        *_members(channel, p),
        *(_left(channel, p) if p.others_amplitude else ()),
        count("queries asked >= queries that suffice", p.queries, ">=", _enough(p, channel.N, channel.scored)),
        count("integers of the decoder < 2^60", longest, "<", 2**60),
        *score_fits(channel, p.queries, lambda: real(most) + log(p.classes)),
    )  # fmt: skip


def _later(channel: Channel, p: Counting) -> Interval:
    return 2 * corners.known_error(channel, p.queries, real(p.later))


def _members(channel: Channel, p: Counting) -> tuple[Claim, ...]:
    """A design of bits of their classes, or of the classes."""
    if not p.members:
        return ()
    (design,) = p.members
    return (
        count("room for the members >= scored rows", design.capacity, ">=", channel.scored),
        Claim("W of all classes >= gap x amplitude of members",
              lambda: smaller(channel.charges.stage_reach(channel, channel.K, 1), real(p.later)), ">=",
              lambda: real(p.members_gap * design.amplitude)),
        Claim("gap of members > 2 (E + dev)", lambda: real(p.members_gap), ">", lambda: _later(channel, p)),
    )  # fmt: skip


def _left(channel: Channel, p: Counting) -> tuple[Claim, ...]:
    """Rows left charge class 0 between two amounts."""
    reach = p.others_unit * p.others_amplitude / 2
    low, high = p.others_centre - reach, p.others_centre + reach

    def weight(charge: Fraction) -> Interval:
        return log((exp(real(charge)) - 1) / (p.classes - 1))

    return (
        Claim("smallest charge of rows that are left > 0", lambda: real(low), ">", lambda: ZERO),
        Claim("largest weight of what follows >= that of the lightest row left", lambda: real(p.later), ">=",
              lambda: -weight(low) if low > 0 else INFINITY),
        Claim("largest weight of what follows >= that of the heaviest row left", lambda: real(p.later), ">=",
              lambda: weight(high) if high > 0 else INFINITY),
        Claim("unit of rows that are left > 2 (E + dev)", lambda: real(p.others_unit), ">",
              lambda: _later(channel, p)),
    )  # fmt: skip


def _enough(p: Counting, rows: int, scored: int) -> int:
    """Over groups of numbers of members: as many members as the most, as many left as the fewest leave."""
    width, worst, low = -(-(scored + 1) // GROUPS), 0, 0
    while low <= scored:
        high = min(low + width - 1, scored)
        asked = by_halving(rows, high, p.amplitude) + (p.for_classes if high else 0)
        if p.others_amplitude:
            asked += by_halving(rows - low, scored - low, p.others_amplitude) - 1
        worst, low = max(worst, asked), low + width
    return worst
