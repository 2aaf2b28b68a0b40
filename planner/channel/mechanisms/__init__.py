"""What becomes of a score before it is read: one file a law, the rules of digits together. A new one is a line here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dsl.numbers import Real
from planner.channel.mechanisms.base import Digits, Law, UnknownDigits, UnknownLaw
from planner.channel.mechanisms.bounded import BoundedLaw
from planner.channel.mechanisms.digits import CutOff, Full, InPercent, Rounded, SignificantDigits
from planner.channel.mechanisms.gaussian import GaussianLaw
from planner.channel.mechanisms.laplace import LaplaceLaw
from planner.channel.mechanisms.multiplicative import MultiplicativeLaw
from planner.channel.mechanisms.quiet import Quiet
from planner.channel.mechanisms.skewed import SkewedLaw
from planner.channel.mechanisms.subexponential import SubexponentialLaw
from planner.channel.mechanisms.uniform import UniformLaw

LAWS: tuple[type[Law], ...] = (
    Quiet,
    BoundedLaw,
    UniformLaw,
    GaussianLaw,
    LaplaceLaw,
    SubexponentialLaw,
    MultiplicativeLaw,
    SkewedLaw,
)
DIGITS: tuple[type[Digits], ...] = (Full, Rounded, InPercent, CutOff, SignificantDigits)


def law_of(value: Any, parts: int = 1) -> Law:
    """The law that a value of the language names, or of what each of so many equal parts has of its noise.

    Nothing is known of any other value.
    """
    found = next((one for one in LAWS if type(value) is one.kind), UnknownLaw)
    if parts == 1:
        return found(value)
    if found.scales is None:
        return UnknownLaw(value)
    scaled = {name: _over(getattr(value, name), parts**power) for name, power in found.scales}
    return found(replace(value, **scaled))


def _over(number: Real, parts: int) -> Real:
    """A number divided exactly."""
    return Real(number.lo / parts, number.hi / parts)


def digits_of(value: Any, parts: int = 1) -> Digits:
    """The rule of digits that a value of the language names; nothing is known of any other value."""
    return next((one for one in DIGITS if type(value) is one.kind), UnknownDigits)(value, parts)
