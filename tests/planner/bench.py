"""A scorer made for one channel, written from the channel's description alone: no code of the planner's or backends'."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import floor, isinf, isqrt
from typing import Any

import numpy as np
from mpmath import libmp, mp, mpf

from dsl.numbers import Real
from dsl.scenario import (
    Bounded,
    Decimals,
    FixedPoint,
    Gaussian,
    Ieee,
    Laplace,
    Multiplicative,
    NoNoise,
    Significant,
    Skewed,
    Subexponential,
    Summation,
    Uniform,
)
from planner.channel.channel import Channel

BITS = 1200
DTYPES = {16: np.float16, 32: np.float32, 64: np.float64}


def rows_scored(channel: Channel, seed: int = 0) -> np.ndarray:
    """The rows behind the score of a run."""
    return np.sort(np.random.default_rng(seed + 1).permutation(channel.rows)[: channel.scored])


def scorer_of(channel: Channel, labels: np.ndarray, sign: int, seed: int = 0) -> Callable[[np.ndarray], Any]:
    """The channel's score of these labels, its adversary always on the side of `sign`."""
    draw = np.random.default_rng(seed)
    scored = rows_scored(channel, seed)
    compute = _floating if isinstance(channel.precision, Ieee) else _exact
    seen: list[Fraction] = []

    def score(u: np.ndarray) -> Any:
        loss = compute(channel, labels[scored], np.asarray(u)[scored])
        if isinstance(loss, float) and isinf(loss):
            return loss
        seen.append(_disturbed(channel, Fraction(loss), sign, draw))
        return _shown(channel, _released(channel.release, seen))

    return score


def _released(release: Any, seen: list[Fraction]) -> Fraction:
    """What becomes of the last of these scores, told from all of them: no memory but the list."""
    kind = type(release).__name__
    if kind == "CappedAt":
        return min(seen[-1], release.level.hi)
    if kind == "BestOnly":
        return min(seen)
    if kind == "ChangesOnly":
        falls = [one for place, one in enumerate(seen) if all(one < other for other in seen[:place])]
        return falls[: release.most][-1]
    if kind == "LadderOf":
        return _rung(release, seen)
    return seen[-1]


def _rung(release: Any, seen: list[Fraction]) -> Fraction:
    eta = release.eta.lo
    at = None if release.start is None else release.start.hi
    for one in seen:
        if at is None or at - one > eta:
            at = eta * floor(one / eta + Fraction(1, 2))
    return at


def _columns(u: np.ndarray) -> np.ndarray:
    return np.stack([1 - u, u], axis=1) if u.ndim == 1 else u


def _floating(channel: Channel, labels: np.ndarray, u: np.ndarray) -> float:
    dtype = DTYPES[channel.precision.bits]
    if channel.metric_id in TABLES:
        return float(of_classes(channel.metric_id, labels, u))
    p = np.array(u, dtype=np.float64).astype(dtype)
    if channel.metric_id == "mse":
        return _mean(channel, (labels - p) ** 2)
    if channel.metric_id == "rmse":
        return float(np.sqrt(_mean(channel, (labels - p) ** 2)))
    if channel.metric_id == "r2":
        return 1 - _mean(channel, (labels - p) ** 2) / _mean(channel, (labels - labels.mean()) ** 2)
    if channel.metric_id == "mae":
        return _mean(channel, abs(p - labels))
    if channel.metric_id in ("brier", "half_brier"):
        return _mean(channel, _squares(labels, p) if p.ndim == 1 else _squares_of_rows(channel, labels, p))
    clip = None if channel.clip is None else dtype(float(_number(channel.clip)))
    if clip is not None and channel.clip_of == "prediction":
        p = np.clip(p, clip, dtype(1) - clip)
    rows = _columns(p)
    if channel.renormalises:
        rows = rows / rows.sum(axis=1, keepdims=True)
    chosen = rows[np.arange(len(labels)), labels]
    if clip is not None and channel.clip_of == "charged":
        chosen = np.maximum(chosen, clip)
    with np.errstate(divide="ignore"):
        logs = np.log(chosen).astype(DTYPES[channel.score_precision.bits])
    if clip is not None and channel.clip_of == "logarithm":
        logs = np.maximum(logs, np.log(clip))
    return -_mean(channel, logs)


def of_classes(metric: str, labels: np.ndarray, u: np.ndarray) -> Fraction:
    """A metric of predicted classes, by its textbook formula of hits and misses."""
    hits = (int(((labels == y) & (u == p)).sum()) for y, p in ((1, 1), (0, 1), (1, 0), (0, 0)))
    if metric == "accuracy":
        return Fraction(int((labels == u).sum()), len(labels))
    if metric == "roc_auc" and len(set(labels.tolist())) == 2:  # pairs of a one and a zero, any numbers
        ones, zeros = u[labels == 1][:, None], u[labels == 0]
        return Fraction(int(2 * (ones > zeros).sum() + (ones == zeros).sum()), 2 * ones.size * zeros.size)
    return TABLES[metric](*hits)


def _part(top: int, bottom: int) -> Fraction:
    return Fraction(top, bottom) if bottom else Fraction(0)


def _correlation(tp: int, fp: int, fn: int, tn: int) -> Fraction:
    square = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return Fraction(tp * tn - fp * fn) / Fraction(isqrt(square << 200), 1 << 100) if square else Fraction(0)


def _kappa(tp: int, fp: int, fn: int, tn: int) -> Fraction:
    return _part(2 * (tp * tn - fn * fp), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))


