"""The design with the fewest queries for a number of labels and an amplitude."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from planner.designs.base import Design, DesignError
from planner.designs.butterfly import Butterfly
from planner.designs.sets import largest_set


def fewest_queries(n: int, capacity: Callable[[int], int]) -> int:
    """The smallest M with capacity(M) >= n, for a capacity that never falls as M grows."""
    high = 1
    while capacity(high) < n:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if capacity(middle) >= n else (middle, high)
    return high


def best_design(n: int, amplitude: Fraction, K: int = 2) -> Design:
    """The design for n labels of K classes with entries up to `amplitude` in gaps that asks least."""
    if n < 1 or K != 2:
        raise DesignError("a design needs labels")
    if amplitude < 1:
        raise DesignError(f"amplitude {float(amplitude):.6g} is below one gap: no label can be told")
    base = largest_set(int(amplitude))
    return Butterfly(fewest_queries(n, lambda M: Butterfly(M, base).capacity()), base)
