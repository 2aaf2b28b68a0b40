"""The probabilities that a channel's number format can carry."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import FixedPoint, Ieee
from planner.channel import SIGNIFICAND, SMALLEST_NORMAL, Channel
from planner.reals import ball, lower, upper_end

FREE_BITS = 128  # relative precision that an attacker with arbitrary precision chooses to write down


def small_side(channel: Channel, weight: arb) -> Fraction | None:
    """The largest probability p <= 1/2 that the channel carries with ln((1-p)/p) >= weight, if there is one."""
    reach = channel.reach()
    if reach is not None and weight > reach:
        return None
    wanted = lower(1 / (1 + weight.exp()))
    p = round_down(channel, wanted)
    return p if p is not None and carries(channel, p) else None


def round_down(channel: Channel, wanted: Fraction) -> Fraction | None:
    """The largest number of the channel's format that is positive and not above `wanted`."""
    if wanted <= 0:
        return None
    if isinstance(channel.precision, FixedPoint):
        scale = 2**channel.precision.fraction_bits
    else:
        digits = SIGNIFICAND[channel.precision.bits] if isinstance(channel.precision, Ieee) else FREE_BITS
        scale = _scale_for(wanted, digits)
    steps = wanted.numerator * scale // wanted.denominator
    return Fraction(steps, scale) if steps else None


def _scale_for(value: Fraction, digits: int) -> int:
    """The power of two at which `value` < 1 has `digits` significant binary digits."""
    shift = value.denominator.bit_length() - value.numerator.bit_length()
    if value.numerator << shift < value.denominator:
        shift += 1
    return int(2 ** (shift + digits - 1))


def carries(channel: Channel, p: Fraction) -> bool:
    """Whether the scorer takes p as it is: in the format, and not moved by the clip."""
    if not 0 < p < 1:
        return False
    if channel.clip is not None:
        largest = upper_end(channel.clip)
        if not largest <= p <= 1 - largest:
            return False
    if isinstance(channel.precision, FixedPoint):
        return bool((p * 2**channel.precision.fraction_bits).denominator == 1)
    if isinstance(channel.precision, Ieee):
        digits = SIGNIFICAND[channel.precision.bits]
        smallest = Fraction(1, 2 ** SMALLEST_NORMAL[channel.precision.bits])
        return bool(p >= smallest and round_down(channel, p) == p and p.denominator.bit_length() - 1 <= 1022 + digits)
    return True


def uniform_row(channel: Channel) -> tuple[Fraction, ...]:
    """The row that tells the classes apart least: 1/K each, or as near to it as a fixed grid comes."""
    if not isinstance(channel.precision, FixedPoint):
        return (Fraction(1, channel.K),) * channel.K
    steps = 2**channel.precision.fraction_bits
    least = Fraction(steps // channel.K, steps)
    return (1 - (channel.K - 1) * least, *(least,) * (channel.K - 1))


def idle_deviation(channel: Channel) -> arb:
    """By how much idle rows can move a sum from N ln K: nothing, unless 1/K is off a fixed grid."""
    row = uniform_row(channel)
    if row[0] == row[-1] or not row[-1]:
        return arb(0) if row[-1] else arb.pos_inf()
    return channel.N * abs((channel.K * ball(row[0])).log()).max(abs((channel.K * ball(row[-1])).log()))


def weight_of(p: Fraction) -> arb:
    """ln((1-p)/p)."""
    return (ball(1 - p) / ball(p)).log()
