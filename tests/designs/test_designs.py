from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.designs.base import DesignError
from planner.designs.butterfly import Butterfly
from planner.designs.chooser import best_design
from planner.designs.glue import LATTICES, Lattice, PairStage
from planner.designs.lindstrom import Lindstrom
from planner.designs.mixtures import best_kary
from planner.designs.seeds import Scalar, Skew
from planner.designs.sets import BitSet, largest_set
from tests.designs.laws import check_design, measurements

SEEDS = [Scalar(1), Scalar(3), Scalar(5), Scalar(11), Scalar(138), Skew(1), Skew(3), Skew(34), Skew(138)]
SEEDS += [PairStage(1), PairStage(5), *LATTICES]
SEEDS += [Lattice(one.c, one.kappa, one.glue, multiple) for one in LATTICES for multiple in (2, 5)]


@pytest.mark.parametrize("base", [BitSet(1), BitSet(1, 2), BitSet(4), BitSet(6, 1), BitSet(1, 70)])
@pytest.mark.parametrize("M", [1, 2, 3, 4, 7, 12, 33])
def test_butterflies(M, base):
    check_design(Butterfly(M, base), np.random.default_rng(M))


@pytest.mark.parametrize("seed", [*SEEDS, Scalar(2**60), Skew(2**33)], ids=lambda seed: type(seed).__name__)
@pytest.mark.parametrize("blocks", [1, 2, 3, 8, 13, 29])
def test_seeds(seed, blocks):
    check_design(Lindstrom(blocks, seed), np.random.default_rng(blocks))


@pytest.mark.parametrize(
    "seed", [Scalar(3), Scalar(9), Skew(34), LATTICES[0], PairStage(2)], ids=lambda s: type(s).__name__
)
def test_designs_beyond_the_explicit_pairs_of_sets(seed):
    """More index bits than the transform handles by explicit pairs: high and low parts meet."""
    design = Lindstrom(700, seed)
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2, design.capacity() - 5)
    scores = design.scores(x)
    for t in rng.integers(0, design.M, 12).tolist():
        assert scores[t] == (design.row(t, len(x)) * x).sum()
    y = scores * float(design.unit) + rng.uniform(-0.49, 0.49, design.M)
    assert np.array_equal(design.decode(y, len(x)), x)


K_CLASSES = [(1, 2, 3), (7, 2, 3), (40, 58, 3), (90, 5, 3), (60, 24, 4), (50, 9, 5), (50, 327, 6), (50, 30, 7)]
K_CLASSES += [(80, 64, 8), (90, 234, 10), (30, 40, 10), (20, 300, 26), (9, 2**44, 5), (12, 500, 1000)]


@pytest.mark.parametrize(("n", "A", "K"), K_CLASSES)
def test_k_classes(n, A, K):
    design = best_kary(n, A, K)
    assert design.capacity() >= n
    check_design(design, np.random.default_rng(n), n)


def small_designs():
    """Every kind of design with few labels."""
    for M in range(1, 6):
        for base in (BitSet(1), BitSet(1, 1), BitSet(3), BitSet(4), BitSet(6)):
            yield Butterfly(M, base)
    for blocks in range(1, 5):
        yield from (Lindstrom(blocks, seed) for seed in SEEDS)
    for n, A, K in [(5, 2, 3), (6, 5, 3), (8, 16, 3), (5, 7, 4), (4, 16, 5), (4, 9, 6), (3, 30, 10)]:
        yield best_kary(n, A, K)


def labelings(design):
    return design.K ** design.capacity()


def title(design):
    return f"{design.M} x {design.capacity()}: {design.name}"


def check_every_labeling(design, most=None):
    n = design.capacity()
    every = np.array(list(product(range(design.K), repeat=n)))
    if most is not None and len(every) > most:
        every = np.random.default_rng(most).permutation(every)[:most]
    rows = np.stack([design.row(t, n) for t in range(design.M)]).astype(float) * float(design.unit)
    y = every @ rows.T if design.K == 2 else rows[:, np.arange(n), every].sum(axis=2).T
    signs = np.random.default_rng(n).choice([-0.499, 0.499], y.shape)
    for x, measured in zip(every, y + signs, strict=True):
        assert np.array_equal(design.decode(measured, n), x)


