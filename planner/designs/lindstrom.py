"""G, the Hermite-Lindström design over a seed: components on all subsets of the blocks' index bits.

Labels are laid out by the popcount of their component, then by component, then by the seed's groups; labels
that live in one block alone come last. Query t of the design is row t % rows of block t // rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dsl.alike import ByFields
from planner.designs.base import (
    DesignError,
    check_labels,
    check_measurements,
    check_query,
    integer_type,
    labels_as,
)
from planner.designs.popcounts import characters, popcount_histogram, popcounts
from planner.designs.seeds import Seed
from planner.numerics.lockless import cached_property

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.designs.base import IntArray
    from planner.designs.cube import Cube


@dataclass(frozen=True, eq=False, repr=False)
class Lindstrom(ByFields):
    """`blocks` blocks of the seed's queries."""

    blocks: int
    seed: Seed

    def __post_init__(self) -> None:
        if self.blocks < 1:
            raise DesignError("a design needs a query")

    @property
    def M(self) -> int:
        """Queries."""
        return self.blocks * self.seed.rows

    @property
    def K(self) -> int:
        """Labels are bits."""
        return 2

    @property
    def unit(self) -> Fraction:
        """The seed's."""
        return self.seed.unit

    @property
    def amplitude(self) -> Fraction:
        """The seed's."""
        return self.seed.amplitude

    @property
    def name(self) -> str:
        """What a report calls the design."""
        return self.seed.name

    def capacity(self) -> int:
        """The bits of every level, times the components of that popcount."""
        return sum(n * _size(self.seed, p) for p, n in self._levels()) + self.blocks * len(self.seed.extras[0])

    def sound(self) -> bool:
        """Whether the seed is one that was proved."""
        return self.seed.sound()

    def row_l1_bound(self, n: int) -> Fraction:
        """Every label at the largest entry it ever takes, level by level."""
        check_labels(self, n)
        full = sum(count * self._level_l1(p) for p, count in self._levels())
        full += max(sum(map(abs, row)) for row in self.seed.extras)
        return min(full * self.unit, n * self.amplitude)

    def row(self, t: int, n: int) -> IntArray:
        """Entries of query t for the first n labels."""
        import numpy as np

        check_query(self, t, n)
        block, line = divmod(t, self.seed.rows)
        mix: IntArray = np.array(self.seed.matrix[line], dtype=self._dtype)
        signs = characters(block, self.blocks)
        packed = self._packed(block)
        parts: list[IntArray] = []
        for p, members in enumerate(self._cube.members):
            columns = [f @ mix for f in self._cube.columns[p]]
            picked = [f[packed[members] >> (p - len(f).bit_length() + 1)] for f in columns]
            if picked:
                parts.append((signs[members, None] * np.stack(picked, axis=1)).ravel())
        singles: IntArray = np.zeros((self.blocks, len(self.seed.extras[line])), dtype=self._dtype)
        singles[block] = self.seed.extras[line]
        return np.concatenate([*parts, singles.ravel()])[:n]

    def scores(self, x: IntArray) -> IntArray:
        """All measurements of the labeling x."""
        import numpy as np

        bits = labels_as(x, 2)
        check_labels(self, len(bits))
        bits = np.concatenate([bits, np.zeros(self.capacity() - len(bits), dtype=np.int64)])
        levels: list[IntArray] = []
        for members, columns in zip(self._cube.members, self._cube.columns, strict=True):
            width = len(members) * len(columns)
            levels.append(bits[:width].reshape(len(members), len(columns)))
            bits = bits[width:]
        y = self._cube.measure(levels) @ np.array(self.seed.matrix, dtype=self._dtype).T
        extras: IntArray = np.array(self.seed.extras, dtype=self._dtype)
        return np.asarray(y + bits.reshape(self.blocks, -1) @ extras.T).ravel()

    def decode(self, y: IntArray, n: int) -> NDArray[Any]:
        """The first n labels; every further column must read 0."""
        import numpy as np

        check_measurements(self, y, n)
        vectors, singles = self.seed.settle(y.reshape(self.blocks, self.seed.rows), self._bound)
        levels = self._cube.solve(vectors.astype(self._dtype), self._read)
        labels = np.concatenate([level.ravel() for level in levels] + [singles.ravel()])
        if labels[n:].any():
            raise DesignError("an unused column reads 1: no labeling fits")
        return labels[:n].astype(np.uint8)

    def _levels(self) -> list[tuple[int, int]]:
        return [(p, count) for p, count in enumerate(popcount_histogram(self.blocks)) if count]

    def _level_l1(self, p: int) -> int:
        """Sum over the bits of level p of the largest entry each can take in a row, in units."""
        groups = enumerate(self.seed.groups(p))
        return sum(self.seed.peak(p, g, weight) for g, group in groups for weight in group.bits.weights)

    @cached_property
    def _bound(self) -> int:
        """No measurement of a labeling exceeds this, in gaps."""
        return int(self.row_l1_bound(self.capacity())) + 1

    @cached_property
    def _dtype(self) -> type:
        """Wide enough for measurements and for the sums of a component; what lies between may wrap."""
        top = max(p for p, _ in self._levels())
        sums = max(
            sum(map(abs, group.bits.weights)) * group.divisor * max(map(abs, group.functional))
            for group in self.seed.groups(top)
        )
        return integer_type(4 * max(sums, int(self._bound / self.unit)))

    @cached_property
    def _cube(self) -> Cube:
        from planner.designs.cube import Cube

        return Cube(self.blocks, len(self.seed.matrix[0]), self._columns, self._dtype)

    def _columns(self, p: int) -> list[IntArray]:
        import numpy as np

        groups = enumerate(self.seed.groups(p))
        return [
            np.array(self.seed.slots(p, g, weight), dtype=self._dtype)
            for g, group in groups
            for weight in group.bits.weights
        ]

    def _packed(self, block: int) -> IntArray:
        """pext(block, j) for every component j."""
        import numpy as np

        packed = np.zeros(1, dtype=np.int64)
        for bit in range((self.blocks - 1).bit_length()):
            above = packed + ((block >> bit & 1) << popcounts(len(packed)))
            packed = np.concatenate([packed, above])
        return packed[: self.blocks]

    def _read(self, p: int, sums: IntArray, ranks: IntArray) -> IntArray:
        """The bits of components of level p from their vectors, group by group."""
        import numpy as np

        parts: list[IntArray] = []
        at = 0
        for group in self.seed.groups(p):
            value = sums @ np.array(group.functional, dtype=self._dtype)
            if bool(np.any(value % group.divisor)):
                raise DesignError("a component's vector lies off its lattice: no labeling fits")
            bits = group.bits.digits(value // group.divisor, ranks)
            sums = sums - bits @ self._weights[p][at : at + group.bits.size]
            at += group.bits.size
            parts.append(bits)
        if bool(np.any(sums)):
            raise DesignError("a component's vector is no sum of its columns: no labeling fits")
        return np.concatenate(parts, axis=1)

    @cached_property
    def _weights(self) -> list[IntArray]:
        """The whole vectors of every level's columns."""
        import numpy as np

        d = len(self.seed.matrix[0])
        return [
            np.array([f.sum(axis=0) * ((1 << p) // len(f)) for f in columns], dtype=self._dtype).reshape(-1, d)
            for p, columns in enumerate(self._cube.columns)
        ]


@lru_cache(maxsize=4096)
def _size(seed: Seed, p: int) -> int:
    """The bits of one component of level p; cached: a search asks for every number of blocks."""
    return sum(group.bits.size for group in seed.groups(p))
