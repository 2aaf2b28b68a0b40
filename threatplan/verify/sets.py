"""Sets of positive integers with distinct subset sums, and counting numbers by their binary digits."""

from __future__ import annotations

from functools import lru_cache
from math import comb, isqrt

from threatplan.verify.reading import Unreadable

LARGEST_CORE = 24  # of a Conway-Guy set that a report may use


@lru_cache(maxsize=64)
def conway_guy(size: int) -> tuple[int, ...]:
    """u(n) - u(i) for i < n, where u(n+1) = 2 u(n) - u(n - r), r the integer nearest to sqrt(2n)."""
    if size > LARGEST_CORE:
        raise Unreadable(f"a core of {size} elements")
    u = [0, 1]
    for n in range(1, size):
        nearest = isqrt(2 * n)
        nearest += 4 * 2 * n > (2 * nearest + 1) ** 2
        u.append(2 * u[n] - u[n - nearest])
    return tuple(sorted(u[size] - u[i] for i in range(size)))


def bit_set(core: int, doublings: int) -> tuple[int, ...]:
    """1, 2, 4, ... and then the core, times the next power of two."""
    return (*(1 << i for i in range(doublings)), *(value << doublings for value in conway_guy(core)))


@lru_cache(maxsize=8192)
def largest_set(limit: int, largest_core: int) -> tuple[int, int]:
    """Core and doublings of the largest such set up to a limit; of equals the one with the smallest core."""
    best = (0, 0)
    for core in range(1, largest_core + 1):
        top = conway_guy(core)[-1]
        if top > limit:
            break
        doublings = (limit // top).bit_length() - 1
        if core + doublings > sum(best):
            best = core, doublings
    return best


def popcounts(M: int) -> list[int]:
    """How many numbers below M have 0, 1, 2, ... bits set."""
    counts = [0] * (M.bit_length() + 1)
    above = 0
    for bit in range(M.bit_length() - 1, -1, -1):
        if M >> bit & 1:
            for p in range(bit + 1):
                counts[above + p] += comb(bit, p)
            above += 1
    return counts
