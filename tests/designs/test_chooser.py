import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from planner.designs.base import DesignError
from planner.designs.butterfly import Butterfly
from planner.designs.chooser import best_design, designs
from planner.designs.lindstrom import Lindstrom
from planner.designs.seeds import Scalar
from planner.designs.sets import BitSet
from tests.designs.cells import CELLS, amplitude, entropy_bound


@pytest.mark.parametrize(("cell", "most"), CELLS.items(), ids=lambda v: str(v))
def test_queries_of_the_published_cells(cell, most):
    N, K, d = cell
    design = best_design(N, amplitude(N, K, d), K)
    assert design.capacity() >= N
    assert design.amplitude <= amplitude(N, K, d)
    assert entropy_bound(N, K, d) <= design.M <= most


@pytest.mark.parametrize(
    ("M", "n0", "labels"), [(1, 3, 3), (2, 1, 3), (4, 1, 8), (8, 1, 20), (12, 16, 212), (6, 1, 13)]
)
def test_butterfly_capacity(M, n0, labels):
    assert Butterfly(M, BitSet(1, n0 - 1)).capacity() == labels


@pytest.mark.parametrize(("M", "A", "labels"), [(8, 3, 2 + 3 * 3 + 3 * 4 + 6), (1, 24, 6), (2, 24, 13), (4, 1, 8)])
def test_lindstrom_capacity(M, A, labels):
    """At amplitude 3 the component of popcount 3 holds six labels of weight at most 24, not five."""
    assert Lindstrom(M, Scalar(A)).capacity() == labels


@pytest.mark.parametrize("A", [1, 2, 3, 7, 24, 345])
def test_hermite_lindstrom_never_holds_less_than_the_butterfly(A):
    for M in (1, 5, 64, 1000, 10**9):
        butterfly = next(d for d in designs(M, Fraction(A)) if isinstance(d, Butterfly))
        assert Lindstrom(M, Scalar(A)).capacity() >= Butterfly(M, butterfly.base).capacity()


@pytest.mark.parametrize("K", [2, 3, 10])
def test_more_amplitude_or_fewer_labels_never_need_more_queries(K):
    for A in (K, 2 * K, 30, 33, 100, 101):
        for n in (10, 200, 1000):
            M = best_design(n, Fraction(A), K).M
            assert best_design(n // 2, Fraction(A), K).M <= M
            if K == 2:
                assert best_design(n, Fraction(A * 3, 2), K).M <= M


@pytest.mark.timeout(20)
@pytest.mark.parametrize("value", ["1", "13.8", "345", "1e9", "1e30"])
def test_planning_does_not_hang_on_a_trillion_labels(value):
    design = best_design(10**12, Fraction(value))
    assert design.capacity() >= 10**12
    assert design.row_l1_bound(10**12) > 0


@pytest.mark.parametrize(("n", "value", "K"), [(0, 5, 2), (5, "0.99", 2), (5, 3, 1), (5, "0.5", 3), (5, 0, 4)])
def test_impossible_requests_are_refused(n, value, K):
    with pytest.raises(DesignError):
        best_design(n, Fraction(value), K)


def test_planning_never_loads_numpy():
    code = (
        "import sys; from fractions import Fraction as F; from planner.designs.chooser import best_design\n"
        "[best_design(25000, F(a), k).row_l1_bound(25000) for a in (2, F(138, 10), 138) for k in (2, 3, 10)]\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


@pytest.mark.parametrize(("N", "d"), [(10**6, 5), (10**6, 6)])
def test_a_million_labels(N, d):
    design = best_design(N, amplitude(N, 2, d))
    rng = np.random.default_rng(d)
    x = rng.integers(0, 2, N)
    scores = design.scores(x)
    for t in rng.integers(0, design.M, 3).tolist():
        assert scores[t] == (design.row(t, N) * x).sum()
    y = scores * float(design.unit) + rng.choice([-0.49, 0.49], design.M)
    assert np.array_equal(design.decode(y, N), x)
