"""What room a channel leaves for weights of random size: which cells scores are rounded to, and how heavy a row may be."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor, inf, log, log10
from typing import NamedTuple

from planner.channel.channel import Channel

SPARED = 2.0**-40  # part of the largest weight that is left to rounding


class Room(NamedTuple):
    """What weights and cells there are: the unit that scores are rounded to, and how heavy a row may be."""

    unit: Fraction
    heaviest: float  # log-odds
    score: float  # that none exceeds


def rooms(channel: Channel) -> Iterator[Room]:
    """One for decimals; of significant digits one for each decade that scores may lie in."""
    small = channel.metric.smallest_usable(channel)
    if small is None:
        return
    reach = log((1 - small) / small) * (1 - SPARED)
    unit = channel.digits.unit
    if unit is not None:
        if _coarse(channel, unit, reach):
            yield Room(unit, reach, inf)
        return
    for decade in range(-1, floor(log10(reach)) + 1):
        step = Fraction(10) ** (decade + 1 - channel.digits.digits) / channel.digits.parts
        if _coarse(channel, step, min(reach, 2 * 10.0 ** (decade + 1))):
            yield Room(step, reach, 10.0 ** (decade + 1) / channel.digits.parts)


def _coarse(channel: Channel, unit: Fraction, reach: float) -> bool:
    """Whether rounding hides a label, so that a design cannot read every sum; noise makes it matter earlier."""
    return float(channel.rows * unit) * (8 if channel.random else 2) > reach
