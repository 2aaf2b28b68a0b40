"""S, the spread butterfly: every label in every query, and every sum averaged over a Hadamard matrix of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite
from typing import TYPE_CHECKING, Any

from planner.attack import InconsistentScores
from planner.attacks.blocks import Blocks
from planner.attacks.levels import Rows
from planner.designs import DesignError
from planner.hadamard import row, transform
from planner.spreads import Spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.attack import Labels, Query, ScoreFunction


class SpreadAttack:
    """Labels in random order and with random signs, so that no labeling is special."""

    id = "spread"
    adaptive = False

    def __init__(self, parameters: Spread) -> None:
        import numpy as np

        p = parameters
        self.parameters = p
        self.blocks = Blocks(p, p.labels)
        coins = np.random.default_rng(p.seed)
        self.place = coins.permutation(p.labels)  # the column of each label
        self.turned = coins.integers(0, 2, p.labels)  # columns that hold 1 - label
        self.levels = self.blocks.levels(self.blocks.amplitude, p.gap)

    def queries(self) -> Iterator[Query]:
        """Round by round, row by row of the Hadamard matrix, each as often as it is repeated."""
        for _, _, codes in self._codes():
            submission = Rows(self.levels, codes[self.place]).submission(self.parameters.columns)
            for _ in range(self.parameters.repeats):
                yield submission

    def _codes(self) -> Iterator[tuple[int, int, NDArray[Any]]]:
        """Levels by column, for every query."""
        import numpy as np

        sign = 1 - 2 * self.turned
        for t in range(self.parameters.rounds):
            for tau in range(self.parameters.order):
                entries = self.blocks.entries(t, row(self.parameters.order, tau)).reshape(-1)
                yield tau, t, np.asarray(entries[: self.parameters.labels] * sign) + self.blocks.amplitude

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels; InconsistentScores where no labeling explains every score within the tolerance."""
        measured = self._measured(scores)
        columns = self.read(transform(measured, transposed=True) / self.parameters.order)
        self._require_explained(measured, columns)
        labels: Labels = (columns ^ self.turned)[self.place]
        return labels

    def recover(self, score: ScoreFunction) -> Labels:
        """Ask, decode and verify."""
        return self.decode([score(query) for query in self.queries()])

    def _measured(self, scores: Iterable[Any]) -> NDArray[Any]:
        """The weighted sums of columns in gaps, with their errors, (order, rounds)."""
        import numpy as np

        p = self.parameters
        given = [float(score) for score in scores]
        if len(given) != p.queries or not all(map(isfinite, given)):
            raise InconsistentScores(f"{p.queries} finite scores are needed, {len(given)} were given")
        means = np.array(given).reshape(-1, p.repeats).mean(axis=1) - float(p.centre)
        measured = np.zeros((p.order, p.rounds))
        for mean, (tau, t, codes) in zip(means, self._codes(), strict=True):
            measured[tau, t] = (self.blocks.charge(self.levels, codes) - p.labels * mean) / p.gap
        # a turned column x = 1 - label enters with the opposite sign, and its entry is added once
        restored: NDArray[Any] = measured + transform(self.blocks.sums(self.turned))
        return restored

    def read(self, sums: NDArray[Any]) -> NDArray[Any]:
        """Columns from averaged sums: each block by its butterfly."""
        import numpy as np

        columns = np.zeros(self.parameters.labels, dtype=np.int64)
        try:
            for block in range(self.blocks.used):
                inside = self.blocks.inside(block)
                columns[inside] = self.blocks.design.decode(sums[block], inside.stop - inside.start)
        except DesignError as error:
            raise InconsistentScores(f"block {block}: {error}") from error
        return columns

    def allowed(self) -> float:
        """How far a mean score may be from that of the labels found."""
        return float(self.parameters.tolerance)

    def _require_explained(self, measured: NDArray[Any], columns: NDArray[Any]) -> None:
        import numpy as np

        p = self.parameters
        error = float(np.abs(measured - transform(self.blocks.sums(columns))).max()) * p.gap
        if error > p.labels * self.allowed() + self.blocks.deviation(p.gap):
            raise InconsistentScores(f"a score is off by {error / p.labels:.3g}: more noise than was promised")
