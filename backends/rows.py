"""What a submission looks like to a scorer, whatever its arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import gmpy2
import numpy as np
from numpy.typing import NDArray

Query = NDArray[Any]
Labels = NDArray[Any]
MeanLoss = Callable[[Labels, Query], float]


def check(labels: Labels, u: Query) -> None:
    """Refuse a labeling and a query that do not fit each other, saying how."""
    if labels.ndim != 1:
        raise ValueError(f"labels must be one-dimensional, not of shape {labels.shape}")
    if u.ndim not in (1, 2) or len(u) != len(labels):
        raise ValueError(f"a query for {len(labels)} labels has shape (N,) or (N, K), not {u.shape}")
    if not len(labels):
        raise ValueError("there are no labels to score")
    if u.ndim == 1 and u.dtype.kind in "iu" and int(labels.min()) >= 0:
        return  # classes, of which there may be any number
    classes = u.shape[1] if u.ndim == 2 else 2
    if int(labels.min()) < 0 or int(labels.max()) >= classes:
        raise ValueError(f"labels must lie in 0..{classes - 1}: found {labels.min()}..{labels.max()}")


def rational(value: Any) -> gmpy2.mpq:
    """The exact value of one entry: a float, an int, a Fraction or an mpq."""
    return value if type(value) is gmpy2.mpq else gmpy2.mpq(value)


def fraction(value: gmpy2.mpq) -> Fraction:
    """The same number as a Fraction."""
    return Fraction(int(value.numerator), int(value.denominator))


def rationals(u: Query) -> Query:
    """The query with every entry exact."""
    flat = np.empty(u.size, dtype=object)
    flat[:] = [rational(value) for value in u.ravel().tolist()]
    return flat.reshape(u.shape)


def floats(u: Query) -> NDArray[np.float64]:
    """The query with every entry the nearest float64."""
    if u.dtype != object:
        return u.astype(np.float64, copy=False)
    # Python divides integers with one correct rounding; mpq's own conversion truncates
    nearest = [int(value.numerator) / int(value.denominator) for value in u.ravel().tolist()]
    return np.array(nearest, dtype=np.float64).reshape(u.shape)


def pick(labels: Labels, matrix: Query) -> Query:
    """The entry of each row that its label selects."""
    chosen: Query = matrix[np.arange(len(labels)), labels]
    return chosen
