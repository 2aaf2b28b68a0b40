"""Labels in equal blocks, each weighed by the same butterfly: what the spread attacks have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from planner.attacks.spread.parameters import base_set
from planner.channel.metrics.base import Level, Metric
from planner.channel.sides import BINARY, Sides
from planner.designs.butterfly import Butterfly
from planner.numerics.lockless import cached_property


class BlockShape(Protocol):
    """The parameters that shape the blocks."""

    @property
    def rows(self) -> int: ...  # noqa: D102
    @property
    def columns(self) -> int: ...  # noqa: D102
    @property
    def order(self) -> int: ...  # noqa: D102
    @property
    def rounds(self) -> int: ...  # noqa: D102
    @property
    def base(self) -> int: ...  # noqa: D102
    @property
    def scored_by(self) -> Metric: ...  # noqa: D102


class Blocks:
    """`count` rows, the first ones of the submission, as `order` blocks of one butterfly."""

    def __init__(self, shape: BlockShape, count: int, sides: Sides = BINARY) -> None:
        self.count = count
        self.sides = sides
        self.order = shape.order
        self.rounds = shape.rounds
        self.rows = shape.rows
        self.metric = shape.scored_by
        self.columns = shape.columns
        self.size = -(-count // shape.order)
        self.used = -(-count // self.size)
        self.design = Butterfly(shape.rounds, base_set(shape.base))

    @cached_property
    def matrix(self) -> NDArray[Any]:
        """The butterfly's rows, (rounds, size)."""
        return np.array([self.design.row(t, self.size) for t in range(self.rounds)], dtype=np.int32)

    def entries(self, t: int, signs: NDArray[Any]) -> NDArray[Any]:
        """Row t of the butterfly in every block, times the block's sign."""
        product: NDArray[Any] = np.multiply.outer(signs, self.design.row(t, self.size))
        return product

    def inside(self, block: int) -> slice:
        """The rows of a block."""
        return slice(block * self.size, min((block + 1) * self.size, self.count))

    @cached_property
    def values(self) -> NDArray[Any]:
        """The entries that the butterfly and its negative have, ascending: far fewer than the amplitude."""
        weights = np.array([0, 1, *self.design.base.weights], dtype=np.int64)
        return np.unique(np.concatenate([-weights, weights]))

    def levels(self, values: Iterable[int], scale: float) -> list[Level]:
        """The predictions for so many different entries, of which 0 is the even one."""
        return [self.metric.level(scale * int(entry), self.columns, self.sides) for entry in values]

    def codes(self, entries: NDArray[Any], values: NDArray[Any]) -> NDArray[Any]:
        """Level numbers of all rows for entries of shape (order, size); rows outside the blocks are even."""
        every = np.zeros(self.rows, dtype=np.int64)
        every[: self.count] = entries.reshape(-1)[: self.count]
        return np.searchsorted(values, every)

    def charge(self, levels: Sequence[Level], codes: NDArray[Any]) -> float:
        """What the rows of the blocks would be charged if every label were 0."""
        counts = np.bincount(codes[: self.count], minlength=len(levels))
        return fsum(int(n) * each.zero for n, each in zip(counts, levels, strict=True) if n)

    def sums(self, labels: NDArray[Any]) -> NDArray[Any]:
        """The butterfly's measurements of every block, (order, rounds)."""
        padded = np.zeros(self.order * self.size, dtype=np.int64)
        padded[: self.count] = labels
        return np.array([self.design.scores(block) for block in padded.reshape(self.order, self.size)])

    def deviation(self, scale: float) -> float:
        """How far rounding to float64 can move a sum of weights, in nats."""
        levels = self.levels(self.values, scale)
        worst = max(abs(each.weight - scale * int(entry)) for entry, each in zip(self.values, levels, strict=True))
        return self.count * worst
