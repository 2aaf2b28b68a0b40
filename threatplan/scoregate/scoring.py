"""Submissions made canonical, and scored. Nothing of what is checked here looks at a label."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class InvalidSubmissionError(ValueError):
    """A submission that is not scored. What it says follows from the submission alone, never from a label."""


@dataclass(frozen=True)
class Metric:
    """How a submission is checked, and what it scores: lower is better, never below 0."""

    name: str
    check: Callable[[Any, int, int], Array]
    score: Callable[[Array, Array, float], float]
    clips: bool = False


def canonical(metric: Metric, predictions: Any, rows: int, classes: int) -> tuple[Array, str]:
    """The predictions in their one form, and a digest by which a duplicate is known."""
    found = np.ascontiguousarray(metric.check(predictions, rows, classes))
    return found, hashlib.sha256(f"{found.dtype.str} {found.shape}".encode() + found.tobytes()).hexdigest()


def _numbers(predictions: Any, allowed: list[tuple[int, ...]]) -> Array:
    """Numbers in one of the shapes that are allowed; what has another shape is not copied, however large it is."""
    try:
        found = np.asarray(predictions)
    except Exception:  # whatever the methods of a submission raise: it is one that fails
        raise InvalidSubmissionError("predictions are numbers, as many in every row") from None
    if found.dtype.kind not in "iuf":
        raise InvalidSubmissionError("predictions are numbers")
    if found.shape not in allowed:
        raise InvalidSubmissionError(f"predictions have the shape {' or '.join(map(str, allowed))}")
    with np.errstate(over="ignore"):
        found = found.astype(np.float64)
    if not np.isfinite(found).all():
        raise InvalidSubmissionError("predictions are finite numbers")
    return found


def _probabilities(predictions: Any, rows: int, classes: int) -> Array:
    """Probabilities of class 1, or a column a class; rows of columns are divided by their sums, as I8 needs them."""
    found = _numbers(predictions, [(rows,), (rows, 2)] if classes == 2 else [(rows, classes)])
    if ((found < 0) | (found > 1)).any():
        raise InvalidSubmissionError("probabilities lie between 0 and 1")
    if found.ndim == 2:
        sums = found.sum(axis=1, keepdims=True)
        if (sums <= 0).any():
            raise InvalidSubmissionError("no row of probabilities is all 0")
        found = found / sums
        found = found[:, 1] if classes == 2 else found
    return found + 0.0  # -0.0 and 0.0 are one prediction


def _classes(predictions: Any, rows: int, classes: int) -> Array:
    found = _numbers(predictions, [(rows,)])
    if ((found < 0) | (found >= classes) | (found != np.floor(found))).any():
        raise InvalidSubmissionError(f"classes are whole numbers in 0..{classes - 1}")
    return found.astype(np.int64)


def _log_loss(labels: Array, u: Array, clip: float) -> float:
    """Clipped on both sides; several columns are divided by their sums once more."""
    p = np.clip(u, clip, 1 - clip)
    if p.ndim == 1:
        return float(-np.where(labels == 1, np.log(p), np.log1p(-p)).mean())
    p = p / p.sum(axis=1, keepdims=True)
    return float(-np.log(p[np.arange(len(labels)), labels]).mean())


def _brier(labels: Array, u: Array, clip: float) -> float:
    return float(((u - labels) ** 2).mean())


def _error_rate(labels: Array, u: Array, clip: float) -> float:
    return float((u != labels).mean())


METRICS = {
    one.name: one
    for one in (
        Metric("log_loss", _probabilities, _log_loss, clips=True),
        Metric("brier", _probabilities, _brier),
        Metric("error_rate", _classes, _error_rate),
    )
}
