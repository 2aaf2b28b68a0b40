"""Fixed point: the paper's FPA(phi) and `fixed(i, f)`, bit for bit.

A prediction is a multiple of 2^-f. A score is the exact mean log-loss, rounded once to the nearest multiple
of 2^-f, and the largest number of the format where it would be larger.
"""

from __future__ import annotations

import math
from fractions import Fraction

import gmpy2
import numpy as np
from flint import arb

from backends.exact import conditioned, mean_log_loss
from backends.rows import Labels, Query, check, pick, rationals
from dsl.scenario import FixedPoint
from planner.numerics.reals import ball, lower, upper, working

# numpy promises 4 units in the last place for its vectorised logarithm; fsum adds with one rounding
LOG_ERROR = 2.0**-49
FLOAT_GRID = 48  # sums of a few multiples of 2^-48 are exact in float64


class OffGridError(ValueError):
    """A prediction that the fixed-point format cannot hold."""


def score(
    labels: Labels,
    u: Query,
    fmt: FixedPoint,
    *,
    score_fmt: FixedPoint | None = None,
    clip: gmpy2.mpq | None = None,
    renormalise: bool = False,
    scale: Fraction = Fraction(0),
    shift: Fraction = Fraction(0),
) -> Fraction:
    """The score (1 + scale) * loss + shift as the format reports it: on its grid and within its range.

    Predictions are on the grid of `fmt`; scores on that of `score_fmt`, the same unless told.
    """
    check(labels, u)
    _require_grid(u, fmt.fraction_bits)
    if clip is None:
        _require_positive(u)
    if not _untouched(u, fmt.fraction_bits, clip, renormalise):
        u = conditioned(u, clip, renormalise)
    fmt = score_fmt or fmt
    unit = _by_float(labels, u, fmt, scale, shift)
    if unit is None:
        unit = _by_balls(labels, u, fmt, scale, shift)
    largest = (1 << (fmt.integer_bits + fmt.fraction_bits)) - 1
    return Fraction(max(-largest, min(unit, largest)), 1 << fmt.fraction_bits)


def _require_grid(u: Query, f: int) -> None:
    if u.dtype == object:
        off = [value for value in rationals(u).ravel() if (value * (1 << f)).denominator != 1]
    else:
        with np.errstate(over="ignore"):  # a multiple too large for a float is a whole number
            scaled = np.ldexp(u, f)
        off = list(u[(scaled != np.rint(scaled)) | ~np.isfinite(u)])
    if off:
        raise OffGridError(f"{len(off)} predictions are no multiples of 2^-{f}; the first is {off[0]}")


def _require_positive(u: Query) -> None:
    """Fixed point has no infinity to answer with, so its logarithm refuses a prediction of 0."""
    least = u.min() if u.ndim == 2 else min(u.min(), 1 - u.max())
    if least <= 0:
        raise OffGridError("a prediction of 0 has no logarithm in fixed point, and the scorer does not clip")


def _untouched(u: Query, f: int, clip: gmpy2.mpq | None, renormalise: bool) -> bool:
    """Whether neither the clip nor the division by row sums, exact on so coarse a grid, changes the query."""
    if u.dtype == object or f > FLOAT_GRID:
        return False
    within = clip is None or bool(float(u.min()) >= clip and float(u.max()) <= 1 - clip)
    return within and (not renormalise or u.ndim == 1 or bool((u.sum(axis=1) == 1).all()))


def _by_float(labels: Labels, u: Query, fmt: FixedPoint, scale: Fraction, shift: Fraction) -> int | None:
    """The rounded score in units of the grid, or None where float64 cannot tell which one it is."""
    if u.dtype == object or fmt.fraction_bits > FLOAT_GRID:
        return None
    chosen = pick(labels, u) if u.ndim == 2 else np.where(labels == 1, u, 1.0 - u)  # exact: u is on the grid
    if not ((chosen > 0) & (chosen <= 1)).all():
        return None  # infinite, or no probability: exact arithmetic answers the one and refuses the other
    total = -math.fsum(np.log(chosen))  # all terms have one sign, so the relative error is that of one term
    mean = Fraction(total) / len(labels)
    slack = abs(mean) * Fraction(LOG_ERROR) * abs(1 + scale)
    value = mean * (1 + scale) + shift
    low, high = ((end * (1 << fmt.fraction_bits)) for end in (value - slack, value + slack))
    return round(low) if round(low) == round(high) else None


def _by_balls(labels: Labels, u: Query, fmt: FixedPoint, scale: Fraction, shift: Fraction) -> int:
    """The same by rigorous arithmetic, with more bits until the rounding is certain."""
    bits = fmt.fraction_bits + 32
    while True:
        loss = mean_log_loss(labels, u, bits)
        if not loss.is_finite():
            return 1 << (fmt.integer_bits + fmt.fraction_bits)
        with working(2 * bits + 64):
            unit = _round((loss * ball(1 + scale) + ball(shift)) * (1 << fmt.fraction_bits))
        if unit is not None:
            return unit
        bits *= 2


def _round(value: arb) -> int | None:
    """The nearest integer (ties to even), or None where the ball leaves a choice."""
    low, high = round(lower(value)), round(upper(value))
    return low if low == high else None
