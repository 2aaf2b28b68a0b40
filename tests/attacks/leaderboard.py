"""A leaderboard for tests: scikit-learn's log_loss behind a clip, noise and a rounding, with a counter.

The library spends fifty times as long on checking a submission as on its score. Its function answers the queries whose
number is a power of two; the others are answered by the same operations, and those must agree with the library's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import xlogy
from sklearn import config_context
from sklearn.metrics import log_loss

from dsl.numbers import Real
from dsl.scenario import Decimals, Noise, NoNoise, Scenario
from planner.channel.channel import Channel, channel_of

CLIP = 1e-15
EPSILON = float(np.finfo(float).eps)
SUMS = 32 * EPSILON
"""How far two sums of the same rows may be apart, relatively. A logarithm that is a unit of its last place off on another
processor turns ties the other way: each of 25 additions on the longest path may then miss by half a unit, in both sums.
"""


def channel(
    N: int,
    decimals: int | None = None,
    columns: int = 1,
    clip: str | None = "1e-15",
    noise: Noise | None = None,
    **more: Any,
) -> Channel:
    shown = None if decimals is None else Decimals(decimals)
    bound = None if clip is None else Real.of(Fraction(clip))
    noise = noise or NoNoise()
    return channel_of(Scenario("test", N, shown=shown, clip=bound, columns=columns, noise=noise, **more))


def labelings(N: int) -> Iterator[Any]:
    coins = np.random.default_rng(N)
    yield coins.integers(0, 2, N)
    yield np.zeros(N, dtype=int)
    yield np.ones(N, dtype=int)
    yield np.arange(N) % 2
    yield (coins.random(N) < 0.02).astype(int)


def mean_log_loss(labels: Any, u: Any) -> float:
    """The operations of scikit-learn's log_loss on valid predictions."""
    matrix = np.stack([1 - u, u], axis=1) if u.ndim == 1 else u
    chosen = np.clip(matrix[np.arange(len(labels)), labels], EPSILON, 1 - EPSILON)
    return float(np.average(-xlogy(1.0, chosen)))


@dataclass
class Leaderboard:
    labels: Any
    decimals: int | None = None
    truncates: bool = False
    noise: Callable[[], float] | None = None
    clip: float | None = CLIP
    asked: int = field(default=0, init=False)

    def __call__(self, submission: Any) -> float:
        self.asked += 1
        score = self._loss(submission) + (self.noise() if self.noise else 0.0)
        if self.decimals is None:
            return score
        if self.truncates:
            return math.floor(score * 10**self.decimals) / 10**self.decimals
        return float(np.round(score, self.decimals))

    def _loss(self, submission: Any) -> float:
        if self.clip is None:
            return self._unclipped(submission)
        u = np.clip(submission, self.clip, 1 - self.clip)
        score = mean_log_loss(self.labels, u)
        if self.asked & (self.asked - 1):
            return score
        with config_context(assume_finite=True, skip_parameter_validation=True):
            known = float(log_loss(self.labels, u, labels=np.arange(2 if u.ndim == 1 else u.shape[1])))
        assert abs(score - known) <= SUMS * known
        return known

    def _unclipped(self, u: Any) -> float:
        matrix = np.stack([1 - u, u], axis=1) if u.ndim == 1 else u
        with np.errstate(divide="ignore"):
            return float(-np.log(matrix[np.arange(len(self.labels)), self.labels]).mean())
