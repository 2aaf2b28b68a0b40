"""What searches for designs share: how much of W to use, which weights corner rows have, how large a design they afford.

Proposals rest on these, certificates do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import exp, log

from planner.attacks.corners import Parts, corner_error
from planner.channel.channel import Channel
from planner.channel.sides import bits_of
from planner.designs.base import Design
from planner.designs.chooser import best_design
from planner.numerics.reals import ball, lower, upper

ROOM = Fraction(1, 2**24)  # relative; keeps the certified inequality clear of its bound
REACHES = 12  # parts of W that are tried where errors grow with the score
TOPS = 12  # parts of W that are tried where predictions near 1 are coarse
ONE_COLUMN = Fraction(36)  # log-odds of the prediction next to 1 that float64 has
STEPS = 8  # of the fixed point that the best smallest weight is
PARTS = 12  # of W, halved again and again, that smallest weights are tried below it where rests are squares
LEAST_PART = 0.002  # of W, that the smallest weight has at least
MOST_CLASSES = 128  # that a design tells at once; of more, binary digits take hardly more queries


def rounded_down(gap: Fraction) -> Fraction:
    """A float64 not above the gap, so that the encoder uses exactly the certified one."""
    down = Fraction(float(gap))
    return down if down <= gap else Fraction(float(gap * (1 - Fraction(1, 2**50))))


def corner_of(channel: Channel, queries: int, reach: Fraction, parts: Parts | None = None) -> tuple[Fraction, Fraction]:
    """The weights that give the largest amplitude."""
    tops = [reach]
    if channel.digits.grows or channel.law.grows:
        tops = [reach * part / REACHES for part in range(REACHES, 2, -1)]
    pairs = [(least, top) for top in tops for least in _leasts(channel, queries, top, parts)]
    return max(pairs, key=lambda pair: amplitude_of(channel, queries, pair[0], pair[1], parts))


def _leasts(channel: Channel, queries: int, most: Fraction, parts: Parts | None) -> Iterator[Fraction]:
    """Smallest weights worth trying: (W - w)/(2 E + n e^-w) is largest where 2 E + n e^-w = (W - w) n e^-w."""
    if not channel.metric.logarithmic:
        yield from (most * (1 - Fraction(1, 2**part)) for part in range(1, PARTS))
        return
    error, W = float(corner_error(channel, queries, ball(most), ball(most), parts)), float(most)
    floor = LEAST_PART * W
    least = W / 2
    for _ in range(STEPS):
        wanted = channel.scored * max(W - least - 1, exp(-W)) / (2 * error) if 0 < error < float("inf") else 1.0
        least = min(max(log(wanted), floor), W * (1 - LEAST_PART))
    yield Fraction(least)
    yield Fraction(max(floor, min(least + 1, W * (1 - LEAST_PART))))
    yield Fraction(max(floor, least - 1))


def amplitude_of(
    channel: Channel, queries: int, least: Fraction, most: Fraction, parts: Parts | None = None
) -> Fraction:
    """Half of the weights' range over the gap that the error demands, a little on the safe side."""
    error = corner_error(channel, queries, ball(least), ball(most), parts)
    if not error.is_finite() or not error > 0:
        return Fraction(0)
    return lower(ball(most - least) / (4 * error) * (1 - ball(ROOM)))


def tops(channel: Channel, reach: Fraction, grows: bool = False) -> list[Fraction]:
    """Largest weights worth trying of rows of either class: all of W, unless that costs precision.

    In one column the complement of a prediction near 1 is coarse, and there is none beyond what float64 parts from 1.
    """
    if channel.columns > 1 and not grows:
        return [reach]
    top = min(reach, ONE_COLUMN) if channel.columns == 1 else reach
    return [top * part / TOPS for part in range(TOPS, 2, -1)]


def design_of_members(size: int, amplitude: Fraction, classes: int) -> Design:
    """The design that tells the classes of so many members soonest: all at once, or by binary digits."""
    digits = best_design(size, amplitude)
    if classes == 2 or classes > MOST_CLASSES or amplitude < classes - 1:
        return digits
    whole = best_design(size, amplitude, classes)
    return whole if digits.M * bits_of(classes) > whole.M else digits


def charges_of(channel: Channel, most: Fraction) -> tuple[Fraction, Fraction]:
    """Between which amounts class 0 is charged in rows whose weight is at most so large, either way."""
    others = channel.classes - 1
    low, high = upper((1 + others * (-ball(most)).exp()).log()), lower((1 + others * ball(most).exp()).log())
    return max(low, high * ROOM), high
