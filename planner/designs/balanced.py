"""The balanced design: which of K classes each row is predicted in each query, so that counts of right rows tell all labels.

Every class has a level: -h, .., h for K = 2h + 1 classes, the same without 0 for K = 2h. Component j, 0 < j < M,
p = popcount(j), holds labels of weights m = 1, B, B^2, .., B = 2h + 1, while h(h+1)/2 m <= 2^(p-1). In query t let r be the
bits of t at the places of j: of r = 2k and 2k + 1 one has an even number of ones and one an odd. Of the k below h(h+1)/2 m
the first m belong to level 1, the next 2m to level 2, and so on up to level h: there a label of weight m is predicted the
class of that level if the number is even, that of the opposite one if it is odd; for larger k a class in the middle,
whatever the number is. The alternating sum

    T_j = sum over t subset of j of (-1)^popcount(t) y_t

of the numbers y_t of right rows sees a label just m times its level; what is predicted for larger k it sees as often with
either sign. So T_j is a number in balanced digits of radix B. A component that lacks a bit of j cancels; those that hold all
of j's bits and more are known when j is read, from the largest down.
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

MOST_CLASSES = 1024  # whose levels are told apart: of more a single label takes millions of queries
MOST_ROWS = 1 << 60  # that a measurement may count, rows outside the design included


def half(K: int) -> int:
    """h, the highest level."""
    return K // 2


def cost(K: int) -> int:
    """How many k a label of weight 1 takes: 1 + 2 + .. + h."""
    return half(K) * (half(K) + 1) // 2


def radix(K: int) -> int:
    """B, as many as there are levels with 0."""
    return 2 * half(K) + 1


def held(p: int, K: int) -> int:
    """Labels of a component of p bits: one for each power of the radix that fits."""
    count = 0
    while p and cost(K) * radix(K) ** count <= 1 << (p - 1):
        count += 1
    return count


@dataclass(frozen=True)
class Balanced:
    """M queries of predicted classes."""

    M: int
    K: int = 3

    unit = Fraction(1)  # right rows are counted
    amplitude = Fraction(1)  # a row is right or not
    name = "balanced"

    def __post_init__(self) -> None:
        if self.M < 2 or self.K < 3:
            raise DesignError("a balanced design needs two queries and three classes")

    def capacity(self) -> int:
        """As many labels as all components hold."""
        return sum(held(p, self.K) * count for p, count in enumerate(popcount_histogram(self.M)))

    def sound(self) -> bool:
        """Whatever M is."""
        return 3 <= self.K <= MOST_CLASSES

    def row_l1_bound(self, n: int) -> Fraction:
        """Every row may be right."""
        check_labels(self, n)
        return Fraction(n)

    def row(self, t: int, n: int) -> IntArray:
        """The classes that query t predicts of the first n labels, O(n)."""
        import numpy as np

        check_query(self, t, n)
        component, place = _columns(n, self.K)
        return _predicted(_packed(t, component), np.power(radix(self.K), place, dtype=np.int64), self.K)

    def scores(self, x: IntArray) -> IntArray:
        """All numbers of right rows: each component's part is spread over the queries by the bits they share."""
        import numpy as np

        labels = labels_as(x, self.K).astype(np.int64)
        check_labels(self, len(labels))
        told = np.zeros(_size(self.M), dtype=np.int64)
        for j, own in _by_component(len(labels), self.K):
            _spread(told, j, labels[own], self.K, 1)
        return _transformed(told)[: self.M]

    def decode(self, y: IntArray, n: int) -> NDArray[Any]:
        """The n labels: from the largest component down, each read off in balanced digits."""
        import numpy as np

        check_measurements(self, y, n)
        told = np.zeros(_size(self.M), dtype=np.int64)
        told[: self.M] = nearest_integers(y, MOST_ROWS)  # what is the same in all measurements cancels
        told = _transformed(told)
        labels, components = np.zeros(n, dtype=np.uint8 if self.K <= 256 else np.int64), dict(_by_component(n, self.K))
        for j in range(self.M - 1, 0, -1):
            own = components.get(j, slice(0, 0))
            found = _digits(int(told[j]), own.stop - own.start, self.K)
            labels[own] = found
            if found:
                _spread(told, j, np.array(found, dtype=np.int64), self.K, -1)
        return labels


def _digits(value: int, size: int, K: int) -> list[int]:
    """The digits of a number, from -h to h, each the level of a class."""
    found, h, B = [], half(K), radix(K)
    for _ in range(size):
        level = (value + h) % B - h
        if not level and K % 2 == 0:
            raise DesignError("a count that no labeling has")
        found.append(level + h - (level > 0 and K % 2 == 0))
        value = (value - level) // B
    if value:
        raise DesignError("a count that no labeling has")
    return found


def _predicted(seen: IntArray, weight: IntArray, K: int) -> IntArray:
    """The classes that labels of these weights are predicted, the bits that a query shares with their component given."""
    import numpy as np

    h = half(K)
    levels = np.repeat(np.arange(h + 1), np.arange(h + 1))  # of k/m: 1, 2, 2, 3, 3, 3, ..
    place = (seen >> 1) // weight
    level = levels[np.minimum(place, len(levels) - 1)]
    level = np.where(_bit_count(seen) & 1, -level, level)
    classes = level + h - ((level > 0) & (K % 2 == 0))
    return np.where(place < len(levels), classes, h).astype(np.int64)


def _columns(n: int, K: int) -> tuple[IntArray, IntArray]:
    """For each of the first n labels its component, and the place of its weight."""
    import numpy as np

    M = 2
    while Balanced(M, K).capacity() < n:
        M *= 2
    sizes = np.array([held(p, K) for p in range(M.bit_length() + 1)])[popcounts(M)]
    component = np.repeat(np.arange(M), sizes)[:n]
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return component, np.arange(n) - first[component]


def _by_component(n: int, K: int) -> list[tuple[int, slice]]:
    """Each component that holds labels, and which."""
    import numpy as np

    component, _ = _columns(n, K)
    starts = np.flatnonzero(np.diff(component, prepend=-1))
    ends = [*starts[1:].tolist(), n]
    return [(int(component[start]), slice(start, end)) for start, end in zip(starts.tolist(), ends, strict=True)]


def _spread(told: IntArray, j: int, labels: IntArray, K: int, sign: int) -> None:
    """Add what the labels of component j give to every T_i, i subset of j."""
    import numpy as np

    p = j.bit_count()
    r = np.arange(1 << p)
    right = np.zeros(1 << p, dtype=np.int64)
    for place, label in enumerate(labels.tolist()):
        right += _predicted(r, np.full(len(r), radix(K) ** place), K) == label
    parts = _transformed(right)
    at = np.zeros_like(r)
    for index, bit in enumerate(bit for bit in range(j.bit_length()) if j >> bit & 1):
        at |= (r >> index & 1) << bit
    told[at] += sign * parts
