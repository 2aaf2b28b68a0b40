"""The ternary design: which class of three each row is predicted in each query, so that counts of right rows tell all labels.

Component j, 0 < j < M, p = popcount(j), holds labels of weights 1, 3, 9, .. up to 2^(p-1). In query t let r be the bits of t
at the places of j. A label of weight m is predicted 2 where r has an even number of ones and r >> 1 < m, 0 where it has an
odd number and r >> 1 < m, and 1 otherwise. Of r = 2k and 2k + 1 one is even and one odd: the alternating sum

    T_j = sum over t subset of j of (-1)^popcount(t) y_t

of the numbers y_t of right rows sees a label 2 just m times, a label 0 just -m times, and a label 1 as often with either
sign. So T_j is a number in balanced ternary. A component that lacks a bit of j cancels; those that hold all of j's bits and
more are known when j is read, from the largest down.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from planner.designs.base import DesignError, check_labels, check_measurements, check_query, labels_as, nearest_integers
from planner.designs.ones import _bit_count, _packed, _size, _transformed
from planner.designs.popcounts import popcount_histogram, popcounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.designs.base import IntArray

MOST_ROWS = 1 << 60  # that a measurement may count, rows outside the design included


def held(p: int) -> int:
    """Labels of a component of p bits: powers of three up to 2^(p-1)."""
    count = 0
    while p and 3**count <= 1 << (p - 1):
        count += 1
    return count


@dataclass(frozen=True)
class Ternary:
    """M queries of predicted classes."""

    M: int

    K = 3  # labels have three classes
    unit = Fraction(1)  # right rows are counted
    amplitude = Fraction(1)  # a row is right or not
    name = "ternary"

    def __post_init__(self) -> None:
        if self.M < 2:
            raise DesignError("a design of three classes needs two queries")

    def capacity(self) -> int:
        """As many labels as all components hold."""
        return sum(held(p) * count for p, count in enumerate(popcount_histogram(self.M)))

    def sound(self) -> bool:
        """Whatever M is."""
        return True

    def row_l1_bound(self, n: int) -> Fraction:
        """Every row may be right."""
        check_labels(self, n)
        return Fraction(n)

    def row(self, t: int, n: int) -> IntArray:
        """The classes that query t predicts of the first n labels, O(n)."""
        import numpy as np

        check_query(self, t, n)
        component, place = _columns(n)
        seen = _packed(t, component)
        odd = _bit_count(seen) & 1
        return np.where((seen >> 1) < 3**place, np.where(odd, 0, 2), 1).astype(np.int64)

    def scores(self, x: IntArray) -> IntArray:
        """All numbers of right rows: each component's part is spread over the queries by the bits they share."""
        import numpy as np

        labels = labels_as(x, 3).astype(np.int64)
        check_labels(self, len(labels))
        told = np.zeros(_size(self.M), dtype=np.int64)
        for j, own in _by_component(len(labels)):
            _spread(told, j, labels[own], 1)
        return _transformed(told)[: self.M]

    def decode(self, y: IntArray, n: int) -> NDArray[Any]:
        """The n labels: from the largest component down, each read off in balanced ternary."""
        import numpy as np

        check_measurements(self, y, n)
        told = np.zeros(_size(self.M), dtype=np.int64)
        told[: self.M] = nearest_integers(y, MOST_ROWS)  # what is the same in all measurements cancels
        told = _transformed(told)
        labels, components = np.zeros(n, dtype=np.uint8), dict(_by_component(n))
        for j in range(self.M - 1, 0, -1):
            own = components.get(j, slice(0, 0))
            found = _balanced(int(told[j]), own.stop - own.start)
            labels[own] = found
            if found:
                _spread(told, j, np.array(found, dtype=np.int64), -1)
        return labels


def _balanced(value: int, size: int) -> list[int]:
    """The digits of a number in balanced ternary, each one more: labels."""
    found = []
    for _ in range(size):
        digit = (value + 1) % 3 - 1
        found.append(digit + 1)
        value = (value - digit) // 3
    if value:
        raise DesignError("a count that no labeling has")
    return found


def _columns(n: int) -> tuple[IntArray, IntArray]:
    """For each of the first n labels its component, and the place of its weight."""
    import numpy as np

    M = 2
    while Ternary(M).capacity() < n:
        M *= 2
    sizes = np.array([held(p) for p in range(M.bit_length() + 1)])[popcounts(M)]
    component = np.repeat(np.arange(M), sizes)[:n]
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return component, np.arange(n) - first[component]


def _by_component(n: int) -> list[tuple[int, slice]]:
    """Each component that holds labels, and which."""
    import numpy as np

    component, _ = _columns(n)
    starts = np.flatnonzero(np.diff(component, prepend=-1))
    ends = [*starts[1:].tolist(), n]
    return [(int(component[start]), slice(start, end)) for start, end in zip(starts.tolist(), ends, strict=True)]


def _spread(told: IntArray, j: int, labels: IntArray, sign: int) -> None:
    """Add what the labels of component j give to every T_i, i subset of j."""
    import numpy as np

    p = j.bit_count()
    r = np.arange(1 << p)
    odd = _bit_count(r) & 1
    right = np.zeros(1 << p, dtype=np.int64)
    for place, label in enumerate(labels.tolist()):
        predicted = np.where((r >> 1) < 3**place, np.where(odd, 0, 2), 1)
        right += predicted == label
    parts = _transformed(right)
    at = np.zeros_like(r)
    for index, bit in enumerate(bit for bit in range(j.bit_length()) if j >> bit & 1):
        at |= (r >> index & 1) << bit
    told[at] += sign * parts
