"""Sets of positive integers with distinct subset sums, and reading a subset back from its sum.

Powers of two are the obvious ones. Conway and Guy's have smaller maxima: with u(0) = 0, u(1) = 1 and
u(n+1) = 2 u(n) - u(n - r), r = round(sqrt(2 n)), the set {u(n) - u(i) : i < n} has distinct subset sums
(Bohman proved it for every n) and maxima 1, 2, 4, 7, 13, 24, 44, 84, 161, 309, 594, 1164, ...
Doubling a set and adding 1 keeps its sums distinct, so a Conway-Guy set fits below any power of two.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, lru_cache
from math import isqrt
from typing import TYPE_CHECKING, Any

from dsl.alike import ByFields
from planner.designs.base import DesignError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.designs.base import IntArray

LARGEST_TABLE = 18
"""Larger Conway-Guy sets need tables of many megabytes and gain next to nothing."""


@cache
def _conway_guy_sequence(count: int) -> tuple[int, ...]:
    u = [0, 1]
    while len(u) <= count:
        n = len(u) - 1
        r = (isqrt(8 * n) + 1) // 2  # round(sqrt(2 n)) without floating point
        u.append(2 * u[n] - u[n - r])
    return tuple(u[: count + 1])


@cache
def conway_guy(size: int) -> tuple[int, ...]:
    """The Conway-Guy set of that size, ascending."""
    u = _conway_guy_sequence(max(size, 1))
    return tuple(sorted(u[size] - u[i] for i in range(size)))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BitSet(ByFields):
    """Weights 1, 2, .., 2^(doublings-1), then 2^doublings times the Conway-Guy set of `core` elements."""

    core: int
    doublings: int = 0

    @property
    def size(self) -> int:
        """How many labels the set holds."""
        return self.core + self.doublings

    @property
    def maximum(self) -> int:
        """The largest weight."""
        return max(self.weights, default=0)

    @property
    def weights(self) -> tuple[int, ...]:
        """All weights, ascending."""
        small = tuple(1 << i for i in range(self.doublings))
        return small + tuple(v << self.doublings for v in conway_guy(self.core))

    def digits(self, sums: IntArray, ranks: IntArray | None = None) -> NDArray[Any]:
        """The subset (one uint8 column a weight) behind each sum; DesignError if some sum is none.

        `ranks` tells components apart for sets that differ between them; here all are alike.
        """
        import numpy as np

        bits = np.zeros((len(sums), self.size), dtype=np.uint8)
        for i in range(self.doublings):
            bits[:, i] = ((sums >> i) & 1).astype(np.uint8)
        high = sums >> self.doublings
        table = _subset_table(self.core)
        if len(sums) and not bool(np.all((high >= 0) & (high < len(table)))):
            raise DesignError("a component's sum is out of range: no labeling fits")
        subset = table[high.astype(np.int64)]
        if bool(np.any(subset < 0)):
            raise DesignError("a component's sum is no subset sum: no labeling fits")
        for i in range(self.core):
            bits[:, self.doublings + i] = (subset >> i) & 1
        return bits


@cache
def _subset_table(core: int) -> NDArray[Any]:
    """subset[sum] as a bit mask over the Conway-Guy set, -1 where no subset has that sum."""
    import numpy as np

    sums = np.zeros(1, dtype=np.int64)
    for weight in conway_guy(core):
        sums = np.concatenate([sums, sums + weight])
    table = np.full(int(sums.max()) + 1, -1, dtype=np.int32)
    table[sums] = np.arange(len(sums), dtype=np.int32)
    return table


def powers_of_two(limit: int) -> BitSet:
    """The powers of two up to `limit`."""
    return BitSet(1, limit.bit_length() - 1) if limit >= 1 else BitSet(0)


@lru_cache(maxsize=8192)
def largest_set(limit: int, largest_core: int = LARGEST_TABLE) -> BitSet:
    """The largest known set with all weights <= limit; of equals, the one with the smallest core."""
    best = BitSet(0)
    for core in range(1, largest_core + 1):
        maximum = conway_guy(core)[-1]
        if maximum > limit:
            break
        doublings = (limit // maximum).bit_length() - 1
        if core + doublings > best.size:
            best = BitSet(core, doublings)
    return best


def set_size(limit: int, largest_core: int = LARGEST_TABLE) -> int:
    """n(R): how many labels fit into one component with weights up to R = limit; the size of `largest_set`."""
    maxima = _smallest_maxima(largest_core)
    if limit < maxima[-1]:
        return bisect_right(maxima, limit)
    # Maxima of Conway-Guy sets less than double from size to size, so beyond the largest core only doubling is left.
    return len(maxima) + (limit // maxima[-1]).bit_length() - 1


@cache
def _smallest_maxima(largest_core: int) -> tuple[int, ...]:
    """The smallest known maximum of a set of size 1, 2, .., largest_core."""
    return tuple(conway_guy(size)[-1] for size in range(1, largest_core + 1))
