"""Values of the language as JSON data from which they can be read back exactly, by whoever holds the report alone.

Nothing is left out silently: a record is written field by field, and a kind of record without a name in the table is
an error.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from dsl import scenario as language
from dsl.numbers import Real

KINDS: dict[type, str] = {
    language.Arbitrary: "arbitrary",
    language.FixedPoint: "fixed",
    language.Ieee: "ieee",
    language.NoNoise: "none",
    language.Bounded: "bounded",
    language.Uniform: "uniform",
    language.Gaussian: "gaussian",
    language.Laplace: "laplace",
    language.Subexponential: "subexponential",
    language.Multiplicative: "multiplicative",
    language.Skewed: "skewed",
    language.Between: "between",
    language.Plain: "plain",
    language.BestOnly: "best",
    language.LadderOf: "ladder",
    language.CappedAt: "capped",
    language.ChangesOnly: "changes",
    language.Decimals: "decimals",
    language.Percentage: "percent",
    language.Truncated: "truncated",
    language.Significant: "significant",
    language.Scorer: "scorer",
    language.Several: "several",
}
"""What a report calls each kind of value."""

LARGEST_DECIMAL = 2**1024  # beyond, numbers are written in hexadecimal: in linear time, and at any length


def exact(value: Any) -> Any:
    """The value as JSON data; rationals are strings, reals the ends of an interval."""
    if isinstance(value, StrEnum):
        return str(value)
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) < LARGEST_DECIMAL else hex(value)
    if isinstance(value, Real):
        return {"lo": rational(value.lo), "hi": rational(value.hi)}
    if isinstance(value, Fraction):
        return rational(value)
    if isinstance(value, tuple | list):
        return [exact(one) for one in value]
    if isinstance(value, dict):
        return {name: exact(one) for name, one in value.items()}
    if is_dataclass(value) and type(value) in KINDS:
        return {"kind": KINDS[type(value)], **{each.name: exact(getattr(value, each.name)) for each in fields(value)}}
    raise TypeError(f"{type(value).__name__} has no place in a report")


def rational(value: Fraction) -> str:
    """A fraction as text: "1/3", and hexadecimal where it is long."""
    if max(abs(value.numerator), value.denominator) < LARGEST_DECIMAL:
        return str(value)
    return f"{value.numerator:#x}/{value.denominator:#x}"
