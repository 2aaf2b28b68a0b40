"""What the attacks on rounding ask of a channel, and the setting that they share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from planner.attacks.theorem import Theorem
from planner.attacks.threshold.certify import float_error_of_score
from planner.channel.channel import Channel
from planner.channel.conditions import COMPARATOR
from planner.channel.errors import WHOLE
from planner.model import Refusal
from planner.numerics.reals import ball, upper


def rounding_refusals(theorem: Theorem[Any], channel: Channel) -> tuple[Refusal, ...]:
    """Why the channel is no rounding of scores within a bound that can be asked adaptively."""
    reasons = theorem.unmet(channel, *COMPARATOR)
    if not reasons and not channel.errors(1).relative().is_finite():
        need = "additions whose roundings leave a digit of the score"
        return (theorem.refuse(channel, "N", need, f"{channel.rows:,} rows, summation {channel.summation.value}"),)
    return reasons


def shared_setting(channel: Channel, small: Fraction, queries: int, share: Fraction = WHOLE) -> dict[str, Any]:
    """The fields of Thresholds that every attack on rounding fills alike; noise may take a share of delta."""
    centre = channel.law.centre
    error = upper(float_error_of_score(channel, queries, small, share, centre) * (1 + ball(Fraction(1, 2**20))))
    return {
        "labels": channel.rows,
        "rows": channel.rows,
        "classes": channel.classes,
        "metric": channel.metric.id,
        "columns": channel.columns,
        "unit": channel.digits.unit or Fraction(1),
        "truncates": channel.digits.truncates,
        "small": small,
        "error": short(error),
        "least": Fraction(channel.metric.least_offset(channel.classes)),
        "noise_centre": centre,
    }


def short(value: Fraction) -> Fraction:
    """A fraction not below the value, by at most a millionth, that is short to write."""
    if not value:
        return value
    scale = 2 ** max(0, 21 + value.denominator.bit_length() - value.numerator.bit_length())
    return Fraction(-(-value.numerator * scale // value.denominator), scale)
