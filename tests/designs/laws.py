"""What every design must satisfy, checked on one instance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from planner.designs.base import Design


def measurements(design: Design, x: NDArray[np.int64]) -> NDArray[np.float64]:
    """Measurements in gaps from the rows alone, the definition that everything else must agree with."""
    rows = [design.row(t, len(x)) for t in range(design.M)]
    picked = rows if design.K == 2 else [row[np.arange(len(x)), x] for row in rows]
    sums = [(row * x).sum() if design.K == 2 else row.sum() for row in picked]
    return np.array([float(s * design.unit) for s in sums])


def check_design(design: Design, rng: np.random.Generator, n: int | None = None) -> None:
    """Rows keep their bounds; rows, scores and decoder agree under errors just below a half."""
    n = design.capacity() if n is None else n
    x = rng.integers(0, design.K, n)
    bound = design.row_l1_bound(n)
    for t in range(design.M):
        row = design.row(t, n)
        largest = abs(row) if design.K == 2 else np.ptp(row, axis=1)
        assert largest.max(initial=0) * design.unit <= design.amplitude
        assert (abs(row) if design.K == 2 else abs(row).max(axis=1)).sum() * design.unit <= bound
    y = measurements(design, x)
    assert np.array_equal(y, [float(s * design.unit) for s in design.scores(x)])
    if bound > 2**42:  # floats no longer hold the measurements: hand over exact integers
        assert np.array_equal(design.decode(design.scores(x), n), x)
        return
    for error in (rng.choice([-0.499, 0.499], design.M), rng.uniform(-0.499, 0.499, design.M)):
        assert np.array_equal(design.decode(y + error, n), x)
