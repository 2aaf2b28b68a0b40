"""Comparisons on a secret part: counting its classes, then testing rows for members of one class and of the other.

A scored row of weight w pays s(w) if its class is cheap and w + s(w) if it is dear. A sum that is put on a boundary of the
rounding must be within reach of the weights that move it, a cell n q, and what it parts must be farther from it than errors.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from threatplan.verify import corners, reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import NOISE, NOTHING, Claim, Derived, count, two_classes, wide_floats, wide_scores
from threatplan.verify.hunting import splitting
from threatplan.verify.intervals import Interval, power_of_two, real
from threatplan.verify.reading import Unreadable
from threatplan.verify.thresholds import MOST_DECIMALS

SIZES = 256  # of the commoner class that are looked at one by one; of more, some at a time
LONGEST = 2**64  # numbers of an attack that anybody runs


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Counts by bisection, and Hwang's splitting for each class that is looked for."""
    reading.only(data, "kind", "queries", "labels", "start", "least", "turn", "most", "rarest", "both")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    start, least, turn, most = (reading.rational(data, name) for name in ("start", "least", "turn", "most"))
    rarest, both = reading.whole(data, "rarest"), reading.truth(data, "both")
    lengths = [one.denominator.bit_length() for one in (start, least, turn, most)]
    if start <= 0 or max(lengths) > 2**16 or max(queries, rarest) > LONGEST:
        raise Unreadable("a weight that no such attack has")
    n, unit = channel.scored, _unit(channel)

    def rest(weight: Fraction) -> Interval:
        return channel.charges.corner_rest(real(weight), 1, 1)

    def charge() -> Interval:
        return real(most) + rest(start)

    def of_score() -> Interval:
        return channel.constant(queries) - channel.half_unit() + channel.relative() * charge()

    def error() -> Interval:
        own = (charge() + abs(channel.centre())) * power_of_two(-48)
        return n * (of_score() + own) + channel.charges.corner_missed(channel, real(most), True)

    def moved() -> Interval:
        return real((2 * rarest - 1) * (turn - least) / 2) - n * (rest(least) - rest(turn)) / 2

    claims = (
        corners.reach(channel, real(most)),
        count("least weight of all rows in a test >= weight that counting starts at", least, ">=", start),
        Claim("range of all rows >= one cell n q",
              lambda: n * (real((most - start) / 2) - (rest(start) - rest(most))), ">=", lambda: real(n * unit)),
        Claim("half the weight that counting starts at > error", lambda: real(start / 2), ">", error),
        Claim("range of the fewest members >= one cell n q", moved, ">=", lambda: real(n * unit)),
        Claim("margin of a test > error", lambda: (real(most - turn) - n * (rest(least) - rest(most))) / 2, ">", error),
        count("fewest members <= those of the commoner class", rarest, "<=", n - n // 2),
        Claim("float error of a shown score, in its last decimal < 1/4",
              lambda: (charge() + abs(channel.centre()) + of_score()) * power_of_two(-51) / unit, "<",
              lambda: real(Fraction(1, 4))),
        count("queries >= comparisons that suffice", queries, ">=", _enough(channel.N, n, rarest, both)),
    )  # fmt: skip
    over = NOISE if channel.unbounded else NOTHING
    found = Derived(labels, queries, 2, claims, adaptive=True, over=over, fits=_fits(channel))
    return replace(found, of_a_part=True, membership=both)


def _unit(channel: Channel) -> Fraction:
    """The last decimal that is shown; of others nothing is derived."""
    if not channel.step:
        raise Unreadable("scores that are not rounded to decimals")
    return channel.step


def _fits(channel: Channel) -> tuple[tuple[str, bool], ...]:
    """Rounding that a float64 shows, on a known part of the rows."""
    return (
        two_classes(channel),
        wide_floats(channel),
        wide_scores(channel),
        ("a float64 shows all decimals", channel.step * 10**MOST_DECIMALS >= 1),
        ("random noise leaves a doubt", not channel.random or channel.delta > 0),
        *corners.conditions(channel),
    )


def _enough(rows: int, scored: int, rarest: int, both: bool) -> int:
    """Bisection over 0 to n members, and the tests of the classes; the more members or rows, the more tests."""
    halvings = scored.bit_length()
    if not both:
        # Labels alone: the rarer class, or the other where that one has too few members to move a cell, but some.
        few = splitting(rows, scored // 2)
        return halvings + (few if rarest <= 1 else max(few, splitting(rows, scored - 1)))
    smallest = scored - scored // 2
    width = -(-(scored - smallest + 1) // SIZES)
    worst, low = 0, smallest
    while low <= scored:
        high = min(low + width - 1, scored)
        worst = max(worst, splitting(rows, high) + splitting(rows - low, scored - low))
        low += width
    return halvings + worst
