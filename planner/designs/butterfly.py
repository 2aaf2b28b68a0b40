"""F, the butterfly: all labels take part in every query.

Doubling D(2r) = [[D, D, I], [D, -D, 0]] over a base row b with distinct subset sums turns M queries into
n0 * M + sum_{i<M} popcount(i) labels. Any M is the chain of its binary digits: M = M0 + M1, with M0 its
largest power of two, holds D(M0), D(M1) and M1 more labels. Columns are laid out as power-of-two blocks,
largest first, each followed by its chain's M1 single labels; inside a block come the base labels of its
components, then the single labels of its levels, largest stride first.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dsl.alike import ByFields
from planner.designs.base import (
    DesignError,
    check_labels,
    check_measurements,
    check_query,
    integer_type,
    labels_as,
    nearest_integers,
)
from planner.designs.popcounts import characters, popcount_sum
from planner.designs.sets import BitSet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.designs.base import IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Butterfly(ByFields):
    """M queries over the base set `base`; amplitude is the base's largest weight."""

    M: int
    base: BitSet

    def __post_init__(self) -> None:
        if self.M < 1 or self.base.size < 1:
            raise DesignError("a butterfly needs a query and a base weight")

    @property
    def K(self) -> int:
        """Labels are bits."""
        return 2

    @property
    def unit(self) -> Fraction:
        """Entries are integers."""
        return Fraction(1)

    @property
    def amplitude(self) -> Fraction:
        """The largest base weight."""
        return Fraction(self.base.maximum)

    @property
    def name(self) -> str:
        """What a report calls the design."""
        return f"butterfly, base of {self.base.size} with maximum {self.base.maximum}"

    def capacity(self) -> int:
        """n0 M + sum over i < M of popcount(i)."""
        return self.base.size * self.M + popcount_sum(self.M)

    def sound(self) -> bool:
        """Conway and Guy's sets and their doubles have distinct subset sums, whatever their size."""
        return self.base.core >= 0 and self.base.doublings >= 0

    def row_l1_bound(self, n: int) -> Fraction:
        """Base weights of all M components, and at most M - 1 single labels in one row."""
        check_labels(self, n)
        full = self.M * sum(self.base.weights) + self.M - 1
        return Fraction(min(full, n * self.base.maximum))

    def row(self, t: int, n: int) -> IntArray:
        """Entries of query t for the first n labels."""
        import numpy as np

        check_query(self, t, n)
        parts: list[IntArray] = []
        sign, rest = 1, self.M
        for size in _blocks(self.M):
            rest -= size
            inside = t < size
            t = t if inside else t - size
            parts += [sign * part for part in self._block_row(t, size)]
            singles = np.zeros(rest, dtype=np.int64)
            if inside and t < rest:
                singles[t] = sign
            sign = 0 if t >= rest else sign if inside else -sign
            parts.append(singles)
        return np.concatenate(parts)[:n]

    def _block_row(self, t: int, size: int) -> list[IntArray]:
        import numpy as np

        weights: IntArray = np.array(self.base.weights, dtype=integer_type(self.base.maximum))
        parts = [np.outer(characters(t, size), weights).ravel()]
        for level in reversed(range(size.bit_length() - 1)):
            stride = 1 << level
            singles = np.zeros((size // (2 * stride), stride), dtype=np.int64)
            if not t & stride:
                singles[:, t % stride] = characters(t >> (level + 1), size // (2 * stride))
            parts.append(singles.ravel())
        return parts

    def scores(self, x: IntArray) -> IntArray:
        """All measurements of the labeling x, O(M log M + n)."""
        import numpy as np

        bits = labels_as(x, 2)
        check_labels(self, len(bits))
        bits = np.concatenate([bits, np.zeros(self.capacity() - len(bits), dtype=np.int64)])
        pieces: list[tuple[IntArray, IntArray]] = []
        rest = self.M
        for size in _blocks(self.M):
            rest -= size
            width = self.base.size * size + popcount_sum(size)
            block, bits = self._block_scores(bits[:width], size), bits[width:]
            pieces.append((block, bits[:rest]))
            bits = bits[rest:]
        y, _ = pieces.pop()
        while pieces:
            block, singles = pieces.pop()
            head = block[: len(y)]
            y = np.concatenate([head + y + singles, block[len(y) :], head - y])
        return y

    def _block_scores(self, bits: NDArray[Any], size: int) -> IntArray:
        import numpy as np

        dtype = integer_type(4 * self._bound())
        weights: IntArray = np.array(self.base.weights, dtype=dtype)
        n0 = self.base.size
        y: IntArray = bits[: n0 * size].astype(dtype).reshape(size, n0) @ weights
        levels = bits[n0 * size :].reshape(-1, size // 2) if size > 1 else ()
        stride = 1
        for singles in reversed(levels):
            pair = y.reshape(-1, 2, stride)
            top = pair[:, 0] + pair[:, 1] + singles.reshape(-1, stride)
            bottom = pair[:, 0] - pair[:, 1]
            y = np.stack([top, bottom], axis=1).ravel()
            stride *= 2
        return y

    def decode(self, y: IntArray, n: int) -> NDArray[Any]:
        """The first n labels; every further column must read 0."""
        import numpy as np

        check_measurements(self, y, n)
        values: IntArray = nearest_integers(y, self._bound()).astype(integer_type(4 * self._bound()))
        parts: list[NDArray[Any]] = []
        for size in _blocks(self.M):
            rest = len(values) - size
            top, bottom = values[:rest], values[size:]
            total = top + bottom
            singles = total & 1
            block = np.concatenate([(total - singles) >> 1, values[rest:size]])
            parts += self._block_decode(block)
            parts.append(singles.astype(np.uint8))
            values = (top - bottom - singles) >> 1
        labels = np.concatenate(parts)
        if labels[n:].any():
            raise DesignError("an unused column reads 1: no labeling fits")
        return labels[:n]

    def _block_decode(self, y: IntArray) -> list[NDArray[Any]]:
        import numpy as np

        levels: list[NDArray[Any]] = []
        stride = len(y) // 2
        while stride:
            pair = y.reshape(-1, 2, stride)
            total = pair[:, 0] + pair[:, 1]
            singles = total & 1
            top = (total - singles) >> 1
            y = np.stack([top, pair[:, 0] - top - singles], axis=1).ravel()
            levels.append(singles.astype(np.uint8).ravel())
            stride //= 2
        return [self.base.digits(y).ravel(), *levels]

    def _bound(self) -> int:
        """No measurement of a labeling exceeds this."""
        return self.M * (sum(self.base.weights) + 1)


def _blocks(M: int) -> list[int]:
    """The powers of two in M, largest first."""
    return [1 << bit for bit in reversed(range(M.bit_length())) if M >> bit & 1]
