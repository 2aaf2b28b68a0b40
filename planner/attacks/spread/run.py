"""S, the spread butterfly: every label asked for in every query, every sum averaged over a Hadamard matrix of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import InconsistentScores, Listed
from planner.attacks.levels import Rows
from planner.attacks.scores import exact_score
from planner.attacks.spread.blocks import Blocks
from planner.attacks.spread.parameters import Spread
from planner.channel.sides import sides_of
from planner.designs.base import DesignError
from planner.designs.hadamard import row, transform

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query


class SpreadAttack(Listed):
    """Labels in random order and with random signs, so that no labeling is special; a pass for each bit of a class."""

    id = "spread"
    wrong = 0  # labels that may come out wrong

    def __init__(self, parameters: Spread) -> None:
        self.parameters = parameters
        self.passes = [self.question(bit) for bit in range(parameters.bits)]

    def question(self, bit: int) -> Pass:
        """The pass that asks for one bit."""
        return Pass(self.parameters, bit)

    def queries(self) -> Iterator[Query]:
        """Bit by bit, round by round, row by row of the Hadamard matrix, each as often as it is repeated."""
        for each in self.passes:
            yield from each.queries()

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels; InconsistentScores where no labeling explains every score within the tolerance."""
        p = self.parameters
        given = [float(exact_score(score)) for score in scores]
        if len(given) != p.queries:
            raise InconsistentScores(f"{p.queries} scores are needed, {len(given)} were given")
        parts = np.array(given).reshape(p.bits, -1, p.repeats).mean(axis=2) - float(p.centre)
        labels = np.zeros(p.labels, dtype=np.int64)
        for each, means in zip(self.passes, parts, strict=True):
            labels += each.decode(means) << each.bit
        beyond = labels >= p.classes
        if int(beyond.sum()) > self.wrong:
            raise InconsistentScores("the bits spell a class that does not exist: more noise than was promised")
        labels[beyond] = p.classes - 1  # one of the labels that may come out wrong
        return np.append(labels, np.full(p.rows - p.labels, -1))


class Pass:
    """One bit of every label."""

    def __init__(self, parameters: Spread, bit: int) -> None:
        p = parameters
        self.parameters = p
        self.bit = bit
        self.sides = sides_of(p.classes, bit)
        self.blocks = Blocks(p, p.labels, self.sides)
        coins = np.random.default_rng([p.seed, bit])
        self.place = coins.permutation(p.labels)  # the column of each label
        self.turned = coins.integers(0, 2, p.labels)  # columns that hold 1 - label
        self.levels = self.blocks.levels(self.blocks.values, p.gap)
        self.even = int(np.searchsorted(self.blocks.values, 0))  # the level of an idle row

    def queries(self) -> Iterator[Query]:
        """The submissions, repeats included."""
        for _, _, codes in self._codes():
            rows = Rows(self.levels, self._with_idle(codes[self.place]), self.sides)
            submission = rows.submission(self.parameters.columns)
            for _ in range(self.parameters.repeats):
                yield submission

    def _codes(self) -> Iterator[tuple[int, int, NDArray[Any]]]:
        """Levels by column, for every query."""
        sign = 1 - 2 * self.turned
        for t in range(self.parameters.rounds):
            for tau in range(self.parameters.order):
                entries = self.blocks.entries(t, row(self.parameters.order, tau)).reshape(-1)
                yield tau, t, np.searchsorted(self.blocks.values, entries[: self.parameters.labels] * sign)

    def _with_idle(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Levels of all rows of a submission: those beyond the labels are even."""
        return np.append(codes, np.full(self.parameters.rows - len(codes), self.even))

    def decode(self, means: NDArray[Any]) -> Labels:
        """The bit of every label."""
        measured = self._measured(means)
        columns = self.read(transform(measured, transposed=True) / self.parameters.order)
        self._require_explained(measured, columns)
        labels: Labels = (columns ^ self.turned)[self.place]
        return labels

    def _measured(self, means: NDArray[Any]) -> NDArray[Any]:
        """The weighted sums of columns in gaps, with their errors, (order, rounds)."""
        p = self.parameters
        measured = np.zeros((p.order, p.rounds))
        idle = (p.rows - p.labels) * self.levels[self.even].zero
        for mean, (tau, t, codes) in zip(means, self._codes(), strict=True):
            measured[tau, t] = (self.blocks.charge(self.levels, codes) + idle - p.rows * mean) / p.gap
        # a turned column x = 1 - label enters with the opposite sign, and its entry is added once
        restored: NDArray[Any] = measured + transform(self.blocks.sums(self.turned))
        return restored

    def read(self, sums: NDArray[Any]) -> NDArray[Any]:
        """Columns from averaged sums: each block by its butterfly."""
        columns = np.zeros(self.parameters.labels, dtype=np.int64)
        for block in range(self.blocks.used):
            inside = self.blocks.inside(block)
            try:
                columns[inside] = self.blocks.design.decode(sums[block], inside.stop - inside.start)
            except DesignError as error:
                raise InconsistentScores(f"block {block}: {error}") from error
        return columns

    def allowed(self) -> float:
        """How far a mean score may be from that of the labels found."""
        return float(self.parameters.tolerance)

    def _require_explained(self, measured: NDArray[Any], columns: NDArray[Any]) -> None:
        p = self.parameters
        error = float(np.abs(measured - transform(self.blocks.sums(columns))).max()) * p.gap
        if error > p.rows * self.allowed() + self.blocks.deviation(p.gap):
            raise InconsistentScores(f"a score is off by {error / p.rows:.3g}: more noise than was promised")
