from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb, ctx

from dsl.numbers import Real
from dsl.scenario import Bounded, Gaussian, Laplace, Noise, Subexponential, Uniform
from planner.attacks.dither.settling import mean_square_tail
from planner.channel.mechanisms import law_of
from planner.numerics.reals import ball
from planner.numerics.tails import _irwin_hall, _series_tail, gaussian_upper, uniform_mean_tail

R = Real.of


@pytest.mark.parametrize(("count", "x"), [(49, "1/4"), (64, "1/5"), (200, "3/20"), (300, "1/100"), (400, "1/5")])
def test_sum_and_series_agree(count: int, x: str) -> None:
    with ctx.workprec(160):
        series = _series_tail(count, ball(Fraction(x)))
        exact = _irwin_hall(count, Fraction(x))
        assert series.overlaps(exact)
        assert float(series.rad()) < 1e-20


def test_two_uniforms() -> None:
    # the mean of two is triangular: P(|mean| >= x) = (1 - x)^2
    assert float(uniform_mean_tail(2, arb("0.25"))) == pytest.approx(0.5625, abs=1e-9)


def test_edges() -> None:
    assert uniform_mean_tail(5, arb(0)) == 1
    assert uniform_mean_tail(5, arb(1)) == 0
    assert law_of(Gaussian(R("0.1"))).tail_of_mean(4, arb(-1)) == 1


@pytest.mark.parametrize("noise", [Gaussian(R("0.5")), Laplace(R("0.5")), Uniform(R("1"), R("3")),
                                   Subexponential(R("0.5"), R("0.7"))])  # fmt: skip
@pytest.mark.parametrize("count", [1, 4, 60])
def test_tails_are_bounds(noise: Noise, count: int) -> None:
    coins = np.random.default_rng(count)
    draws = {
        Gaussian: lambda shape: coins.normal(0, 0.5, shape),
        Laplace: lambda shape: coins.laplace(0, 0.5, shape),
        Uniform: lambda shape: coins.uniform(-1, 1, shape),
        Subexponential: lambda shape: coins.laplace(0, 0.35, shape),  # 1/(1-b^2 s^2) <= exp(s^2/4) for |s| < 1/0.7
    }[type(noise)]
    means = np.abs(draws((40_000, count)).mean(axis=1))
    for share in (0.5, 1.0, 2.0):
        x = share / count**0.5
        bound = float(law_of(noise).tail_of_mean(count, arb(x)))
        seen = float((means >= x).mean())
        assert seen <= bound + 4 * (bound / 40_000) ** 0.5 + 1e-9
        if isinstance(noise, Gaussian | Uniform):
            assert seen >= bound - 4 * (bound / 40_000) ** 0.5 - 1e-9


def test_gaussian_against_mpmath() -> None:
    assert float(gaussian_upper(arb(5))) == pytest.approx(float(mpmath.ncdf(-5)), rel=1e-12)
    assert float(law_of(Gaussian(R("0.25"))).tail_of_mean(16, arb("0.5"))) == pytest.approx(2 * float(mpmath.ncdf(-8)))


def test_no_tail_without_a_law() -> None:
    """Noise that an adversary chooses may always be at its bound: nothing is excluded."""
    assert law_of(Bounded(R("0.1"))).tail_of_mean(3, arb("0.05")) == 1


def test_mean_square() -> None:
    squares = (np.random.default_rng(0).uniform(-1, 1, (20_000, 12)) ** 2).mean(axis=1)
    for share in (Fraction(1, 2), Fraction(5, 8)):
        assert float((squares > float(share)).mean()) <= float(mean_square_tail(12, share)) < 1
