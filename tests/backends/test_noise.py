from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from backends.noise import MODES, Disturbance, NoiseSource, chi_square_scale, laplace_scale, subexponential
from backends.rivals import nearest_gap
from dsl.numbers import Real
from dsl.scenario import Bounded, Gaussian, Laplace, Multiplicative, NoNoise, Subexponential, Uniform

TAU = Fraction(1, 100)


def source(noise, mode="random-sign", seed=0, member="gaussian") -> NoiseSource:
    return NoiseSource(noise, np.random.default_rng(seed), mode, member)


def shifts(noise, count=4000, **named) -> np.ndarray:
    stream = source(noise, **named)
    return np.array([float(stream.draw(lambda: 0.3).shift) for _ in range(count)])


def test_none_is_nothing():
    assert source(NoNoise()).draw(lambda: 1.0) == Disturbance()


@pytest.mark.parametrize("mode", MODES)
def test_bounded_stays_within(mode):
    stream = source(Bounded(Real.of(TAU)), mode)
    drawn = [stream.draw(lambda: -0.3).shift for _ in range(50)]
    assert all(abs(shift) <= TAU for shift in drawn)
    assert max(abs(shift) for shift in drawn) > TAU * Fraction(9, 10)


def test_adversaries_do_as_named():
    def drawn(mode, gap=1.0):
        stream = source(Bounded(Real.of(TAU)), mode)
        return [stream.draw(lambda: gap).shift for _ in range(4)]

    assert drawn("plus") == [TAU] * 4
    assert drawn("minus") == [-TAU] * 4
    assert drawn("alternating") == [TAU, -TAU, TAU, -TAU]
    assert drawn("rival", 1.0) == [TAU] * 4
    assert drawn("rival", -1.0) == [-TAU] * 4
    assert drawn("rival", 0.001) == [Fraction(0.001)] * 4  # a rival within reach is met exactly
    assert set(drawn("random-sign")) <= {TAU, -TAU}


@pytest.mark.parametrize("mode", MODES)
def test_multiplicative_scales(mode):
    stream = source(Multiplicative(Real.of(Fraction(1, 8))), mode)
    drawn = [stream.draw(lambda: 0.1) for _ in range(20)]
    assert all(one.shift == 0 and abs(one.scale) <= Fraction(1, 8) for one in drawn)


@pytest.mark.parametrize(
    ("noise", "mean", "deviation"),
    [
        (Uniform(Real.of(1), Real.of(4)), 2.5, 3 / math.sqrt(12)),
        (Gaussian(Real.of(2)), 0.0, 2.0),
        (Laplace(Real.of(2)), 0.0, 2 * math.sqrt(2)),
        (Subexponential(Real.of(4), Real.of(4)), 0.0, 2.0),
    ],
)
def test_laws_have_their_moments(noise, mean, deviation):
    drawn = shifts(noise)
    assert drawn.mean() == pytest.approx(mean, abs=4 * deviation / math.sqrt(len(drawn)))
    assert drawn.std() == pytest.approx(deviation, rel=0.08)


def test_same_seed_same_noise():
    assert (shifts(Gaussian(Real.of(1)), 50, seed=3) == shifts(Gaussian(Real.of(1)), 50, seed=3)).all()
    assert (shifts(Gaussian(Real.of(1)), 50, seed=3) != shifts(Gaussian(Real.of(1)), 50, seed=4)).any()


@pytest.mark.parametrize(("lambda2", "nu"), [(4.0, 4.0), (1.0, 0.5), (0.5, 3.0)])
def test_members_meet_the_subexponential_bound_and_touch_it(lambda2, nu):
    """E exp(sX), known in closed form, against exp(lambda2 s^2/2) over the whole range |s| < 1/nu."""
    b, c = laplace_scale(lambda2, nu), chi_square_scale(lambda2, nu)
    slack = []
    for s in np.linspace(-1, 1, 4001) / nu * (1 - 1e-12):
        allowed = lambda2 * s * s / 2
        laplace, chi = -math.log1p(-((b * s) ** 2)), -c * s - math.log1p(-2 * c * s) / 2
        assert laplace <= allowed + 1e-9
        assert chi <= allowed + 1e-9
        slack.append((allowed - laplace, allowed - chi))
    assert min(one for one, _ in slack[-2:]) < 1e-6  # no wider law of the family would do
    assert min(two for _, two in slack[-2:]) < 1e-6


def test_known_chi_square():
    """Z^2 - 1 is subexponential with (4, 4), so the widest member there has at least scale 1."""
    assert chi_square_scale(4.0, 4.0) >= 1.0
    assert chi_square_scale(1e6, 0.001) <= 0.0005  # never past the pole of E exp(sX)
    draws = [subexponential(np.random.default_rng(i), 4.0, 4.0, "chi-square") for i in range(200)]
    assert min(draws) >= -chi_square_scale(4.0, 4.0)


def test_nearest_gap_is_the_closest_single_flip():
    labels, u = np.array([1, 0, 1]), np.array([0.5, 0.2, 0.9])
    # flipping row 1 changes the sum by ln(0.8/0.2), row 2 by ln(0.9/0.1); row 0 is idle
    assert nearest_gap(labels, u) == pytest.approx(math.log(4) / 3)
    exact = np.array([Fraction(1, 2), Fraction(1, 5), Fraction(9, 10)], dtype=object)
    assert nearest_gap(labels, exact) == pytest.approx(math.log(4) / 3)
    assert nearest_gap(labels, np.full(3, 0.5)) == 0
    assert nearest_gap(np.array([0]), np.array([[0.7, 0.2, 0.1]])) == pytest.approx(math.log(3.5))
    assert nearest_gap(np.array([0, 2, 1]), np.array([1.0, 2.0, 0.0])) == 0  # rows that name a class
