"""What the attacks on rounding ask of a channel, and the setting that they share."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log
from typing import Any

from dsl.scenario import Decimals, Truncated
from planner.attacks.theorem import Theorem
from planner.attacks.threshold.certify import float_error_of_score
from planner.attacks.threshold.parameters import Thresholds
from planner.channel.channel import Channel
from planner.channel.conditions import COMPARATOR
from planner.model import Refusal
from planner.numerics.reals import ball, upper

UNCLIPPED = Fraction(1, 2**1000)  # the smallest probability used against a scorer that does not clip
FLOAT_BITS = 53


def rounding_refusals(theorem: Theorem, channel: Channel) -> tuple[Refusal, ...]:
    """Why the channel is no rounding of scores within a bound that can be asked adaptively."""
    reasons = theorem.unmet(channel, *COMPARATOR)
    if not reasons and not channel.errors(1).relative().is_finite():
        need = "additions whose roundings leave a digit of the score"
        return (theorem.refuse(channel, "N", need, f"{channel.N:,} rows, summation {channel.summation.value}"),)
    return reasons


def smallest_usable(channel: Channel) -> Fraction | None:
    """The smallest float64 probability that is charged in full, either way round; with one column 1 - p is a float64."""
    least = Fraction(0) if channel.clip is None else upper(ball(channel.clip))
    if channel.columns == 1:
        steps = max(1, -(-least.numerator * 2**FLOAT_BITS // least.denominator))
        found = Fraction(steps, 2**FLOAT_BITS)
    else:
        found = max(UNCLIPPED, _float_above(least))
    return found if found < Fraction(1, 2 * channel.K) else None


def _float_above(value: Fraction) -> Fraction:
    """The next float64 at or above a positive number."""
    if not value:
        return value
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if value < Fraction(2) ** exponent:
        exponent -= 1
    scale = Fraction(2) ** (FLOAT_BITS - 1 - exponent)
    return ceil(value * scale) / scale


def power_of_two_near(reach: float, least: Fraction) -> Fraction:
    """A power of two near e^-reach, but neither below it nor below `least`: a float64, and 1 - p one, too."""
    exponent = max(1, int(reach / log(2)))
    found = Fraction(1, 2**exponent)
    while found < least:
        found *= 2
    return found


def steady_reach(channel: Channel, deviation: float) -> float:
    """The largest log-odds at which a row's charge is off by at most `deviation` (one column: by the grid near 1)."""
    if channel.columns > 1:
        return 700.0
    return -log(2.0**-53 / deviation) if deviation > 0 else 0.0


def shared_setting(channel: Channel, small: Fraction, queries: int) -> dict[str, Any]:
    """The fields of Thresholds that every attack on rounding fills alike."""
    assert isinstance(channel.shown, Decimals | Truncated)
    bare = Thresholds(
        queries, channel.N, channel.N, channel.K, channel.columns, Fraction(1), False, small, 0, small, Fraction(0)
    )
    error = upper(float_error_of_score(channel, bare) * (1 + ball(Fraction(1, 2**20))))
    return {
        "labels": channel.N,
        "rows": channel.N,
        "classes": channel.K,
        "columns": channel.columns,
        "unit": Fraction(1, 10**channel.shown.digits),
        "truncates": isinstance(channel.shown, Truncated),
        "small": small,
        "error": short(error),
    }


def short(value: Fraction) -> Fraction:
    """A fraction not below the value, by at most a millionth, that is short to write."""
    if not value:
        return value
    scale = 2 ** max(0, 21 + value.denominator.bit_length() - value.numerator.bit_length())
    return Fraction(-(-value.numerator * scale // value.denominator), scale)