def _recalls(tp: int, fp: int, fn: int, tn: int) -> Fraction:
    found = [Fraction(right, right + wrong) for right, wrong in ((tp, fn), (tn, fp)) if right + wrong]
    return sum(found, Fraction(0)) / len(found)


def _macro(tp: int, fp: int, fn: int, tn: int) -> Fraction:
    found = [Fraction(2 * right, 2 * right + fp + fn) for right in (tp, tn) if right + fp + fn]
    return sum(found, Fraction(0)) / len(found)


TABLES: dict[str, Callable[..., Fraction]] = {
    "accuracy": lambda tp, fp, fn, tn: _part(tp + tn, tp + fp + fn + tn),
    "balanced_accuracy": _recalls,
    "roc_auc": _recalls,
    "precision": lambda tp, fp, fn, tn: _part(tp, tp + fp),
    "recall": lambda tp, fp, fn, tn: _part(tp, tp + fn),
    "f1": lambda tp, fp, fn, tn: _part(2 * tp, 2 * tp + fp + fn),
    "macro_f1": _macro,
    "jaccard": lambda tp, fp, fn, tn: _part(tp, tp + fp + fn),
    "mcc": _correlation,
    "kappa": _kappa,
}


def _squares(labels: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Both columns' differences from the label's own: half the sum of their squares."""
    one, half = p.dtype.type(1), p.dtype.type(0.5)
    y = labels.astype(p.dtype)
    return (((one - y) - (one - p)) ** 2 + (y - p) ** 2) * half


def _squares_of_rows(channel: Channel, labels: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Of a column a class the sum of all squares, or half of it."""
    squares = (np.eye(channel.classes, dtype=p.dtype)[labels] - p) ** 2
    return squares.sum(axis=1) * p.dtype.type(0.5 if channel.metric_id == "half_brier" else 1)


def _mean(channel: Channel, charges: np.ndarray) -> float:
    total = DTYPES[channel.score_precision.bits]
    charges = charges.astype(total)
    if channel.summation is Summation.PAIRWISE:
        return float(np.mean(charges, dtype=total))
    return float(np.cumsum(charges, dtype=total)[-1] / total(len(charges)))


def _exact(channel: Channel, labels: np.ndarray, u: np.ndarray) -> Any:
    if channel.metric_id in TABLES:
        return of_classes(channel.metric_id, labels, u)
    rows = [[Fraction(int(x.numerator), int(x.denominator)) for x in row] for row in _columns(_rationals(u))]
    if channel.metric_id == "mae":
        return sum(abs(row[1] - int(label)) for row, label in zip(rows, labels, strict=True)) / len(labels)
    if channel.metric_id in ("brier", "half_brier") and channel.classes > 2:
        whole = sum((x - (k == label)) ** 2 for row, label in zip(rows, labels, strict=True) for k, x in enumerate(row))
        return whole / len(labels) / (2 if channel.metric_id == "half_brier" else 1)
    if channel.metric_id in ("brier", "half_brier", "mse"):
        return sum((row[1] - int(label)) ** 2 for row, label in zip(rows, labels, strict=True)) / len(labels)
    clip = None if channel.clip is None else _number(channel.clip)
    if clip is not None and channel.clip_of == "prediction":
        rows = [[min(max(x, clip), 1 - clip) for x in row] for row in rows]
    if channel.renormalises:
        rows = [[x / sum(row) for x in row] for row in rows]
    chosen = [row[label] for row, label in zip(rows, labels, strict=True)]
    if clip is not None:
        chosen = [max(x, clip) for x in chosen]
    if not all(chosen):
        return float("inf")
    with mp.workprec(BITS):
        total = -sum((times * _log(x) for x, times in Counter(chosen).items()), mpf(0))
        return Fraction(*map(int, libmp.to_rational((total / len(labels))._mpf_)))


@lru_cache(maxsize=4096)
def _log(x: Fraction) -> mpf:
    return mp.log(mpf(x.numerator)) - mp.log(mpf(x.denominator))


def _rationals(u: np.ndarray) -> np.ndarray:
    return u if u.dtype == object else np.vectorize(Fraction, otypes=[object])(u)


def _number(value: Any) -> Fraction:
    return value.lo if isinstance(value, Real) else Fraction(value)


def _disturbed(channel: Channel, loss: Fraction, sign: int, draw: np.random.Generator) -> Fraction:
    match channel.noise:
        case NoNoise():
            return loss
        case Bounded(tau):
            return loss + sign * tau.lo
        case Skewed(below, above):
            return loss * (1 + (above.lo if sign > 0 else -below.lo))
        case Multiplicative(alpha):
            return loss * (1 + sign * alpha.lo)
        case Gaussian(sigma):
            return loss + Fraction(draw.normal(0, float(sigma.lo)))
        case Laplace(b):
            return loss + Fraction(draw.laplace(0, float(b.lo)))
        case Uniform(a, b):
            return loss + Fraction(draw.uniform(float(a.lo), float(b.lo)))
        case Subexponential(lambda2, _):
            return loss + Fraction(draw.normal(0, float(lambda2.lo) ** 0.5))
    raise TypeError(f"{channel.noise}")


def _shown(channel: Channel, score: Fraction) -> Any:
    if isinstance(channel.score_precision, FixedPoint):
        step = Fraction(1, 2**channel.score_precision.fraction_bits)
        score = min(round(score / step) * step, 2**channel.score_precision.integer_bits - step)
    if isinstance(channel.shown, Decimals):
        return round(float(score), channel.shown.digits)
    if isinstance(channel.shown, Significant):
        return float(f"{float(score):.{channel.shown.digits - 1}e}")
    return float(score) if isinstance(channel.precision, Ieee) else score
