"""The digits of a score that its readers see."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Any, assert_never

from flint import arb

from backends.exact import midpoint
from dsl.scenario import Decimals, Percentage, Shown, Significant, Truncated


def show(score: Any, shown: Shown) -> Any:
    """The score as published: in full, rounded half to even on its exact decimal value, or cut off.

    A float stays a float, as Python's `round` keeps it; a Fraction or a ball becomes the Fraction shown.
    """
    if shown is None or (isinstance(score, float) and not math.isfinite(score)):
        return score
    if isinstance(score, arb):
        if not score.is_finite():
            return math.inf
        score = midpoint(score)
    match shown:
        case Percentage(digits=digits):
            return _percentage(score, digits - 2)
        case Decimals(digits=digits):
            return round(score, digits)
        case Truncated(digits=digits):
            cut = Fraction(math.floor(Fraction(score) * 10**digits), 10**digits)
            return float(cut) if isinstance(score, float) else cut
        case Significant(digits=digits) if isinstance(score, float):
            context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
            return float(context.create_decimal(Decimal(score)))
        case Significant(digits=digits):
            return _significant(Fraction(score), digits)
    assert_never(shown)


def _percentage(score: Any, digits: int) -> Any:
    """The share that a percentage of so many digits tells: a float is multiplied first, and read as it is written."""
    if isinstance(score, float):
        return float(Decimal(repr(round(100 * score, digits))).scaleb(-2))
    return round(100 * Fraction(score), digits) / 100


def _significant(score: Fraction, digits: int) -> Fraction:
    """The Fraction rounded to a number of significant digits."""
    if not score:
        return score
    exponent = len(str(abs(score.numerator))) - len(str(score.denominator))
    if abs(score) < Fraction(10) ** exponent:
        exponent -= 1
    return round(score, digits - 1 - exponent)
