from __future__ import annotations

import math
from fractions import Fraction

import gmpy2
import mpmath
import numpy as np
import pytest
from flint import arb

from backends.exact import mean_log_loss, midpoint, product

PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]


def primes_query() -> np.ndarray:
    return np.array([gmpy2.mpq(p, p + 1) for p in PRIMES], dtype=object)


def test_the_papers_worked_example():
    u = np.array([Fraction(p, p + 1) for p in PRIMES[:5]], dtype=object)
    score = mean_log_loss(np.array([0, 1, 1, 0, 1]), u, 200)
    assert score.overlaps((arb(2304) / 55).log() / 5)


@pytest.mark.parametrize("bits", [8, 53, 400, 5000])
def test_radius_is_as_asked(bits):
    score = mean_log_loss(np.arange(10) % 2, primes_query(), bits)
    assert 0 < midpoint(score.rad()) <= Fraction(1, 2**bits)


@pytest.mark.parametrize(
    "u",
    [
        np.linspace(0.001, 0.999, 10),
        np.full(10, 0.5),
        np.full(10, 1e-300),
        primes_query(),
        np.stack([np.linspace(0.1, 0.4, 10), np.linspace(0.2, 0.3, 10), np.linspace(0.5, 0.1, 10)], axis=1),
    ],
)
def test_against_mpmath_to_50_digits(u, exact_loss):
    labels = np.random.default_rng(1).integers(2, size=10)
    score = mean_log_loss(labels, u, 200)
    with mpmath.workdps(80):
        middle = midpoint(score)
        difference = mpmath.mpf(middle.numerator) / middle.denominator - exact_loss(labels, u)
        assert abs(difference) < mpmath.mpf(10) ** -50


def test_small_probability_and_its_complement_are_exact():
    """1 - 1e-300 is 1 in float64; exact arithmetic must not lose it."""
    score = mean_log_loss(np.array([0]), np.array([1e-300]), 1100)
    assert score.overlaps(arb("1e-300"))
    assert score > 0


def test_zero_is_infinite_and_outside_is_refused():
    assert not mean_log_loss(np.array([1, 0]), np.array([0.0, 0.5]), 10).is_finite()
    with pytest.raises(ValueError, match="outside"):
        mean_log_loss(np.array([1]), np.array([1.5]), 10)


def test_clip_and_renormalise_are_exact():
    u = np.array([[0.0, 2.0], [1.0, 3.0]])
    score = mean_log_loss(np.array([0, 1]), np.clip(u, 0, 1), 60, clip=gmpy2.mpq(1, 4), renormalise=True)
    # rows become (1/4, 3/4) and (3/4, 3/4) -> (1/2, 1/2)
    assert float(score) == pytest.approx((math.log(4) + math.log(2)) / 2, rel=1e-15)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 100])
def test_product_tree(count):
    factors = [gmpy2.mpz(n) for n in range(2, 2 + count)]
    assert product(factors) == math.prod(range(2, 2 + count))


@pytest.mark.parametrize(
    ("labels", "u", "words"),
    [
        (np.array([0, 1]), np.array([0.5]), "shape"),
        (np.array([0, 2]), np.array([0.5, 0.5]), "0..1"),
        (np.array([[0]]), np.array([0.5]), "one-dimensional"),
        (np.array([], dtype=int), np.array([]), "no labels"),
    ],
)
def test_misfits_are_refused(labels, u, words):
    with pytest.raises(ValueError, match=words):
        mean_log_loss(labels, u, 10)
