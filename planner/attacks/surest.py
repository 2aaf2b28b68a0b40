"""The surest prediction of which a scorer takes both sides: for rows that are to weigh all they can, and be turned."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from planner.channel.channel import Channel
from planner.numerics.reals import upper_end

GRID = 2**53  # 1 - p is a float64 if p is a multiple of 1/this
UNCLIPPED = 2**-40
TRIES = 4


def surest(channel: Channel) -> Fraction | None:
    """The least prediction, on a grid that holds its other side, of which the scorer takes both sides as they are."""
    least = Fraction(UNCLIPPED) if channel.clip is None else upper_end(channel.clip)
    first = ceil(least * GRID)
    for p in (Fraction(first + more, GRID) for more in range(TRIES)):
        if p < Fraction(1, 2) and channel.metric.takes(channel, p) and channel.metric.takes(channel, 1 - p):
            return p
    return None
