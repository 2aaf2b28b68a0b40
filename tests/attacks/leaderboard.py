"""A leaderboard for tests: scikit-learn's own log_loss behind a clip, noise and a rounding, with a counter."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.metrics import log_loss

from dsl.numbers import Real
from dsl.scenario import Decimals, Noise, NoNoise, Scenario
from planner.channel.channel import Channel, channel_of

CLIP = 1e-15


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
        with config_context(assume_finite=True, skip_parameter_validation=True):  # it checks more than it computes
            return float(log_loss(self.labels, u, labels=np.arange(2 if u.ndim == 1 else u.shape[1])))

    def _unclipped(self, u: Any) -> float:
        matrix = np.stack([1 - u, u], axis=1) if u.ndim == 1 else u
        with np.errstate(divide="ignore"):
            return float(-np.log(matrix[np.arange(len(self.labels)), self.labels]).mean())
