"""Counting and signs by the bits of an index: what makes capacities cheap for any M."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

from planner.numerics.search import first_above

if TYPE_CHECKING:
    from planner.designs.base import IntArray


@lru_cache(maxsize=1024)
def popcount_histogram(M: int) -> tuple[int, ...]:
    """How many j < M have popcount 0, 1, 2, ...: one binomial row for each binary digit of M."""
    counts = [0] * (M.bit_length() + 1)
    above = 0
    for bit in reversed(range(M.bit_length())):
        if M >> bit & 1:
            for p in range(bit + 1):
                counts[above + p] += comb(bit, p)
            above += 1
    return tuple(counts)


def popcount_sum(M: int) -> int:
    """The sum of popcount(i) over i < M."""
    return sum(p * count for p, count in enumerate(popcount_histogram(M)))


def popcounts(M: int) -> IntArray:
    """popcount(j) for every j < M."""
    import numpy as np

    counts = np.zeros(1, dtype=np.int64)
    while len(counts) < M:
        counts = np.concatenate([counts, counts + 1])
    return counts[:M]


def characters(t: int, M: int) -> IntArray:
    """(-1)^popcount(t & j) for every j < M."""
    import numpy as np

    signs = np.ones(1, dtype=np.int64)
    while len(signs) < M:
        signs = np.concatenate([signs, -signs if t & len(signs) else signs])
    return signs[:M]


def fewest_queries(n: int, capacity: Callable[[int], int]) -> int:
    """The smallest M with capacity(M) >= n, for a capacity that never falls as M grows."""
    found = first_above(lambda M: capacity(M) >= n, 0)
    assert found is not None
    return found
