"""Numbers as people read them, and the ladders that controls step along."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import count
from typing import TypeVar

Number = TypeVar("Number", int, Fraction)

LARGEST_STEP = 10**12  # stepping stops there; larger values can be typed


def human(value: int) -> str:
    """A whole number for people: 25,000, or 1.2e30 where digits would no longer tell anything."""
    return f"{value:,}" if value < 10**12 else scientific(value)


def scientific(value: int) -> str:
    """A large whole number to two digits, however large: 3.1e4000."""
    digits = len(str(value)) if value < 10**4000 else int(value.bit_length() * 0.30103)
    lead = value // 10 ** max(digits - 2, 0)
    return f"{lead // 10}.{lead % 10}e{digits - 1}" if lead < 100 else f"~1e{digits}"


# -- ladders -----------------------------------------------------------------------------------------


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
