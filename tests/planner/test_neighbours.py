"""I5, all neighbours at once: its figures written out again, exact tests of small boards, and where it says nothing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from mpmath import mp, mpf

from dsl.numbers import Real
from dsl.scenario import Arbitrary, Gaussian, Laplace, Scenario, Subexponential, Uniform
from planner import plan
from planner.channel.channel import channel_of
from planner.channel.mechanisms.gaussian import GaussianLaw
from planner.channel.mechanisms.laplace import LaplaceLaw
from planner.limits.neighbour_random import NeighbourRandom, neighbours
from tests.planner.known import limit, real
from tests.planner.scenarios import CLIP

DELTA = Fraction(1, 100)


def a_board(N=10_000, **fields):
    return Scenario(name="known", N=N, **{"phi": Arbitrary(), "clip": CLIP, "noise": Gaussian(real("0.05")), **fields})


def upper(x):
    return mp.erfc(x / mp.sqrt(2)) / 2


def quantile(chance):
    return mp.findroot(lambda z: upper(z) - chance, 2)


@pytest.mark.parametrize(("N", "K"), [(10_000, 2), (3000, 3)])
def test_gaussian_noise_written_out_again(N, K):
    """N (K-1) mistakes of Q(d - z), each with scores W/N apart."""
    channel = channel_of(a_board(N, K=K, columns=1 if K == 2 else K, noise=Gaussian(real(1))))
    d = quantile(mpf(1) / 100) + quantile(mpf(1) / 100 / (N * (K - 1)))
    expected = (d * N / mpf(float(channel.span()))) ** 2
    every = NeighbourRandom()._every(channel, 1)
    assert every is not None
    assert every.queries == pytest.approx(float(expected), rel=1e-5)
    assert dict(every.parameters)["neighbours"] == N * (K - 1)


def test_more_than_one_label_takes_and_less_than_attacks_do():
    """10,000 labels under Gaussian noise of 0.05: 20,688 queries settle one label, 92,160 are certified for all."""
    for noise in (Gaussian(real("0.05")), Laplace(real("0.05")), Subexponential(real("0.0025"), real("0.01"))):
        board = a_board(noise=noise)
        every, one = limit(plan(board), "I5"), NeighbourRandom()._one(channel_of(board))
        assert every.queries > 2 * one.queries
        certified = [each.certified.queries for each in plan(board).candidates if each.certified]
        assert every.queries <= min(certified)


@pytest.mark.parametrize("N", [2, 3, 12])
def test_orthogonal_averages_stand(N):
    """With orthogonal rows of full weight all labels are right with probability (1 - Q(sqrt(M) W/(2 N s)))^N exactly."""
    channel = channel_of(a_board(N, noise=Gaussian(real(100))))
    every = NeighbourRandom()._every(channel, 1)
    W = mpf(float(channel.span())) / 100
    right = (1 - upper(mp.sqrt(every.queries - 1) * W / (2 * N))) ** N
    assert right < 1 - mpf(1) / 100
    assert (1 - upper(mp.sqrt(3 * every.queries) * W / (2 * N))) ** N > 1 - mpf(1) / 100


@pytest.mark.parametrize(("x", "queries"), [(0.1, 1600), (0.3, 400), (2.0, 200)])
def test_laplace_noise_against_the_most_powerful_test(x, queries):
    """The best test of two sums of log-likelihood ratios, sampled: no test confuses them less often than the bound says."""
    coins, law = np.random.default_rng(1), LaplaceLaw(Laplace(Real.of(1)))
    ratios = np.zeros(4000)
    for _ in range(queries):
        noise = coins.laplace(size=len(ratios))
        ratios += np.abs(noise + x) - np.abs(noise)
    for delta in (Fraction(1, 100), Fraction(1, 10)):
        kept = np.sort(ratios)[int(len(ratios) * float(delta)) :]
        exact = np.exp(-kept).sum() / len(ratios)
        found = float(law.mistaken(arb(x), queries, delta, law.mistaken_at(arb(x), queries, float(delta))))
        assert 0 < found < exact / 1.2
        assert x > 1 or found > exact / 200


def test_laplace_moments_written_out_again():
    x = mpf(3) / 4
    law = LaplaceLaw(Laplace(Real.of(1)))

    def mean(power):
        half = mp.mpf(1) / 2
        between = mp.quad(lambda v: mp.exp(-v) * (x - 2 * v) ** power, [0, x])
        return half * (x**power + mp.exp(-x) * (-x) ** power + between)

    deviation, M, z = mp.sqrt(mean(2) - mean(1) ** 2), 900, mpf(3) / 2
    chance = upper(z) - (x + mean(1)) / deviation / mp.sqrt(M) / 2 - mpf(1) / 100
    expected = mp.exp(z * deviation * mp.sqrt(M) - M * mean(1)) * chance
    assert float(law.mistaken(arb("0.75"), M, DELTA, Fraction(3, 2))) == pytest.approx(float(expected), rel=1e-9)


def test_points_that_prove_nothing():
    """A quantile above that of delta, scores too few for the central limit theorem, and chances that delta eats up."""
    normal, laplace = GaussianLaw(Gaussian(Real.of(1))), LaplaceLaw(Laplace(Real.of(1)))
    assert normal.mistaken(arb("0.1"), 100, DELTA, Fraction(2)) > 0
    assert normal.mistaken(arb("0.1"), 100, DELTA, Fraction(12, 5)) == 0
    assert laplace.mistaken(arb("0.1"), 1, DELTA, Fraction(3, 2)) == 0
    assert laplace.mistaken(arb("0.1"), 10**6, DELTA, Fraction(12, 5)) == 0
    assert laplace.mistaken(arb("0.1"), 10**6, DELTA, Fraction(2)) > 0


def test_silent_where_neighbours_are_impossible_or_noise_is_uniform():
    channel = channel_of(a_board())
    assert neighbours(channel) == 10_000
    for other in (a_board(goal=Fraction(9999, 10_000)), a_board(guess=Fraction(9, 10)), a_board(positives=300)):
        assert neighbours(channel_of(other)) == 0
    for board in (a_board(noise=Uniform(real(-1), real(1))), a_board(confidence=Fraction(1, 3))):
        assert NeighbourRandom()._every(channel_of(board), 1) is None
    assert NeighbourRandom()._every(replace(channel, delta=Fraction(0)), 1) is None
