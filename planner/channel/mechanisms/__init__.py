"""What becomes of a score before it is read: one file a law, the rules of digits together. A new one is a line here.

A law is read when a scenario names it.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

from dsl.numbers import Real
from dsl.scenario import Bounded, Gaussian, Laplace, Multiplicative, NoNoise, Skewed, Subexponential, Uniform
from planner.channel.mechanisms.base import Digits, Law, UnknownDigits, UnknownLaw
from planner.channel.mechanisms.digits import CutOff, Full, InPercent, Rounded, SignificantDigits

LAWS: dict[type, tuple[str, str]] = {
    NoNoise: ("quiet", "Quiet"),
    Bounded: ("bounded", "BoundedLaw"),
    Uniform: ("uniform", "UniformLaw"),
    Gaussian: ("gaussian", "GaussianLaw"),
    Laplace: ("laplace", "LaplaceLaw"),
    Subexponential: ("subexponential", "SubexponentialLaw"),
    Multiplicative: ("multiplicative", "MultiplicativeLaw"),
    Skewed: ("skewed", "SkewedLaw"),
}
"""The file and the class of the law that each value of the language names."""

DIGITS: tuple[type[Digits], ...] = (Full, Rounded, InPercent, CutOff, SignificantDigits)


def all_laws() -> tuple[type[Law], ...]:
    """Every law, in the order in which it is shown."""
    return tuple(_law_named(kind) for kind in LAWS)


def _law_named(kind: type) -> type[Law]:
    if kind not in LAWS:
        return UnknownLaw
    file, name = LAWS[kind]
    found: type[Law] = getattr(import_module(f"{__name__}.{file}"), name)
    return found


def law_of(value: Any, parts: int = 1) -> Law:
    """The law that a value of the language names, or of what each of so many equal parts has of its noise.

    Nothing is known of any other value.
    """
    found = _law_named(type(value))
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
