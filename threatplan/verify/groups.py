"""A Ladder from a level against a guess: wrong guesses are counted, then groups without a fault make the board fall.

Rows that lean to their guess by log-odds a are charged -ln q if it is right and a more if not, so a sum tells of wrong
guesses only how many there are. It is set T below the board's edge, which a float64 meets to T/4 where sums at two leans
lie on both sides. While they are counted one wrong guess more adds a; in a group that is sure it adds what such a row
weighs, less a.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, carried, count
from threatplan.verify.intervals import ZERO, Interval, hull, power_of_two, real
from threatplan.verify.patterns import half_a_step, ladder_from_a_level
from threatplan.verify.reading import Unreadable
from threatplan.verify.secret import informed

QUARTER = Fraction(1, 4)


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Every target is met, and what falls falls for one reason."""
    reading.only(data, "kind", "queries", "labels", "doubt", "lean", "below", "size", "falls", "radius")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    p, lean, T = (reading.rational(data, name) for name in ("doubt", "lean", "below"))
    size, falls, wrong = (reading.whole(data, name) for name in ("size", "falls", "radius"))
    if not 0 < p < lean < 1 - lean or not T > 0:
        raise Unreadable("rows that lean are between sure ones and even ones, and sums are below the edge")
    fits = (*ladder_from_a_level(channel), ("a guess", informed(channel)))
    if not all(met for _, met in fits):
        return Derived(labels, queries, 2, (), adaptive=True, releases=("ladder",), fits=fits)
    N, charges, release = channel.N, channel.charges, channel.release
    missed = real(T * QUARTER)

    def off() -> Interval:
        return replace(channel, shown=None).sum_error(1, charges.heavy(p))

    def step() -> Interval:
        return N * hull(release.eta.lo, release.eta.hi)

    def edge() -> Interval:
        return N * hull(release.start.lo, release.start.hi) - step()

    def strongest(sure: int) -> Interval:
        return (N - sure) * charges.light(lean) + wrong * charges.weight(lean) + sure * charges.light(p)

    def room(fell: int) -> Interval:
        later = edge() - real(T) - missed - off() - step() * real(fell + Fraction(3, 2))
        return later - real(T) - strongest((fell + 1) * size)

    def least() -> Interval:
        return 2 * (N * channel.even() - edge() + real(T) - missed) / N

    def both() -> Interval:
        return real(T) + missed + off()

    counted = size >= 1 and falls >= 1 and wrong >= channel.radius
    claims = (
        carried(channel, [p, 1 - p, lean, 1 - lean]),
        count("groups, a lean below a half, and no guess more wrong than may be", int(counted), ">=", 1),
        count("rows of groups with and without a fault <= rows", (falls + wrong) * size, "<=", N),
        count("rows of groups without one >= labels", falls * size, ">=", labels),
        count("queries >= counts and groups", queries, ">=", 2 * wrong + 1 + falls),
        Claim("rows at 1/2 - first target > 0", lambda: N * channel.even() - edge() + real(T), ">", lambda: ZERO),
        Claim("first target - rows that lean to their guesses > 0", lambda: edge() - real(T) - strongest(0), ">",
              lambda: ZERO),
        Claim("rows that lean against their guesses > every target",
              lambda: (N - falls * size) * charges.heavy(lean) - wrong * charges.weight(lean), ">", edge),
        Claim("target of the first group - sum with as many faults as may be > 0", lambda: room(0), ">", lambda: ZERO),
        Claim("target of the last group - sum with as many faults as may be > 0", lambda: room(falls - 1), ">",
              lambda: ZERO),
        Claim("grid of predictions < T/8", lambda: N * (2 + 1 / real(lean)) * power_of_two(-53), "<",
              lambda: real(T / 8)),
        Claim("T > T/4 + E", lambda: real(T), ">", lambda: missed + off()),
        Claim("a guess that is counted > T + T/4 + E", least, ">", both),
        Claim("a fault in a group > T + T/4 + E", lambda: charges.weight(p) - charges.weight(lean), ">", both),
        Claim("half a step N η/2 > T + T/4 + E", lambda: step() / 2, ">", both),
        half_a_step(channel),
    )  # fmt: skip
    return Derived(labels, queries, 2, claims, adaptive=True, releases=("ladder",), fits=fits)
