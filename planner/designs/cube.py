"""The Hermite-Lindström transform: components on the subsets of a cube, measured by its corners.

Component j < r, p = popcount(j), holds columns. A column is a function f on 2^q slots (q <= p) with values in
Z^d; in corner t it contributes (-1)^popcount(t & j) * f(the top q bits of pext(t, j)), pext packing the bits
of t that j selects. Its weight is m = 2^(p-q) * (sum of f over the slots). With

    w[i] = sum over t subset of i of (-1)^popcount(t) y[t]

a column x of component j adds x * (sum over t subset of i of f) to w[i] if i is a subset of j, and nothing
otherwise: so w[j] is the sum of component j's own weights once its supersets have been subtracted.

All components of one popcount are handled at once. Indices are split into high and low bits. A column that
is constant on the low bits for a given high part, as almost all are, reaches the subsets of its high part by
one superset sum; only the others need the 3^n pairs of sets. Arithmetic wraps modulo 2^64, which leaves every
final value right as long as that value fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.designs.popcounts import popcounts
from planner.numerics.lockless import cached_property

LOW_BITS = 8
"""Indices are split so that this many bits are handled by explicit pairs of sets."""

CACHED_BITS = 12
"""Designs up to this size keep the tables between decodings; larger ones would need hundreds of megabytes."""

CHUNK = 1 << 21
"""Array elements of one batch: what bounds the memory."""

Array = NDArray[Any]
Columns = list[Array]
"""The columns of one level: arrays of shape (2^q, d)."""


class _Pairs(NamedTuple):
    """All (j, subset of j) with j of one popcount below 2^low, sorted by subset."""

    members: Array
    subsets: Array
    order: Array
    starts: Array


@lru_cache(maxsize=256)
def _pairs(bits: int, p: int) -> _Pairs:
    members = np.flatnonzero(popcounts(1 << bits) == p)
    table = subsets_of(members, p)
    order = np.argsort(table, axis=None, kind="stable")
    subsets, starts = np.unique(table.ravel()[order], return_index=True)
    return _Pairs(members, subsets, order, starts)


def subsets_of(members: Array, p: int) -> Array:
    """pdep(s, j) for every member j of popcount p and every s < 2^p, shape (len(members), 2^p)."""
    table = np.zeros((len(members), 1), dtype=np.int64)
    remaining = members.copy()
    for _ in range(p):
        lowest = remaining & -remaining
        table = np.concatenate([table, table + lowest[:, None]], axis=1)
        remaining ^= lowest
    return table


def sum_over_subsets(table: Array, bits: int) -> Array:
    """Along axis 0 of length 2^bits: every entry becomes the sum over the subsets of its index."""
    table = table.copy()
    for b in range(bits):
        pair = table.reshape(1 << bits - b - 1, 2, 1 << b, *table.shape[1:])
        pair[:, 1] += pair[:, 0]
    return table


class Cube:
    """r corners and components over Z^d, with the columns that `columns(p)` gives to popcount p."""

    def __init__(self, r: int, d: int, columns: Callable[[int], Columns], dtype: type) -> None:
        self.r, self.d, self.dtype = r, d, dtype
        self.bits = (r - 1).bit_length()
        self.low = min(LOW_BITS, self.bits)
        self.columns = [columns(p) for p in range(self.bits + 1)]
        self._own = cache(self._own_table)
        self._below = cache(self._below_tables) if self.bits <= CACHED_BITS else self._below_tables

    @cached_property
    def members(self) -> list[Array]:
        """The components of every popcount, ascending."""
        counts = popcounts(self.r)
        return [np.flatnonzero(counts == p) for p in range(self.bits + 1)]

    @cached_property
    def _rank(self) -> Array:
        """Where each component stands among those of its popcount."""
        rank = np.zeros(self.r, dtype=np.int64)
        for members in self.members:
            rank[members] = np.arange(len(members))
        return rank

    def measure(self, x: list[Array]) -> Array:
        """y, shape (r, d), of the 0/1 columns x[p] of shape (components of popcount p, columns)."""
        w = self._blank()
        for P, highs in self._batches():
            parts = []
            for q in range(self.low + 1):
                index = self._index(highs, q)
                inside = index < self.r
                part = np.zeros((*index.shape, len(self.columns[P + q])), dtype=self.dtype)
                part[inside] = x[P + q][self._rank[index[inside]]]
                parts.append(part)
                self._add_own(w, P, q, highs, part)
            self._add_below(w, P, highs, parts)
        return self._transform(w)[: self.r]

    def solve(self, y: Array, read: Callable[[int, Array, Array], Array]) -> list[Array]:
        """The columns behind y.

        read(p, w, ranks) turns the sums w (count, d) of components with these ranks among those of popcount p
        into columns (count, columns of level p).
        """
        w = self._blank()
        w.reshape(-1, self.d)[: self.r] = y
        self._transform(w)
        found = [np.zeros((len(j), len(c)), dtype=np.uint8) for j, c in zip(self.members, self.columns, strict=True)]
        for P, highs in self._batches():
            parts: list[Array] = []
            for q in reversed(range(self.low + 1)):
                index = self._index(highs, q)
                inside = index < self.r
                part = np.zeros((*index.shape, len(self.columns[P + q])), dtype=self.dtype)
                ranks = self._rank[index[inside]]
                x = read(P + q, w[highs[:, None], _pairs(self.low, q).members][inside], ranks)
                found[P + q][ranks] = x
                part[inside] = x
                parts.insert(0, -part)
                self._add_own(w, P, q, highs, -part)
            self._add_below(w, P, highs, parts)
        return found

    def _index(self, highs: Array, q: int) -> Array:
        """Components with these high parts and q low bits; some may lie beyond r."""
        return (highs[:, None] << self.low) + _pairs(self.low, q).members

    def _blank(self) -> Array:
        return np.zeros((1 << self.bits - self.low, 1 << self.low, self.d), dtype=self.dtype)

    def _transform(self, w: Array) -> Array:
        """y to w in place; it is its own inverse."""
        flat = w.reshape(-1, self.d)
        for b in range(self.bits):
            pair = flat.reshape(-1, 2, 1 << b, self.d)
            pair[:, 1] = pair[:, 0] - pair[:, 1]
        return flat

    def _batches(self) -> Iterator[tuple[int, Array]]:
        """High parts by falling popcount, few enough at a time to bound the memory."""
        counts = popcounts(1 << self.bits - self.low)
        for P in range(self.bits - self.low, -1, -1):
            highs = np.flatnonzero(counts == P)
            width = max(1, CHUNK // ((1 << self.low + P) * self.d))
            for start in range(0, len(highs), width):
                yield P, highs[start : start + width]

    def _add_own(self, w: Array, P: int, q: int, highs: Array, x: Array) -> None:
        """Level P + q to the low subsets under the same high part."""
        w[highs[:, None], _pairs(self.low, q).subsets] += self._spread(q, x, self._own(P, q))[:, 0]

    def _own_table(self, P: int, q: int) -> Array:
        return self._table(0, q, [_folded(f, P) for f in self.columns[P + q]])

    def _add_below(self, w: Array, P: int, highs: Array, parts: list[Array]) -> None:
        """All levels under these high parts to the proper subsets of the high parts."""
        if P == 0:
            return
        below = subsets_of(highs, P)[:, :-1]
        flat = np.zeros((len(highs), 1 << self.low, below.shape[1] * self.d), dtype=self.dtype)
        for q, x in enumerate(parts):
            varies, table, constants = self._below(P, q)
            if varies.any():
                for h, part in zip(below, self._spread(q, x[..., varies], table), strict=True):
                    w[h[:, None], _pairs(self.low, q).subsets] += part
            flat[:, _pairs(self.low, q).members] = _product(x[..., ~varies], constants)
        self._superset_sums(flat)
        for h, part in zip(below, flat, strict=True):
            w[h] += part.reshape(1 << self.low, -1, self.d).swapaxes(0, 1)

    def _below_tables(self, P: int, q: int) -> tuple[Array, Array, Array]:
        """Which columns of level P + q vary on the low bits under a proper prefix; their sums; the others'."""
        columns = self.columns[P + q]
        varies = np.array([_varies(f, P) for f in columns], dtype=bool)
        varying = [f for f, v in zip(columns, varies, strict=True) if v]
        constant = [f for f, v in zip(columns, varies, strict=True) if not v]
        return varies, self._table(P, q, varying)[:, :-1], self._constants(P, constant)

    def _superset_sums(self, flat: Array) -> None:
        """Along the low axis in place, each low bit of the subset doubling what a constant column adds."""
        for b in range(self.low):
            pair = flat.reshape(len(flat), -1, 2, 1 << b, flat.shape[2])
            pair[:, :, 0] += pair[:, :, 1]
            pair[:, :, 1] *= 2

    def _spread(self, q: int, x: Array, table: Array) -> Array:
        """Sums over the low members j of x[j] @ table, by low subset: shape (highs, prefixes, subsets, d)."""
        pairs = _pairs(self.low, q)
        prefixes = table.shape[1]
        all_pairs = _product(x, table.reshape(len(table), prefixes * self.d << q))
        all_pairs = all_pairs.reshape(*x.shape[:2], prefixes, 1 << q, self.d)
        sorted_pairs = all_pairs.swapaxes(1, 2).reshape(len(x), prefixes, -1, self.d)[:, :, pairs.order]
        return np.add.reduceat(sorted_pairs, pairs.starts, axis=2)

    def _table(self, P: int, q: int, columns: Columns) -> Array:
        """Sums of f over the subsets of (prefix, low slot), shape (columns, 2^P, 2^q, d)."""
        full: Array = np.zeros((len(columns), 1 << P + q, self.d), dtype=self.dtype)
        for k, f in enumerate(columns):
            full[k] = np.repeat(f, (1 << P + q) // len(f), axis=0)
        sums = sum_over_subsets(full.swapaxes(0, 1), P + q).swapaxes(0, 1)
        return sums.reshape(len(columns), 1 << P, 1 << q, self.d)

    def _constants(self, P: int, columns: Columns) -> Array:
        """The same for columns that depend on a proper prefix alone, shape (columns, (2^P - 1) d)."""
        full: Array = np.zeros((len(columns), 1 << P, self.d), dtype=self.dtype)
        for k, f in enumerate(columns):
            slots = len(f) >> P
            full[k] = f[::slots] if slots else np.repeat(f, (1 << P) // len(f), axis=0)
        sums = sum_over_subsets(full.swapaxes(0, 1), P).swapaxes(0, 1)
        return sums[:, :-1].reshape(len(columns), ((1 << P) - 1) * self.d)


def _product(x: Array, table: Array) -> Array:
    """x @ table exactly, through floating point where that is exact, for it is many times faster."""
    if table.dtype == object or not table.size or np.abs(table).sum(axis=0).max() >= 2**53:
        return np.asarray(x @ table)
    return np.asarray(x.astype(np.float64) @ table.astype(np.float64)).astype(np.int64)


def _folded(f: Array, P: int) -> Array:
    """The column summed over its top P bits: what all of a high part's subsets add up to."""
    repeats = max(1, (1 << P) // len(f))
    return np.asarray(f.reshape(min(len(f), 1 << P), -1, f.shape[1]).sum(axis=0) * repeats)


def _varies(f: Array, P: int) -> bool:
    """Whether, under some prefix of P bits other than all ones, the column still depends on later bits."""
    if len(f) <= 1 << P:
        return False
    rows = f.reshape(1 << P, -1, f.shape[1])[:-1]
    return bool((rows != rows[:, :1]).any())
