from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from backends.ieee import score
from dsl.scenario import Summation


def case(N: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    return draw.integers(2, size=N), draw.random(N)


def sequential(values: np.ndarray, dtype: type) -> float:
    total = dtype(0)
    for value in values:
        total = dtype(total + value)
    return float(dtype(float(total) / len(values)))


@pytest.mark.parametrize(("bits", "dtype"), [(16, np.float16), (32, np.float32), (64, np.float64)])
@pytest.mark.parametrize("N", [1, 2, 7, 128, 1000, 5003])
def test_bit_for_bit(bits, dtype, N):
    labels, u = case(N)
    cast = np.clip(u.astype(dtype), dtype(0.01), dtype(1) - dtype(0.01))
    charges = -np.log(np.where(labels == 1, cast, dtype(1) - cast))
    assert charges.dtype == dtype
    assert score(labels, u, bits, clip=0.01) == float(charges.mean())
    assert score(labels, u, bits, clip=0.01, summation=Summation.SEQUENTIAL) == sequential(charges, dtype)


def test_orders_differ():
    """Were both orders the same, the bit-for-bit test could not see a mix-up."""
    labels, u = case(5003)
    assert score(labels, u, 64) != score(labels, u, 64, summation=Summation.SEQUENTIAL)


@pytest.mark.parametrize(("bits", "relative"), [(32, 1e-5), (64, 1e-14)])
def test_against_mpmath(bits, relative, exact_loss):
    labels, u = case(300)
    u = u.astype(np.float32).astype(np.float64)
    with mpmath.workdps(50):
        assert score(labels, u, bits) == pytest.approx(float(exact_loss(labels, u)), rel=relative)


def test_clip_precedes_the_complement():
    """Near 1 the old scorers lost digits: 1 - (1 - 1e-15) is 9.992e-16, on the grid of 2^-53."""
    assert score(np.array([0]), np.array([1.0]), 64, clip=1e-15) == -math.log(1 - (1 - 1e-15))
    assert score(np.array([1]), np.array([0.0]), 64, clip=1e-15) == -math.log(1e-15)


def test_two_columns_keep_small_entries():
    u = np.array([[1e-300, 1.0], [1.0, 1e-300]])
    assert score(np.array([0, 1]), u, 64) == -math.log(1e-300)


def test_renormalise_divides_by_row_sums():
    u = np.array([[0.1, 0.3], [0.2, 0.2]])
    assert score(np.array([1, 0]), u, 64, renormalise=True) == pytest.approx(-math.log(0.75 * 0.5) / 2)
    assert score(np.array([1, 0]), u, 64) == pytest.approx(-math.log(0.3 * 0.2) / 2)


def test_zero_scores_infinity():
    assert score(np.array([1, 0]), np.array([0.0, 0.5]), 64) == math.inf


def test_rationals_become_the_nearest_float():
    u = np.array([Fraction(2, 3), Fraction(2**60 + 1, 2**61 + 7)], dtype=object)
    assert score(np.array([1, 1]), u, 64) == score(np.array([1, 1]), np.array([2 / 3, 0.5]), 64)
