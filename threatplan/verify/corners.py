"""Corner rows: rows that are not scored read like rows of the cheap class.

A scored row of weight w pays w if its class is dear, and ln(cheap + dear e^-w) whatever it is, cheap and dear the numbers
of such classes: those without a binary digit and those with it. The attacker reckons with rests midway between those of
the least and of the largest weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, score_fits
from threatplan.verify.formats import FLOAT64
from threatplan.verify.intervals import Interval, larger, log
from threatplan.verify.sides import sizes

OWN_ROUNDINGS = 8
Pairs = Sequence[tuple[int, int]]  # dear and cheap classes of every question


def error(
    c: Channel, queries: int, least: Interval, most: Interval, either: bool, pairs: Pairs | None = None
) -> Interval:
    """How far the sum of charges is from what the attacker reckons with."""
    pairs = sizes(c.K) if pairs is None else pairs
    metric, top = c.charges, charge(c, least, most, pairs)
    rests = larger(*(_rest(c, least, pair) - _rest(c, most, pair) for pair in pairs))
    own = FLOAT64 * (c.scored + 1) * most
    # Of an unknown number of rows the finer count of additions holds for the largest number alone.
    reckoned = c.sum_error(queries, top, None if c.uncertain else top) + c.scored * rests / 2
    return _read(c, reckoned + metric.corner_missed(c, most, either) + own)


def _read(c: Channel, error: Interval) -> Interval:
    """An exact score is read to so many digits that a 64th of the error is not exceeded by what is left out."""
    exact = c.precision.name == c.score_precision.name == "arbitrary" and c.noise.name == "none" and c.shown is None
    return error * Fraction(65, 64) if exact else error


def known_error(c: Channel, queries: int, most: Interval) -> Interval:
    """The same for rows of which all is known but what is asked: nothing is reckoned midway.

    A row's charge, its prediction and that one's logarithm cost the attacker a few roundings of the largest charge.
    """
    top = most + log(c.K)
    own = FLOAT64 * (OWN_ROUNDINGS * c.scored + 1) * top
    return _read(c, c.sum_error(queries, top, top) + c.charges.corner_missed(c, most, True) + own)


def charge(c: Channel, least: Interval, most: Interval, pairs: Pairs) -> Interval:
    """The most that a row charges."""
    return most + larger(*(_rest(c, least, pair) for pair in pairs))


def _rest(c: Channel, weight: Interval, pair: tuple[int, int]) -> Interval:
    """With so many classes that have a digit, and so many that have not."""
    return c.charges.corner_rest(weight, *pair)


def reach(c: Channel, most: Interval, pairs: Pairs | None = None) -> Claim:
    """The scorer takes the heaviest row as it is."""
    widest = max(max(pair) for pair in (sizes(c.K) if pairs is None else pairs))
    return Claim("W >= largest weight", lambda: c.charges.corner_reach(c, widest), ">=", lambda: most)


def fits(c: Channel, queries: int, least: Interval, most: Interval, pairs: Pairs | None = None) -> tuple[Claim, ...]:
    """No score leaves its format."""
    return score_fits(c, queries, lambda: charge(c, least, most, sizes(c.K) if pairs is None else pairs))


def conditions(c: Channel) -> tuple[tuple[str, bool], ...]:
    """A known number of scored rows that is not all, and predictions that are written as floats."""
    return (
        ("rows that charge one class next to nothing", c.charges.cornered),
        ("predictions in floating point", not c.fixed),
        ("a part of the rows that is scored", c.split),
        ("a known number of scored rows", not c.uncertain),
    )
