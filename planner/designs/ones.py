"""The design of zeros and ones: which rows are counted in which query, the first query counting all.

Component j < M, p = popcount(j), holds p labels of weights 1, 2, .., 2^(p-1); component 0 holds one label. In query t the
label of weight m in component j is counted iff r, the bits of t at the places of j, has an even number of ones and
r >> 1 < m. Of the r with an even number of ones just m have r >> 1 < m, so that the alternating sum

    T_j = sum over t subset of j of (-1)^popcount(t) y_t

sees a label of its own component m times. What another component i adds depends on the bits of t in i alone: where j has a
bit that i lacks, the sum over that bit cancels. So T_j is the sum of m x over component j and what components add that hold
all of j's bits and more: read from the largest j down, these are known by then.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from planner.designs.base import (
    DesignError,
    check_labels,
    check_measurements,
    check_query,
    labels_as,
    nearest_integers,
)
from planner.designs.popcounts import popcount_sum, popcounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.designs.base import IntArray


@dataclass(frozen=True)
class Ones:
    """M queries; the first counts every label."""

    M: int

    K = 2  # labels are bits
    unit = Fraction(1)  # entries are integers
    amplitude = Fraction(1)  # a label is counted or not
    name = "zeros and ones"

    def __post_init__(self) -> None:
        if self.M < 1:
            raise DesignError("a design needs a query")

    def capacity(self) -> int:
        """1 + sum over j < M of popcount(j)."""
        return 1 + popcount_sum(self.M)

    def sound(self) -> bool:
        """Whatever M is."""
        return True

    def row_l1_bound(self, n: int) -> Fraction:
        """The first query counts all."""
        check_labels(self, n)
        return Fraction(n)

    def row(self, t: int, n: int) -> IntArray:
        """Which of the first n labels query t counts: 1 or 0, O(n)."""
        import numpy as np

        check_query(self, t, n)
        component, place = _columns(n)
        seen = _packed(t, component)
        even = (_bit_count(seen) & 1) == 0
        counted = even & ((seen >> 1) < (1 << place))
        return np.where(component == 0, 1, counted).astype(np.int64)

    def scores(self, x: IntArray) -> IntArray:
        """All counts of a labeling: each component's part is spread over the queries by the bits they share."""
        import numpy as np

        bits = labels_as(x, 2)
        check_labels(self, len(bits))
        total = np.zeros(_size(self.M), dtype=np.int64)
        # T_j of a labeling is all that is needed: the alternating transform is its own inverse.
        for j, weights in _by_component(len(bits)):
            held = bits[weights]
            if held.any():
                _spread(total, j, held)
        return _transformed(total)[: self.M]

    def decode(self, y: IntArray, n: int) -> NDArray[Any]:
        """The n labels: from the largest component down, each read off in binary."""
        import numpy as np

        check_measurements(self, y, n)
        counts = nearest_integers(y, n)
        if (counts < 0).any():
            raise DesignError("a count below 0: no labeling fits")
        told = np.zeros(_size(self.M), dtype=np.int64)
        told[: self.M] = counts
        told = _transformed(told)
        labels = np.zeros(n, dtype=np.uint8)
        components = dict(_by_component(n))
        for j in range(self.M - 1, -1, -1):
            own, value = components.get(j, slice(0, 0)), int(told[j])
            size = own.stop - own.start
            if not 0 <= value < 1 << size:
                raise DesignError("a count that no labeling has")
            labels[own] = (value >> np.arange(size)) & 1
            if value:
                _spread(told, j, labels[own].astype(np.int64), -1)
        return labels


def _size(M: int) -> int:
    """A power of two that holds all queries."""
    return 1 << (M - 1).bit_length()


def _columns(n: int) -> tuple[IntArray, IntArray]:
    """For each of the first n labels its component, and the place of its weight."""
    import numpy as np

    M = 1
    while 1 + popcount_sum(M) < n:
        M *= 2
    sizes = popcounts(M)
    sizes[0] = 1
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


def _packed(t: int, component: IntArray) -> IntArray:
    """The bits of t at the places of each component, packed together."""
    import numpy as np

    seen, place = np.zeros_like(component), np.zeros_like(component)
    for bit in range(int(component[-1]).bit_length() if len(component) else 0):
        held = component >> bit & 1
        seen |= (held & (t >> bit & 1)) << place
        place += held
    return seen


def _bit_count(values: IntArray) -> IntArray:
    import numpy as np

    total, rest = np.zeros_like(values), values.copy()
    while rest.any():
        total += rest & 1
        rest >>= 1
    return total


def _transformed(y: IntArray) -> IntArray:
    """sum over t subset of j of (-1)^popcount(t) y_t, for every j."""
    stride = 1
    values = y.copy()
    while stride < len(values):
        pair = values.reshape(-1, 2, stride)
        pair[:, 1] = pair[:, 0] - pair[:, 1]
        stride *= 2
    return values


def _spread(told: IntArray, j: int, held: IntArray, sign: int = 1) -> None:
    """Add what the labels of component j give to every T_i, i subset of j."""
    import numpy as np

    p = max(j.bit_count(), 0)
    r = np.arange(1 << p)
    even = (_bit_count(r) & 1) == 0
    seen = np.zeros(1 << p, dtype=np.int64)
    for place in np.flatnonzero(held).tolist():
        seen += even & ((r >> 1) < (1 << place)) if j else 1
    parts = _transformed(seen)
    places = [bit for bit in range(j.bit_length()) if j >> bit & 1]
    at = np.zeros_like(r)
    for index, bit in enumerate(places):
        at |= (r >> index & 1) << bit
    told[at] += sign * parts
