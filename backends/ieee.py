"""Floating point: what numpy computes in float16, float32 or float64, bit for bit."""

from __future__ import annotations

from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from backends.rows import Labels, Query, check, floats, pick
from dsl.scenario import Summation

DTYPES: dict[int, type[np.floating[Any]]] = {16: np.float16, 32: np.float32, 64: np.float64}


def conditioned(u: Query, dtype: type[np.floating[Any]], clip: float | None, renormalise: bool) -> NDArray[Any]:
    """The submission as an (N, K) matrix in the scorer's format, clipped first, then divided by row sums."""
    cast = floats(u).astype(dtype, copy=False)
    if clip is not None:
        low = dtype(clip)
        cast = np.clip(cast, low, dtype(1) - low)
    matrix = np.stack([dtype(1) - cast, cast], axis=1) if cast.ndim == 1 else cast
    return matrix / matrix.sum(axis=1, keepdims=True) if renormalise else matrix


def mean(charges: NDArray[Any], summation: Summation) -> float:
    """The mean of the rows' charges, added in the format that they are in and in the given order."""
    match summation:
        case Summation.PAIRWISE:
            return float(np.mean(charges))
        case Summation.SEQUENTIAL:
            # float64 has the bits: one rounding
            return float(charges.dtype.type(total(charges, summation) / len(charges)))
    assert_never(summation)


def total(charges: NDArray[Any], summation: Summation) -> float:
    """Their sum."""
    match summation:
        case Summation.PAIRWISE:
            return float(np.sum(charges))
        case Summation.SEQUENTIAL:
            return float(np.cumsum(charges, dtype=charges.dtype)[-1])
    assert_never(summation)


def score(
    labels: Labels,
    u: Query,
    bits: int,
    *,
    score_bits: int | None = None,
    summation: Summation = Summation.PAIRWISE,
    clip: float | None = None,
    renormalise: bool = False,
    summed: bool = False,
) -> float:
    """The mean log-loss as a float, or the sum; inf where a zero is selected and nothing clips it.

    Logarithms are taken in the format of predictions, `bits`; their sum is in `score_bits`, the same unless told.
    """
    check(labels, u)
    chosen = pick(labels, conditioned(u, DTYPES[bits], clip, renormalise))
    with np.errstate(divide="ignore"):
        charges = -np.log(chosen).astype(DTYPES[score_bits or bits], copy=False)
    return (total if summed else mean)(charges, summation)
