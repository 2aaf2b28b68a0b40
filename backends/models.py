"""What well-known libraries compute, row by row, in their own formats.

Each model maps (labels, u) to the mean loss that the library would print in full. Row charges follow the
library's source; the order in which a vectorised library adds its rows is its own secret, so a model's mean
may differ in the last places. `clip` is the library's unless the scenario says otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backends.ieee import DTYPES
from backends.loader import ScorerError
from backends.rows import Labels, MeanLoss, Query, check, floats, pick
from dsl.scenario import Ieee, Scenario

TORCH_FLOOR = -100.0


def _dtype(scenario: Scenario, usual: int) -> type[np.floating[Any]]:
    return DTYPES[scenario.phi.bits if isinstance(scenario.phi, Ieee) else usual]


def _clip(scenario: Scenario, usual: float) -> float:
    return usual if scenario.clip is None else float(scenario.clip.lo)


def _columns(cast: NDArray[Any]) -> NDArray[Any]:
    """Both columns of a one-column submission, the complement in the same format."""
    return np.stack([cast.dtype.type(1) - cast, cast], axis=1) if cast.ndim == 1 else cast


def torch_bce(scenario: Scenario) -> MeanLoss:
    """torch.nn.functional.binary_cross_entropy: logarithms not below -100, log1p for the complement."""
    if scenario.K != 2:
        raise ScorerError(f"binary_cross_entropy scores two classes, but K = {scenario.K}")
    dtype = _dtype(scenario, 32)
    floor = TORCH_FLOOR if scenario.clip is None else round(math.log(scenario.clip.lo), 9)  # exp(-100) and back

    def loss(labels: Labels, u: Query) -> float:
        check(labels, u)
        p = floats(u).astype(dtype)
        p = p[:, 1] if p.ndim == 2 else p
        with np.errstate(divide="ignore"):
            logs = np.where(labels == 1, np.log(p), np.log1p(-p))
        charges = -np.maximum(logs, dtype(floor))
        return float(np.mean(charges) if scenario.reduction == "mean" else np.sum(charges))

    return loss


def keras(scenario: Scenario) -> MeanLoss:
    """keras.losses.BinaryCrossentropy and CategoricalCrossentropy: divide by the row sum, then clip."""
    dtype, epsilon = _dtype(scenario, 32), _clip(scenario, 1e-7)

    def loss(labels: Labels, u: Query) -> float:
        check(labels, u)
        p = floats(u).astype(dtype)
        if p.ndim == 2:
            p = p / p.sum(axis=1, keepdims=True)
        low = dtype(epsilon)
        return float(np.mean(-np.log(pick(labels, _columns(np.clip(p, low, dtype(1) - low))))))

    return loss


def xgboost(scenario: Scenario) -> MeanLoss:
    """XGBoost's logloss and mlogloss: a row in float32, never below the clip, the sum in double."""
    epsilon = np.float32(_clip(scenario, 1e-16))

    def loss(labels: Labels, u: Query) -> float:
        check(labels, u)
        chosen = pick(labels, _columns(floats(u).astype(np.float32)))
        charges = -np.log(np.maximum(chosen, epsilon))
        return float(np.cumsum(charges, dtype=np.float64)[-1] / len(charges))

    return loss


def lightgbm(scenario: Scenario) -> MeanLoss:
    """LightGBM's binary_logloss and multi_logloss: double throughout, a constant kEpsilon held in single."""
    epsilon = _clip(scenario, float(np.float32(1e-15)))

    def loss(labels: Labels, u: Query) -> float:
        check(labels, u)
        charges = -np.log(np.maximum(pick(labels, _columns(floats(u))), epsilon))
        return float(np.cumsum(charges)[-1] / len(charges))

    return loss


def kaggle(scenario: Scenario) -> MeanLoss:
    """Kaggle's classic log loss: rows divided by their sum, then clipped. Its decimals are the scenario's."""
    epsilon = _clip(scenario, 1e-15)

    def loss(labels: Labels, u: Query) -> float:
        check(labels, u)
        p = floats(u)
        if p.ndim == 2:
            p = p / p.sum(axis=1, keepdims=True)
        return float(np.mean(-np.log(pick(labels, _columns(np.clip(p, epsilon, 1 - epsilon))))))

    return loss


# The formats of predictions and sums that a library has of its own; the others keep that of the submission.
FORMATS: dict[str, tuple[Ieee, Ieee]] = {
    "xgboost": (Ieee(32), Ieee(64)),
    "lightgbm": (Ieee(64), Ieee(64)),
    "kaggle": (Ieee(64), Ieee(64)),
}
MODELS: dict[str, Callable[[Scenario], MeanLoss]] = {
    "torch_bce": torch_bce,
    "keras": keras,
    "xgboost": xgboost,
    "lightgbm": lightgbm,
    "kaggle": kaggle,
}