SMALL = list(small_designs())


@pytest.mark.parametrize("design", [d for d in SMALL if labelings(d) <= 2**9], ids=title)
def test_every_labeling_under_the_worst_errors(design):
    check_every_labeling(design)


@pytest.mark.parametrize(
    "design",
    [
        Butterfly(4, BitSet(2)),
        Butterfly(3, BitSet(4)),
        Butterfly(2, BitSet(6)),
        Lindstrom(3, Scalar(6)),
        Lindstrom(2, Skew(3)),
        Lindstrom(2, PairStage(1)),
        Lindstrom(1, LATTICES[2]),
        Lindstrom(2, LATTICES[4]),
    ],
    ids=title,
)
def test_every_labeling_of_larger_designs(design, thorough):
    """Up to 2^14 of them; a thousand, unless all are asked for."""
    assert 8 <= design.capacity() <= 14
    check_every_labeling(design, None if thorough else 2**10)


@pytest.mark.parametrize("design", [d for d in SMALL if labelings(d) <= 2**11], ids=title)
def test_all_labelings_are_a_gap_apart(design):
    """What makes every decoder right: some query tells any two labelings apart by at least one gap."""
    n = design.capacity()
    rows = np.stack([design.row(t, n) for t in range(design.M)]) * 1.0
    every = np.array(list(product(range(design.K), repeat=n)))
    y = every @ rows.T if design.K == 2 else rows[:, np.arange(n), every].sum(axis=2).T
    y *= float(design.unit)
    for start in range(0, len(y), 512):
        distance = np.abs(y[start : start + 512, None] - y[None]).max(axis=2)
        distance[np.arange(len(distance)), start + np.arange(len(distance))] = np.inf
        assert distance.min() > 1 - 1e-9


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 120), st.fractions(1, 400), st.sampled_from([2, 2, 2, 3, 4, 5, 10]), st.integers(0, 2**32))
def test_the_best_design_recovers_random_labels(n, amplitude, K, seed):
    if amplitude < K - 1 and K > 2:
        amplitude += K - 1
    design = best_design(n, amplitude, K)
    assert design.amplitude <= amplitude
    check_design(design, np.random.default_rng(seed), n)


@pytest.mark.parametrize(
    "design",
    [Butterfly(9, BitSet(4, 1)), Lindstrom(9, Scalar(3)), Lindstrom(5, Skew(34)), Lindstrom(4, PairStage(2))]
    + [Lindstrom(5, lattice) for lattice in LATTICES]
    + [best_kary(40, 58, 3), best_kary(40, 64, 10)],
    ids=lambda d: d.name,
)
class TestRefusals:
    def test_measurements_that_fit_no_labeling(self, design):
        rng = np.random.default_rng(5)
        x = rng.integers(0, design.K, design.capacity())
        clean = measurements(design, x)
        refused = 0
        for size in [2] * 25 + [int(design.row_l1_bound(len(x))) // 4] * 25:
            y = clean + rng.integers(-size, size + 1, design.M)
            try:
                wrong = design.decode(y, len(x))
            except DesignError:
                refused += 1
            else:  # another labeling that really measures so is a legal answer
                assert np.abs(measurements(design, wrong) - y).max() < 0.5
        assert refused

    def test_unused_columns_that_read_something(self, design):
        n = design.capacity()
        x = np.zeros(n, dtype=np.int64)
        x[-1] = 1
        with pytest.raises(DesignError):
            design.decode(measurements(design, x), n - 1)

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e18, -1e18])
    def test_values_that_no_labeling_gives(self, design, bad):
        y = np.zeros(design.M)
        y[0] = bad
        with pytest.raises(DesignError):
            design.decode(y, design.capacity())

    def test_shapes_and_ranges(self, design):
        for call in (
            lambda: design.row(design.M, 1),
            lambda: design.row(-1, 1),
            lambda: design.row(0, design.capacity() + 1),
            lambda: design.decode(np.zeros(design.M + 1), 1),
            lambda: design.decode(np.zeros(design.M), design.capacity() + 1),
            lambda: design.scores(np.zeros(design.capacity() + 1, dtype=int)),
            lambda: design.scores(np.full(3, design.K)),
        ):
            with pytest.raises(DesignError):
                call()


