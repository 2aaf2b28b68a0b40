"""The ladders that controls step along."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import count
from typing import TypeVar

Number = TypeVar("Number", int, Fraction)

LARGEST_STEP = 10**12  # stepping stops there; larger values can be typed


def one_two_five(least: int = 1, most: int = LARGEST_STEP) -> list[int]:
    """1, 2, 5, 10, 20, 50 and so on, between two ends."""
    steps: list[int] = []
    for power in count():
        for lead in (1, 2, 5):
            value = lead * 10**power
            if value > most:
                return steps
            if value >= least:
                steps.append(value)
    return steps


def decades(least: int, most: int) -> list[Fraction]:
    """10^least to 10^most."""
    return [Fraction(10) ** power for power in range(least, most + 1)]


def neighbour(ladder: Sequence[Number], value: Number, direction: int) -> Number | None:
    """The rung above (direction > 0) or below `value`; None past the ends."""
    at = bisect_right(ladder, value) if direction > 0 else bisect_left(ladder, value) - 1
    return ladder[at] if 0 <= at < len(ladder) else None
