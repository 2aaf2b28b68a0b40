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


@pytest.mark.parametrize(("count", "deviations"), [(2, 4), (5, 5), (40, 5), (1000, 6)])
def test_laplace_against_its_mixture_of_normals(count: int, deviations: float) -> None:
    """A Laplace noise is normal of a variance 2 b^2 times an exponential variable: of a sum they add up to a gamma one."""
    place = deviations * mpmath.sqrt(2 * count)

    def weighed(v: mpmath.mpf) -> mpmath.mpf:
        return mpmath.exp((count - 1) * mpmath.log(v) - v - mpmath.loggamma(count)) * mpmath.erfc(
            place / 2 / mpmath.sqrt(v)
        )

    far = count + deviations * place  # where most of the mass beyond the place comes from
    exact = mpmath.quad(weighed, mpmath.linspace(mpmath.mpf(1) / 1000, 4 * far, 60))
    bound = float(law_of(Laplace(R("1"))).tail_of_mean(count, arb(float(place / count))))
    assert exact <= bound <= (1.6 if count > 2 else 2.5) * exact


@pytest.mark.parametrize("s", ["0.02", "0.7", "3"])
@pytest.mark.parametrize("noise", [Gaussian(R("0.5")), Laplace(R("0.25")), Uniform(R("-1"), R("2"))])
def test_peaks_of_tilted_sums(noise: Noise, s: str) -> None:
    """The density of two noises under e^(s x), on a grid, stays below the peak that is named, and is no third of it."""
    grid = np.linspace(-12, 12, 24_001)
    step = grid[1] - grid[0]
    density = {
        Gaussian: lambda x: np.exp(-2 * x**2),
        Laplace: lambda x: np.exp(-4 * np.abs(x)),
        Uniform: lambda x: (np.abs(x) <= 1.5).astype(float),
    }[type(noise)](grid) * np.exp(float(s) * grid)  # fmt: skip
    density /= density.sum() * step
    both = np.fft.irfft(np.fft.rfft(density, 2 * len(grid)) ** 2) * step
    peak = float(law_of(noise).peak(2, arb(s)))
    assert both.max() <= 1.001 * peak
    assert both.max() >= 0.3 * peak
    assert law_of(Laplace(R("0.25"))).peak(1, arb(s)) == arb.pos_inf()


def test_no_tail_without_a_law() -> None:
    """Noise that an adversary chooses may always be at its bound: nothing is excluded."""
    assert law_of(Bounded(R("0.1"))).tail_of_mean(3, arb("0.05")) == 1


def test_mean_square() -> None:
    squares = (np.random.default_rng(0).uniform(-1, 1, (20_000, 12)) ** 2).mean(axis=1)
    for share in (Fraction(1, 2), Fraction(5, 8)):
        assert float((squares > float(share)).mean()) <= float(mean_square_tail(12, share)) < 1
