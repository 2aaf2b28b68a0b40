"""Rows that lean as a query needs it: the float64 at which a sum of charges meets a target."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from planner.attacks.attack import InconsistentScores
from planner.numerics.reals import ball

GRID = 2**53


def leaning_at(
    total: Callable[[Fraction], arb], target: Fraction, low: Fraction, high: Fraction, within: Fraction
) -> Fraction:
    """A multiple of 2^-53 between two whose sums lie on both sides of the target, or meet it, at which it is met."""
    first, last, wanted = int(low * GRID), int(high * GRID), ball(target)

    def above(place: int) -> float:
        return float((total(Fraction(place, GRID)) - wanted).mid())

    rises = above(last) > above(first)
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (first, middle) if (above(middle) > 0) == rises else (middle, last)
    found = min((first, last), key=lambda place: abs(above(place)))
    if abs(above(found)) > within:
        raise InconsistentScores("no prediction makes the sum that is needed: the board stands where it cannot stand")
    return Fraction(found, GRID)
