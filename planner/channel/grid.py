"""The probabilities that a channel's number format can carry."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from flint import arb

from dsl.scenario import FixedPoint, Ieee, Precision
from planner.channel.channel import SIGNIFICAND, SMALLEST_NORMAL, USED_BITS, Channel
from planner.numerics.reals import ball, lower, upper_end

FREE_BITS = 128  # relative precision that an attacker with arbitrary precision chooses to write down


def manageable(channel: Channel) -> Channel:
    """The channel with grids of `USED_BITS` at most, for proposals: an attacker need not use every bit of a grid."""
    formats = tuple(_capped(one) for one in channel.formats)
    if formats == channel.formats:
        return channel
    return replace(channel, precision=formats[0], score_precision=formats[1])


def _capped(one: Precision) -> Precision:
    if not isinstance(one, FixedPoint) or one.fraction_bits <= USED_BITS:
        return one
    return replace(one, fraction_bits=USED_BITS)


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
        return p.denominator.bit_count() == 1 and p.denominator.bit_length() <= channel.precision.fraction_bits + 1
    if isinstance(channel.precision, Ieee):
        digits = SIGNIFICAND[channel.precision.bits]
        smallest = Fraction(1, 2 ** SMALLEST_NORMAL[channel.precision.bits])
        return bool(p >= smallest and round_down(channel, p) == p and p.denominator.bit_length() - 1 <= 1022 + digits)
    return True


def uniform_row(channel: Channel) -> tuple[Fraction, ...]:
    """The row that tells the classes apart least: 1/K each, or as near to it as a fixed grid comes."""
    if not isinstance(channel.precision, FixedPoint):
        return (Fraction(1, channel.K),) * channel.K
    first, others = _uniform_entries(channel.K, channel.precision.fraction_bits)
    return (first, *(others,) * (channel.K - 1))


@lru_cache(maxsize=16)
def _uniform_entries(classes: int, bits: int) -> tuple[Fraction, Fraction]:
    """What class 0 and what any other class gets of a uniform row on a grid of 2^-bits."""
    least = Fraction(2**bits // classes, 2**bits)
    return 1 - (classes - 1) * least, least


def idle_deviation(channel: Channel) -> arb:
    """By how much idle rows can move a sum from N ln K: nothing, unless 1/K is off a fixed grid."""
    if not isinstance(channel.precision, FixedPoint):
        return arb(0)
    first, others = _uniform_entries(channel.K, channel.precision.fraction_bits)
    if first == others or not others:
        return arb(0) if others else arb.pos_inf()
    return channel.N * abs((channel.K * ball(first)).log()).max(abs((channel.K * ball(others)).log()))


def weight_of(p: Fraction) -> arb:
    """ln((1-p)/p)."""
    return (ball(1 - p) / ball(p)).log()
