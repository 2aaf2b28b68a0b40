"""An attack written for these tests alone, as an oracle that owes nothing to the planner."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb

from planner.attacks.attack import InconsistentScores


def as_float(score: Any) -> float:
    return float(score.mid()) if isinstance(score, arb) else float(score)


@dataclass(frozen=True)
class BlockAttack:
    """m labels a query by powers of two: log-odds -g 2^j, decoded by rounding, re-encoded and compared."""

    N: int
    m: int
    reach: float
    error: float  # of the sum of charges
    id: str = "test-block"
    adaptive: bool = False

    def weights(self) -> np.ndarray:
        return self.reach / 2 ** (self.m - 1) * 2.0 ** np.arange(self.m)

    def entries(self) -> np.ndarray:
        return 1 / (1 + np.exp(self.weights()))  # the small side, so that it is exact

    def queries(self) -> Iterator[np.ndarray]:
        for start in range(0, self.N, self.m):
            u = np.full(self.N, 0.5)
            u[start : start + self.m] = self.entries()[: self.N - start]
            yield u

    def decode(self, scores: Iterable[Any]) -> np.ndarray:
        found = np.zeros(self.N, dtype=np.int64)
        for block, score in enumerate(scores):
            start = block * self.m
            weights = self.weights()[: self.N - start]
            # label 1 costs -ln u = ln(1 + e^w), label 0 costs ln(1 + e^-w): a difference of w
            rest = (self.N - len(weights)) * math.log(2) + math.fsum(np.log1p(np.exp(-weights)))
            value = self.N * as_float(score) - rest
            if not math.isfinite(value):
                raise InconsistentScores(f"query {block}: score {score}")
            digits = min(max(round(value / weights[0]), 0), 2 ** len(weights) - 1)
            if abs(value - digits * weights[0]) > self.error * (1 + 1e-9) + 1e-9:
                raise InconsistentScores(f"query {block}: no labeling scores {score}")
            found[start : start + len(weights)] = [digits >> j & 1 for j in range(len(weights))]
        return found

    def recover(self, score: Callable[[np.ndarray], Any]) -> np.ndarray:
        return self.decode([score(u) for u in self.queries()])

    def knowing(self, guess: np.ndarray | None) -> BlockAttack:
        return self


@dataclass(frozen=True)
class GridBlockAttack(BlockAttack):
    """The same with every prediction a multiple of 2^-f, and weights as the grid makes them."""

    f: int = 16

    def entries(self) -> np.ndarray:
        return np.maximum(np.rint(np.ldexp(super().entries(), self.f)), 1) * 2.0**-self.f

    def decode(self, scores: Iterable[Any]) -> np.ndarray:
        """The paper's decoder: the nearest of all labelings of the block."""
        found = np.zeros(self.N, dtype=np.int64)
        for block, score in enumerate(scores):
            u = self.entries()[: self.N - block * self.m]
            labelings = (np.arange(2 ** len(u))[:, None] >> np.arange(len(u))) & 1
            losses = np.where(labelings == 1, -np.log(u), -np.log1p(-u)).sum(axis=1)
            target = self.N * as_float(score) - (self.N - len(u)) * math.log(2)
            found[block * self.m :][: len(u)] = labelings[np.abs(losses - target).argmin()]
        return found


@pytest.fixture
def block_attack() -> type[BlockAttack]:
    return BlockAttack


@pytest.fixture
def grid_block_attack() -> type[GridBlockAttack]:
    return GridBlockAttack


@pytest.fixture
def exact_loss() -> Callable[[Any, Any], Fraction]:
    """The mean log-loss by mpmath, to 60 digits, from exact entries."""
    mpmath = pytest.importorskip("mpmath")

    def loss(labels: Any, u: Any) -> Any:
        with mpmath.workdps(80):
            total = mpmath.mpf(0)
            for label, row in zip(labels.tolist(), u.tolist(), strict=True):
                row = row if isinstance(row, list) else [1 - _fraction(row), row]
                entry = _fraction(row[label])
                total -= mpmath.log(mpmath.mpf(entry.numerator) / entry.denominator)
            return total / len(labels)

    return loss


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.numerator), int(value.denominator)) if hasattr(value, "numerator") else Fraction(value)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("library"):
        if importlib.util.find_spec(marker.args[0]) is None:
            pytest.skip(f"{marker.args[0]} is not installed")
