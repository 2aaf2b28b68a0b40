"""Blocks of free predictions: powers of two above the error, whose own charges leave float64 a digit for it."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.attacks.inequalities import enough_room, fits_submission, guarantee
from planner.attacks.line.parameters import FreeBlock
from planner.channel.channel import Channel
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare

MOST_PLACES = 1024  # of a block: no format tells more


def prove(channel: Channel, parameters: FreeBlock) -> Proof:
    """Sums of two labelings differ by a gap at least; every prediction is a float64."""
    m, gap = parameters.m, parameters.gap
    if not 1 <= m <= MOST_PLACES or gap <= 0:
        raise ValueError("a block needs labels, few enough, and a gap")
    held = sum(_is_float(parameters.prediction(place)) for place in range(m))
    return Proof(
        guarantee(channel),
        (
            fits_submission(m, channel.rows),
            enough_room(m * parameters.queries, parameters.labels),
            compare("predictions that are float64", lambda: ball(held), ">=", lambda: ball(m)),
            compare("gap of sums > 2E", lambda: ball(gap), ">", lambda: 2 * line_error(channel, parameters)),
        ),
    )


def line_error(channel: Channel, parameters: FreeBlock) -> arb:
    """E where no labeling scores above the largest charges of the block, idle rows beside it."""
    return channel.errors(parameters.queries).sum_error(ball(largest_sum(channel, parameters) / channel.scored))


def largest_sum(channel: Channel, parameters: FreeBlock) -> Fraction:
    """((1 + w)/2)^2 for each weight, 1/4 for every other row."""
    charged = (((1 + parameters.gap * (1 << place)) / 2) ** 2 for place in range(parameters.m))
    return sum(charged, Fraction(max(channel.rows - parameters.m, 0), 4))


def _is_float(value: Fraction) -> bool:
    try:
        return Fraction(float(value)) == value
    except OverflowError:
        return False
