"""Facts of a channel: all that a scorer does, in a form that can be compared."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any, Never

from dsl.numbers import Real
from dsl.scenario import Arbitrary, Decimals, FixedPoint, Ieee, Noise, NoNoise, Precision, Shown, Significant, Truncated
from planner.channel.channel import Channel

LONG = 1024  # bits beyond which a number is written in hexadecimal


def facts(channel: Channel) -> dict[str, str]:
    """All that a scorer does, each fact by the name of its field, in a form that can be compared."""
    return {
        "N": f"{channel.N}",
        "K": f"{channel.K}",
        "columns": f"{channel.columns}",
        "phi": precision_text(channel.precision),
        "score_phi": precision_text(channel.score_precision),
        "clip": "none" if channel.clip is None else number_text(channel.clip),
        "clip_of": channel.clip_of,
        "renormalises": "yes" if channel.renormalises else "no",
        "checks": "yes" if channel.checks else "no",
        "summation": str(channel.summation),
        "decimals": shown_text(channel.shown),
        "noise": noise_text(channel.noise),
    }


def precision_text(precision: Precision) -> str:
    """A format by its name and its bits."""
    match precision:
        case Arbitrary():
            return "arbitrary"
        case FixedPoint(integer_bits=i, fraction_bits=f):
            return f"fixed({i}, {f})"
        case Ieee(bits=bits):
            return f"float{bits}"
    return nameless(precision)  # type: ignore[unreachable]


def nameless(value: Never) -> str:
    """A value of no kind that there is; an obligation refuses it."""
    return f"unknown: {type(value).__name__}"


def shown_text(shown: Shown) -> str:
    """What is shown of a score."""
    match shown:
        case None:
            return "full"
        case Decimals(digits=digits):
            return f"rounded({digits})"
        case Truncated(digits=digits):
            return f"truncated({digits})"
        case Significant(digits=digits):
            return f"significant({digits})"
    return nameless(shown)  # type: ignore[unreachable]


def noise_text(noise: Noise) -> str:
    """A law by its name and its parameters."""
    if isinstance(noise, NoNoise):
        return "none"
    if not isinstance(noise, Noise):
        return nameless(noise)  # type: ignore[unreachable]
    inside = ", ".join(number_text(getattr(noise, each.name)) for each in fields(noise))
    return f"{type(noise).__name__.lower()}({inside})"


def number_text(value: Any) -> str:
    """An exact number, or the two ends of what encloses it; long ones in hexadecimal, which is quick at any length."""
    if isinstance(value, Real):
        return number_text(value.lo) if value.exact else f"{number_text(value.lo)}..{number_text(value.hi)}"
    exact = Fraction(value)
    if max(exact.numerator.bit_length(), exact.denominator.bit_length()) <= LONG:
        return f"{exact}"
    return f"{exact.numerator:#x}/{exact.denominator:#x}"
