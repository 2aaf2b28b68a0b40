"""Adaptive attacks on tiny boards, played against every labeling at once: what they tell, and the best that there are.

A row charges class k by c[i, k] within [0, 1], the sum of charges is shown by the cell of a grid that it falls into, and
each submission may depend on all that was shown before. That is more than any scorer offers. No code of the planner's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from math import floor

import numpy as np

from tests.planner.brute import labelings


@dataclass(frozen=True)
class Query:
    """A submission's charges, and where a cell begins."""

    charges: np.ndarray  # (N, K), within [0, 1]
    offset: float

    def sums(self, rows: np.ndarray) -> np.ndarray:
        return self.charges[np.arange(len(self.charges)), rows].sum(axis=1)


@dataclass
class Told:
    """What a tree of queries tells, in the mean over all labelings."""

    energy: float = 0.0  # the sum of the variances of what is expected of each sum of charges
    entropy: float = 0.0
    entropies: list[tuple[float, float]] = field(
        default_factory=list
    )  # variance in squared cells and entropy of each node
    leaves: int = 0


@dataclass(frozen=True)
class Tree:
    """A strategy: a query for each sequence of answers, by its place in the tree; missing ones ask nothing."""

    N: int
    K: int
    cell: float
    depth: int
    queries: dict[tuple[int, ...], Query]

    def told(self) -> Told:
        everything = labelings(self.N, self.K)
        found = Told()
        self._play((), np.arange(len(everything)), everything, found)
        return found

    def _play(self, place: tuple[int, ...], left: np.ndarray, rows: np.ndarray, found: Told) -> None:
        query = self.queries.get(place)
        if query is None or len(place) == self.depth or len(left) == 1:
            found.leaves += 1
            return
        sums = query.sums(rows[left])
        shown = np.floor((sums + query.offset) / self.cell).astype(int)
        answers, which = np.unique(shown, return_inverse=True)
        share = np.bincount(which) / len(left)
        means = np.bincount(which, weights=sums) / np.bincount(which)
        variance = float((share * (means - sums.mean()) ** 2).sum())
        entropy = float(-(share * np.log2(share)).sum())
        weight = len(left) / len(rows)
        found.energy += weight * variance
        found.entropy += weight * entropy
        found.entropies.append((variance / self.cell**2, entropy))
        for index in range(len(answers)):
            self._play((*place, index), left[which == index], rows, found)


def random_tree(draw: np.random.Generator, N: int, K: int, cell: float, depth: int) -> Tree:
    """A query at every place that a tree of that depth can have, answers numbered from 0."""
    most = floor(N / cell) + 2
    places = [place for length in range(depth) for place in product(range(most), repeat=length)]
    return Tree(N, K, cell, depth, {place: random_query(draw, N, K, cell) for place in places[:400]})


def random_query(draw: np.random.Generator, N: int, K: int, cell: float) -> Query:
    kinds = (
        draw.integers(0, 2, (N, K)).astype(float),
        draw.random((N, K)),
        draw.choice([0, 0.25, 0.5, 1], (N, K)),
    )
    return Query(kinds[draw.integers(len(kinds))], draw.choice([0, cell / 2, draw.random() * cell]))


def climbed(draw: np.random.Generator, tree: Tree, steps: int) -> Tree:
    """A neighbour after neighbour of the tree, as long as more is told in all."""
    best = tree.told()
    places = list(tree.queries)
    for _ in range(steps):
        place = places[min(int(draw.exponential(len(places) / 8)), len(places) - 1)]
        other = replace(tree, queries={**tree.queries, place: _changed(draw, tree.queries[place], tree.cell)})
        found = other.told()
        if (found.energy, found.entropy) >= (best.energy, best.entropy):
            tree, best = other, found
    return tree


def _changed(draw: np.random.Generator, query: Query, cell: float) -> Query:
    charges = query.charges.copy()
    row = draw.integers(len(charges))
    charges[row] = draw.choice([0.0, 1.0, draw.random()], charges.shape[1])
    return Query(charges, draw.choice([query.offset, draw.random() * cell]))


# -- the best strategy there is -----------------------------------------------------------------------------


class Game:
    """Two classes, weights from a list, cells that begin anywhere on a list: the most labelings told apart, by search."""

    def __init__(self, N: int, cell: float, weights: tuple[float, ...], offsets: int) -> None:
        self.N = N
        rows = labelings(N, 2)
        begins = [cell * index / offsets + 1e-9 for index in range(offsets)]
        splits = {
            tuple(np.floor((rows @ np.array(chosen) + begin) / cell).astype(int))
            for chosen in product(weights, repeat=N)
            for begin in begins
        }
        parts = {tuple(sorted(_parts(split))) for split in splits}
        self._splits = [one for one in parts if len(one) > 1]
        self.most = cache(self._most)

    def _most(self, left: int, queries: int) -> int:
        """Of the labelings that are left, how many can be given leaves of their own."""
        if not queries or not left & (left - 1):
            return 1
        bound, best = left.bit_count(), 1
        for split in self._splits:
            pieces = [piece for part in split if (piece := part & left)]
            if len(pieces) > 1:
                best = max(best, sum(self.most(piece, queries - 1) for piece in pieces))
            if best == bound:
                break
        return best

    def leaves(self) -> Iterator[int]:
        """The most labelings that 1, 2, ... queries tell apart, until all are."""
        everything = (1 << 2**self.N) - 1
        queries, found = 0, 1
        while found < 2**self.N:
            queries += 1
            found = self.most(everything, queries)
            yield found


def _parts(split: tuple[int, ...]) -> list[int]:
    """The classes of a function on the labelings, each as a set of bits."""
    parts: dict[int, int] = {}
    for index, value in enumerate(split):
        parts[value] = parts.get(value, 0) | 1 << index
    return list(parts.values())
