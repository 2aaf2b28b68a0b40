"""A Ladder from infinity: rows at sides that coins chose pay for room, and put every sum just below the board's edge.

j rows lean with the same odds, e of them the wrong way; n are asked one by one. What is shown first says what e is but
for a few numbers. Each comparison is decided by one row, or by one wrong side more; and the room must last for as many
falls as n coins make at most, from as many wrong sides as j coins make at least, but for Hoeffding's exp(-2 x^2/count)
each.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import COINS, Claim, Derived, carried, count
from threatplan.verify.groups import QUARTER
from threatplan.verify.intervals import ZERO, Interval, exp, hull, power_of_two, real
from threatplan.verify.patterns import FLOATS, HALF, two_class_floats
from threatplan.verify.reading import Unreadable

LARGEST = 64  # no charge of a row that leaves 2^-53 is above
FALL_OF_FIRST = 2  # steps that are gone when the first row is asked: the edge, and the count


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Room for every fall, and one reason for each."""
    reading.only(data, "kind", "queries", "labels", "doubt", "below", "counts", "least", "most", "seed")
    queries, n = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    p, T = reading.rational(data, "doubt"), reading.rational(data, "below")
    counts, least, most = (reading.whole(data, name) for name in ("counts", "least", "most"))
    reading.whole(data, "seed")
    j = channel.N - n
    if not 0 < 2 * p < 1 or not T > 0 or j < 1:
        raise Unreadable("`doubt` is no probability below a half, no sum is below the edge, or no row is left to pay")
    released = channel.release.name == "ladder" and channel.release.start is None
    fits = (*two_class_floats(channel), ("a Ladder from infinity", released), ("coins decide", channel.delta > 0))
    if not all(met for _, met in fits):
        return Derived(n, queries, 2, (), adaptive=True, over=COINS, releases=("ladder",), fits=fits)
    charges, half = channel.charges, channel.even()
    eta, missed = hull(channel.release.eta.lo, channel.release.eta.hi), real(T * QUARTER)
    light, weight, step = charges.light(p), charges.weight(p), channel.N * eta

    def off() -> Interval:
        return replace(channel, shown=None).sum_error(1, charges.heavy(p))

    def bought() -> Interval:
        return n * half + j * light + least * weight - off() - step / 2

    def room(falls: int, sure: int) -> Interval:
        return bought() - step * falls - real(T) - ((channel.N - sure) * half + sure * light)

    def least_lean() -> Interval:
        return (bought() - step - real(T) - missed - channel.N * half) / j

    def both() -> Interval:
        return real(T) + missed + off()

    def chance() -> Interval:
        few, many = j * HALF - least, most - n * HALF
        return exp(real(-2 * few * few / j)) + exp(real(-2 * many * many / n))

    def hidden() -> Interval:
        unit = real(0) if channel.shown is None else 2 * channel.half_unit()
        return unit + real(2 * FLOATS * (1 + LARGEST))

    safe = 0 < 2 * least <= j and 2 * most >= n and counts >= 1
    claims = (
        carried(channel, [p, 1 - p]),
        count("rows that are not asked, and falls on the safe side of half", int(safe), ">=", 1),
        count("queries >= the first, the count and one a label", queries, ">=", 1 + counts + n),
        Claim("chance of fewer wrong sides or more falls <= δ", chance, "<=", lambda: real(channel.delta)),
        Claim("room for the count > 0", lambda: room(1, 0), ">", lambda: ZERO),
        Claim("room for the first label > 0", lambda: room(FALL_OF_FIRST, 1), ">", lambda: ZERO),
        Claim("room after the last fall > 0", lambda: room(FALL_OF_FIRST + most, min(most + 1, n)), ">", lambda: ZERO),
        Claim("what the rows that lean can do > what one more sure row does", lambda: least * weight, ">",
              lambda: (j + 1) * half),
        Claim("a step and a half > ln 2 + E", lambda: step * real(Fraction(3, 2)), ">", lambda: half + off()),
        Claim("grid of predictions < T/8", lambda: channel.N * (2 + 1 / real(p)) * power_of_two(-53), "<",
              lambda: real(T / 8)),
        Claim("numbers of wrong sides that a first score leaves", lambda: counts * weight, ">", lambda: step + 2 * off()),
        Claim("T > T/4 + E", lambda: real(T), ">", lambda: missed + off()),
        Claim("a side that is counted > T + T/4 + E", least_lean, ">", both),
        Claim("weight of a row > T + T/4 + E", lambda: weight, ">", both),
        Claim("half a step N η/2 > T + T/4 + E", lambda: step / 2, ">", both),
        Claim("half a step > what is shown may be off, twice", lambda: eta / 2, ">", hidden),
    )  # fmt: skip
    return Derived(n, queries, 2, claims, adaptive=True, over=COINS, releases=("ladder",), fits=fits)
