"""Arrays of predictions: float64 where that is exact, rationals otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from planner.attacks.attack import Query
    from planner.channel.channel import Channel


def is_float(value: Fraction) -> bool:
    """Whether float64 holds the number exactly."""
    try:
        return Fraction(float(value)) == value
    except OverflowError:
        return False


def prediction_array(values: Sequence[Fraction], *, exact: bool) -> Query:
    """The values as float64, or as exact rationals."""
    if not exact:
        return np.array([float(value) for value in values], dtype=np.float64)
    from gmpy2 import mpq

    array = np.empty(len(values), dtype=object)
    array[:] = [mpq(value.numerator, value.denominator) for value in values]
    return array


def idle(channel: Channel, *, exact: bool) -> Query:
    """A submission of uniform rows: (N,) for one column, (N, K) otherwise."""
    row = prediction_array(channel.metric.neutral_row(channel), exact=exact)
    shape = (channel.rows,) if channel.columns == 1 else (channel.rows, channel.classes)
    query = np.empty(shape, dtype=row.dtype)
    query[:] = row[1] if channel.columns == 1 else row
    return query
