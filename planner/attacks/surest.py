"""The surest predictions that neither clip nor format moves: for rows that are to weigh all they can."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from planner.channel.channel import Channel
from planner.numerics.reals import ball, upper, upper_end

GRID = 2**53  # 1 - p is a float64 if p is a multiple of 1/this
UNCLIPPED = 2**-40
TRIES = 4
SPARED = Fraction(1, 2**30)  # part of W that is left to rounding
FAR = 600  # nats: what a scorer charges that neither clips nor has a smallest number


def surest(channel: Channel) -> Fraction | None:
    """The least prediction, on a grid that holds its other side, of which the scorer takes both sides as they are."""
    least = Fraction(UNCLIPPED) if channel.clip is None else upper_end(channel.clip)
    first = ceil(least * GRID)
    for p in (Fraction(first + more, GRID) for more in range(TRIES)):
        if p < Fraction(1, 2) and channel.metric.takes(channel, p) and channel.metric.takes(channel, 1 - p):
            return p
    return None


def nearly_one(channel: Channel) -> Fraction | None:
    """The largest entry that neither clip nor format moves."""
    own = channel.submission
    top = Fraction(1) if channel.clip is None else 1 - upper(ball(channel.clip))
    below = 1 - (own.unit if own.floating else Fraction(1, 2 ** min(own.fraction_bits or 64, 64)))
    entry = own.round_down(min(top, below))
    return entry if entry is not None and channel.metric.takes(channel, entry) else None


def least_entry(channel: Channel) -> Fraction | None:
    """The smallest entry that neither clip nor format moves, or a very small one."""
    weight = channel.reach()
    return channel.metric.prediction(channel, weight * ball(1 - SPARED) if weight.is_finite() else ball(FAR))
