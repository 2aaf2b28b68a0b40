"""The labelings next to the true one, for an adversary that wants two of them confused."""

from __future__ import annotations

import math

import numpy as np
from flint import arb

from backends.rows import Labels, Query, fraction, pick, rational
from planner.numerics.reals import ball, working

GAP_BITS = 53  # a gap is a float in the end, and nobody relies on it


def nearest_gap(labels: Labels, u: Query) -> float:
    """The signed distance to the closest other score among labelings that differ in one label; 0: none.

    A row that names one of several classes holds no probabilities: nothing is known of its neighbours' scores.
    """
    if u.ndim == 1 and (labels > 1).any():
        return 0.0
    gaps = _exact_gaps(labels, u) if u.dtype == object else _float_gaps(labels, u)
    return min((gap for gap in gaps if gap), key=abs, default=0.0) / len(labels)


def _float_gaps(labels: Labels, u: Query) -> list[float]:
    matrix = np.stack([1.0 - u, u], axis=1) if u.ndim == 1 else u
    with np.errstate(divide="ignore", invalid="ignore"):
        charges = -np.log(matrix)
        gaps = (charges - pick(labels, charges)[:, None]).ravel()
    usable = gaps[np.isfinite(gaps) & (gaps != 0)]
    return [] if not len(usable) else [float(usable[np.abs(usable).argmin()])]


def _exact_gaps(labels: Labels, u: Query) -> list[float]:
    gaps = []
    with working(GAP_BITS):
        for label, row in zip(labels.tolist(), u.tolist(), strict=True):
            entries = row if isinstance(row, list) else [1 - row, row]
            charges = [_charge(entry) for entry in entries]
            gaps += [float(other - charges[label]) for other in charges]
    return [gap for gap in gaps if math.isfinite(gap)]


def _charge(entry: object) -> arb:
    value = fraction(rational(entry))
    return -ball(value).log() if value else arb.pos_inf()