def reference_row(t, M, base):
    """The recursion of the butterfly, written down as it is defined, columns in the order left, middle, single."""
    if M == 1:
        return list(base)
    half = 1 << (M - 1).bit_length() - 1
    rest = M - half
    u = t if t < half else t - half
    left = reference_row(u, half, base)
    middle = reference_row(u, rest, base) if u < rest else [0] * Butterfly(rest, BitSet(len(base))).capacity()
    single = [int(t < half and u == i) for i in range(rest)]
    return left + ([-v for v in middle] if t >= half else middle) + single


@pytest.mark.parametrize("M", [1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 21])
def test_butterfly_is_the_recursion_up_to_column_order(M):
    base = BitSet(4)
    ours = np.array([Butterfly(M, base).row(t, Butterfly(M, base).capacity()) for t in range(M)])
    theirs = np.array([reference_row(t, M, base.weights) for t in range(M)])
    assert sorted(map(tuple, ours.T)) == sorted(map(tuple, theirs.T))


@pytest.mark.parametrize(("A", "M"), [(1, 9), (3, 13), (5, 8), (6, 21)])
def test_scalar_rows_are_hermites_floors(A, M):
    design = Lindstrom(M, Scalar(A))
    components = sorted(range(M), key=lambda j: (j.bit_count(), j))
    for t in range(M):
        expected = []
        for j in components:
            p = j.bit_count()
            chosen = [b for b in range(10) if j >> b & 1]
            s = sum((t >> b & 1) << i for i, b in enumerate(chosen))
            sign = (-1) ** (t & j).bit_count()
            expected += [sign * ((m + s) >> p) for m in largest_set(A << p).weights]
        assert design.row(t, design.capacity()).tolist() == expected


@pytest.mark.parametrize("lattice", LATTICES, ids=lambda lattice: lattice.name)
def test_lattices_have_minimum_one(lattice):
    """Every nonzero point near the origin has a coordinate of at least 1, and some point has no larger one."""
    s = lattice.rows
    basis = np.array(lattice.matrix) * float(lattice.unit)
    shifts = np.array(list(product(range(-2, 3), repeat=s)))
    H = np.array(Lattice(Fraction(1), 1, (1,) + (0,) * (s - 1)).matrix)
    smallest = np.inf
    for step in range(lattice.kappa):
        reduced = np.array(lattice.glue) * step / lattice.kappa
        reduced -= np.rint(reduced)
        norms = np.abs((reduced + shifts) @ H.T).max(axis=1) * float(lattice.c)
        smallest = min(smallest, norms[norms > 1e-9].min())
    assert smallest == pytest.approx(1)
    assert abs(np.linalg.det(basis)) == pytest.approx(abs(np.linalg.det(H)) * float(lattice.c) ** s / lattice.kappa)


def test_pair_stage_points_are_a_gap_apart():
    v = np.array(list(product(range(-3, 4), repeat=2)))
    z = np.array(list(product((-1, 0, 1), repeat=2)))
    y = (v @ np.array(PairStage.matrix).T)[:, None] + z @ np.array(PairStage.extras).T
    distance = np.abs(y).max(axis=2) * 0.5
    origin = (v == 0).all(axis=1)[:, None] & (z == 0).all(axis=1)
    assert distance[~origin].min() == 1


def test_exact_integers_beyond_floating_point():
    design = Butterfly(5, BitSet(1, 90))
    x = np.random.default_rng(0).integers(0, 2, design.capacity())
    y = design.scores(x) + np.array([Fraction(1, 3)] * 5, dtype=object)
    assert np.array_equal(design.decode(y, len(x)), x)
