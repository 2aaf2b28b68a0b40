"""The formats of predictions and scores: what their names stand for in binary digits."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

SIGNIFICAND = {16: 11, 32: 24, 64: 53}  # binary digits of the formats, the hidden one included
LEAST_NORMAL = {16: -14, 32: -126, 64: -1022}
LARGEST = {16: 2**16 - 2**5, 32: 2**128 - 2**104, 64: 2**1024 - 2**971}  # finite numbers
FLOAT64 = Fraction(1, 2**53)  # the relative error of one rounding


@dataclass(frozen=True)
class Kind:
    """A format, a law of noise or a way to show scores: its name and its numbers."""

    name: str
    numbers: tuple[tuple[str, Any], ...] = ()

    def __getattr__(self, name: str) -> Any:
        for known, value in self.__dict__["numbers"]:
            if known == name:
                return value
        raise AttributeError(name)


def unit_of(format: Kind) -> Fraction:
    """The relative error of one rounding; none where nothing is rounded, or to a fixed grid."""
    return Fraction(1, 2 ** SIGNIFICAND[format.bits]) if format.name == "ieee" else Fraction(0)


def float_place(bits: int, number: Fraction) -> int:
    """The place of the largest float that is not above a number among the positive ones: its bit pattern."""
    if number <= 0:
        return 0
    binade = max(LEAST_NORMAL[bits], binade_of(number))
    width = SIGNIFICAND[bits] - 1
    return int((binade - LEAST_NORMAL[bits]) * 2**width + number * Fraction(2) ** (width - binade) // 1)


def binade_of(number: Fraction) -> int:
    """The largest power of two that is not above a positive number: its exponent."""
    above = number.numerator.bit_length() - number.denominator.bit_length()  # or it is this one
    return above - (number < Fraction(2) ** above)


def holds(format: Kind, p: Fraction) -> bool:
    """Whether a number from 0 to 1 is one of the format's, and none of its least ones, which have fewer digits."""
    shift = p.denominator.bit_length() - 1
    dyadic = p.denominator == 1 << shift
    if format.name == "fixed":
        return dyadic and shift <= int(format.fraction_bits)
    if format.name != "ieee":
        return True
    size = int(format.bits)
    return dyadic and p.numerator.bit_length() <= SIGNIFICAND[size] and p >= Fraction(1, 2 ** -LEAST_NORMAL[size])
