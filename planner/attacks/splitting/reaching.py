"""How much of W a search over splits uses, and how often the error goes into it."""

from __future__ import annotations

from fractions import Fraction

from planner.attacks.affording import ROOM
from planner.channel.channel import Channel
from planner.numerics.reals import ball, lower

REACHES = 24  # parts of W that are tried where predictions near 1 are coarse


def best_part(channel: Channel, queries: int) -> Fraction:
    """How much of W to use: all of it, unless predictions near 1 are coarse or digits are relative to the score."""
    from planner.attacks.splitting.certify import reach

    whole = lower(reach(channel))
    if channel.columns > 1 and not channel.digits.grows:
        return whole
    parts = (whole * part / REACHES for part in range(REACHES, 3, -1))
    return max(parts, key=lambda part: ratio(channel, part, queries))


def ratio(channel: Channel, part: Fraction, queries: int) -> Fraction:
    """How often the error goes into the reach."""
    from planner.attacks.splitting.certify import weighing_error

    error = weighing_error(channel, queries, channel.wanted, radius_of(channel), ball(part))
    return lower(ball(part) / error * (1 - ball(ROOM))) if error.is_finite() else Fraction(0)


def radius_of(channel: Channel) -> int:
    """Wrong labels among those attacked."""
    return min(channel.radius, channel.wanted)
