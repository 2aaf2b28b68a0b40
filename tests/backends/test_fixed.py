from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from backends import fixed
from backends.fixed import OffGridError, score
from dsl.scenario import FixedPoint


def grid_query(f: int, N: int, seed: int) -> np.ndarray:
    draw = np.random.default_rng(seed)
    return draw.integers(1, 2**f, size=N) * 2.0**-f


@pytest.mark.parametrize("f", [4, 8, 12, 31, 40, 50])
def test_nearest_multiple_against_mpmath(f, exact_loss):
    for seed in range(20):
        u = grid_query(f, 17, seed)
        labels = np.random.default_rng(seed).integers(2, size=17)
        with mpmath.workdps(80):
            nearest = int(mpmath.nint(exact_loss(labels, u) * 2**f))
        assert score(labels, u, FixedPoint(f, f)) == Fraction(nearest, 2**f)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 44), st.integers(1, 30), st.integers(0, 10**6))
def test_both_paths_agree(f, N, seed):
    u, fmt = grid_query(f, N, seed), FixedPoint(f, f)
    labels = np.random.default_rng(seed).integers(2, size=N)
    zero = Fraction(0)
    quick = fixed._by_float(labels, u, fmt, zero, zero)
    assert quick is None or quick == fixed._by_balls(labels, u, fmt, zero, zero)


@pytest.mark.parametrize("above", [1.25, 2.0, 1 + 2.0**-20])
def test_an_entry_above_one_is_no_probability(above):
    u, labels = np.array([[above, 0.5], [0.25, 0.75]]), np.array([0, 1])
    with pytest.raises(ValueError, match=r"outside \[0, 1\]"):
        score(labels, u, FixedPoint(8, 20))
    assert score(labels, u, FixedPoint(8, 20), clip=mpq(1, 8)) > 0, "a clip brings it back"


def test_rounding_that_float64_cannot_decide_is_left_to_balls():
    """Disturbed so that the score lies 2^-70 from a rounding boundary, where float64 sees a tie."""
    u, labels, fmt = np.array([0.25, 0.5]), np.array([1, 1]), FixedPoint(8, 20)
    with mpmath.workdps(60):
        loss = 3 * mpmath.log(2) / 2
        cell = int(mpmath.floor(loss * 2**20))
        exact = Fraction(int(mpmath.floor(loss * mpmath.mpf(2) ** 150)), 2**150)
    for side in (-1, 1):
        shift = Fraction(2 * cell + 1, 2**21) - exact + side * Fraction(1, 2**70)
        assert fixed._by_float(labels, u, fmt, Fraction(0), shift) is None
        expected = Fraction(cell + (side > 0), 2**20)
        assert score(labels, u, fmt, shift=shift) == expected


def test_noise_is_rounded_once():
    u, labels, fmt = np.array([0.5]), np.array([1]), FixedPoint(4, 4)
    assert score(labels, u, fmt) == Fraction(11, 16)  # ln 2 = 11.09/16
    assert score(labels, u, fmt, shift=Fraction(1, 40)) == Fraction(11, 16)
    assert score(labels, u, fmt, shift=Fraction(1, 38)) == Fraction(12, 16)
    assert score(labels, u, fmt, scale=Fraction(1, 10)) == Fraction(12, 16)


@pytest.mark.parametrize("u", [np.array([0.3, 0.5]), np.array([Fraction(1, 3), Fraction(1, 2)], dtype=object)])
def test_off_grid_is_refused(u):
    with pytest.raises(OffGridError, match="multiples of 2"):
        score(np.array([0, 1]), u, FixedPoint(8, 8))


def test_a_prediction_of_zero_is_refused():
    with pytest.raises(OffGridError, match="no logarithm"):
        score(np.array([1]), np.array([0.0]), FixedPoint(2, 1))


def test_overflow_saturates():
    tiny = np.array([Fraction(1, 2**30)], dtype=object)
    assert score(np.array([1]), tiny, FixedPoint(2, 30)) == Fraction(2**32 - 1, 2**30)


@pytest.mark.parametrize("clip", [None, mpq(1, 1000), mpq(1, 3)])
@pytest.mark.parametrize("rows", ["sum to one", "do not"])
def test_the_short_cut_changes_nothing(clip, rows):
    """Queries that clip and division leave alone are scored as floats, others as rationals: one answer."""
    draw = np.random.default_rng(3)
    for _ in range(30):
        first = draw.integers(1, 2**8, size=9)
        second = 2**8 - first if rows == "sum to one" else draw.integers(1, 2**8, size=9)
        u = np.stack([first, second], axis=1) / 2.0**8
        labels = draw.integers(2, size=9)
        slow = np.array([[mpq(value) for value in row] for row in u.tolist()], dtype=object)
        named = {"clip": clip, "renormalise": True}
        assert score(labels, u, FixedPoint(8, 8), **named) == score(labels, slow, FixedPoint(8, 8), **named)
