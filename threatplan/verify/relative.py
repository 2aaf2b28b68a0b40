"""I3 of scores that are as fine as they are small: significant digits, and floats.

A cell holds a share u of its largest score at least. In units of its mean a score that depends on no other has a variance
of rho at most: whatever can move it charges something on average. Gibbs' inequality against exp(-l d^2), d the distance of a
cell from the mean: those that reach up to the share t of the mean are t u long at least, as on a grid of that step; all
others, of which there are no more than answers, are 1 - t away. What a limit states, l and t, is free.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from threatplan.verify import limits, secret
from threatplan.verify.channel import Channel
from threatplan.verify.energy import nats, theta
from threatplan.verify.intervals import Interval, exp, log2, real, sqrt
from threatplan.verify.limits import SILENT, Bits, Exclusion, fewest_answers, too_few
from threatplan.verify.reading import Unreadable

Given = Mapping[str, Fraction]


def entropy(c: Channel, queries: int | None, given: Given) -> Exclusion:
    """What the proof must show, or nothing where it does not apply."""
    if c.delta >= Fraction(1, 2) or not applies(c):
        return SILENT
    if queries is None:
        return Exclusion()
    bits = score_bits(c, given)
    if bits is None:
        raise Unreadable("the parameters of I3 belong to no form of it")
    return too_few(queries, lambda: limits.fano_bits(c), bits, "bits a score")


def in_all(c: Channel, queries: int, given: Given) -> Bits | None:
    """The bits that so many scores carry; None: the proof does not apply."""
    bits = score_bits(c, given) if applies(c) else None
    return None if bits is None else lambda: queries * bits()


def applies(c: Channel) -> bool:
    """Listed queries, scores without noise, labels of which nothing is known, and cells that grow with the score."""
    quiet = c.noise.name == "none" and not (c.adaptive or c.split or secret.informed(c))
    return quiet and _unit(c) is not None and c.charges.steadiness(c) is not None and fewest_answers(c) is not None


def score_bits(c: Channel, given: Given) -> Bits | None:
    """The bits of one score at the stated rate and share of the mean; None: they are none."""
    unit, answers, found = _unit(c), fewest_answers(c), c.charges.steadiness(c)
    if set(given) != {"rate", "part"} or unit is None or answers is None or found is None:
        return None
    rate, part = given["rate"], given["part"]
    if not (rate > 0 and 0 < part < 1):
        return None

    def bits() -> Interval:
        far = answers * exp(-real(rate * (1 - part) ** 2))
        return log2(1 + theta(rate * (part * unit) ** 2) + far) + nats(rate * _variance(c))

    return bits


def _variance(c: Channel) -> Interval:
    """Of a score as it is computed and read, in squares of its mean: deviations add up (Minkowski)."""
    found = c.charges.steadiness(c)
    assert found is not None
    ratio, mean = found
    exact = ratio / c.N
    computed = c.float_error(c.additions(c.scored), shown=False) + (1 + c.shown_roundings) * c.score_unit
    entries = c.charges.moved(c) / mean
    deviation = sqrt(exact) + computed * sqrt(1 + exact) + entries
    return deviation * deviation


def _unit(c: Channel) -> Fraction | None:
    """The least share of its largest score that a cell takes: 10^-n, or half a unit in the last place of 1."""
    if c.shown is not None:
        return Fraction(1, 10 ** int(c.shown.digits)) if c.shown.name == "significant" else None
    return c.score_unit if c.ieee_scores else None
