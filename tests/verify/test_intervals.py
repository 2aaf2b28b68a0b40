"""Intervals hold the number: against mpmath at many more digits, where it rounds to nearest."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from mpmath import libmp, mp

from threatplan.verify.intervals import (
    INFINITY,
    Interval,
    decided,
    erfc,
    erfc_inverse_above,
    exp,
    hull,
    log,
    log1p,
    log2,
    log_factorial,
    pi,
    precision,
    prove,
    real,
    sin,
    sqrt,
)


def exactly(value) -> Fraction:
    return Fraction(*libmp.to_rational(value._mpf_))


def holds(interval: Interval, value, narrow: Fraction = Fraction(1, 2**120)) -> bool:
    """Whether the interval holds a number of mpmath, and little else."""
    exact = exactly(value)
    return interval.least() <= exact <= interval.most() and (
        interval.most() - interval.least() <= narrow * max(abs(exact), Fraction(1, 2**200))
    )


@pytest.fixture(autouse=True)
def many_digits():
    before, mp.prec = mp.prec, 700
    yield
    mp.prec = before


@pytest.mark.parametrize("seed", range(40))
def test_elementary_functions(seed):
    draw = random.Random(seed)
    x = Fraction(draw.randint(1, 10**12), 10 ** draw.randint(6, 20))
    wide = mp.mpf(x.numerator) / x.denominator
    assert holds(real(x), wide)
    assert holds(log(x), mp.log(wide))
    assert holds(exp(x), mp.exp(wide))
    assert holds(sqrt(x), mp.sqrt(wide))
    assert holds(sin(real(x)), mp.sin(wide), Fraction(1, 2**80))
    assert holds(log1p(real(x * x)), mp.log1p(wide * wide), Fraction(1, 2**70))
    assert holds(real(x) ** 7 / 3 - x, wide**7 / 3 - wide, Fraction(1, 2**90))


@pytest.mark.parametrize("x", ["0", "1e-9", "0.3", "1", "3.99", "4", "4.01", "7", "26", "100", "-2"])
def test_erfc(x):
    assert holds(erfc(Fraction(x)), mp.erfc(mp.mpf(x)), Fraction(1, 2**60))


@pytest.mark.parametrize("chance", ["0.999", "0.5", "0.01", "1e-8", "1e-40", "1e-300"])
def test_the_inverse_of_erfc_lies_hardly_above(chance):
    x = erfc_inverse_above(Fraction(chance))
    assert mp.erfc(mp.mpf(libmp.to_rational(x.mpi[0])[0]) / libmp.to_rational(x.mpi[0])[1]) <= mp.mpf(chance)
    below = x.least() * (1 - Fraction(1, 2**80))
    assert mp.erfc(mp.mpf(below.numerator) / below.denominator) > mp.mpf(chance)


@pytest.mark.parametrize("n", [0, 1, 5, 256, 257, 1000, 10**6, 10**18])
def test_logarithms_of_factorials(n):
    found = log_factorial(n)
    assert found.least() <= exactly(mp.loggamma(n + 1)) <= found.most()
    assert found.most() - found.least() < Fraction(1, 10**25)


def test_what_is_not_decided_is_not_proved():
    third = real(1) / 3
    assert decided(third * 3, ">=", real(1)) is None
    assert decided(real(1), ">", real(1)) is False
    assert prove(lambda: log(2), ">", lambda: log(2))[2] is False
    assert prove(lambda: log(2) + Fraction(1, 10**400), ">", lambda: log(2))[2] is True
    assert log(hull(-1, 1)).high > -1
    assert not INFINITY - INFINITY > 0
    assert not INFINITY - INFINITY <= 0


def test_precision_is_local():
    with precision(64):
        assert pi().most() - pi().least() > Fraction(1, 2**80)
    assert log2(1024).least() == 10
