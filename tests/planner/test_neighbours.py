"""I5, all neighbours at once: its figures written out again, exact tests of small boards, and where it says nothing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from mpmath import mp, mpf

from dsl.numbers import Real
from dsl.scenario import Arbitrary, Gaussian, Ieee, Laplace, Scenario, Subexponential, Uniform
from planner import plan
from planner.channel.channel import channel_of
from planner.channel.mechanisms.gaussian import GaussianLaw
from planner.channel.mechanisms.laplace import LaplaceLaw
from planner.limits.neighbour_random import NeighbourRandom, all_right, listed_point, neighbours
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


# -- queries that are listed beforehand ----------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_no_list_of_submissions_beats_orthogonal_ones(seed):
    """Sums of ±a_i in the plane, two to five of them, and their best answers by integration: the product is not exceeded.

    Orthogonal ones attain it; parallel ones, which leave sums to be told apart, stay far below.
    """
    coins = np.random.default_rng(seed)
    grid = np.linspace(-12, 12, 241)
    plane = np.stack(np.meshgrid(grid, grid), -1)
    for count in (2, 3, 5):
        vectors = coins.normal(size=(count, 2)) * coins.uniform(0.1, 1.5, (count, 1))
        if seed == 0 and count == 2:
            vectors = np.diag([0.7, 1.2])
        signs = np.array(np.meshgrid(*[[-1, 1]] * count)).reshape(count, -1).T
        heights = np.zeros(plane.shape[:2])
        for point in signs @ vectors:
            heights = np.maximum(heights, np.exp(-((plane - point) ** 2).sum(-1) / 2) / (2 * np.pi))
        right = heights.sum() * (grid[1] - grid[0]) ** 2 / 2**count
        product = np.prod([1 - float(upper(np.linalg.norm(one))) for one in vectors])
        assert right <= product * (1 + 1e-6)
        assert seed or count > 2 or right == pytest.approx(product, rel=1e-3)


@pytest.mark.parametrize(("N", "K", "share"), [(10_000, 2, 1), (3000, 3, 2 / 3), (2000, 10, 5 / 9)])
def test_listed_queries_written_out_again(N, K, share):
    channel = channel_of(a_board(N, K=K, columns=1 if K == 2 else K, noise=Gaussian(real(1)), adaptive=False))
    each = -mp.expm1(mp.log(mpf(99) / 100) / N)  # how often one label may be wrong
    expected = (2 * mp.findroot(lambda z: upper(z) - each, 4) * N / mpf(float(channel.span()))) ** 2 / share
    listed = NeighbourRandom().apply(channel)
    assert listed.queries == pytest.approx(float(expected), rel=1e-5)
    assert dict(listed.parameters)["labels"] == N
    assert listed.queries > 1.4 * NeighbourRandom().apply(replace(channel, adaptive=True)).queries


def test_errors_of_computing_scores_count_for_listed_queries():
    """In float32 scores are off by more, and less is excluded; a point above the quantile proves nothing."""
    board = a_board(1000, noise=Gaussian(real("0.05")), adaptive=False, phi=Ieee(64), clip=real("0.01"))
    exact, coarse = (channel_of(replace(board, score_phi=phi)) for phi in (Ieee(64), Ieee(32)))
    sigma = exact.law.normal_deviation()
    assert listed_point(coarse, sigma, 10**9) < listed_point(exact, sigma, 10**9)
    assert all_right(exact, sigma, 1000, Fraction(2)) < 1
    assert all_right(exact, sigma, 1000, Fraction(12, 5)) == 1
    assert all_right(coarse, sigma, 10**12, Fraction(232, 100)) == 1


def test_listed_queries_need_normal_noise_and_no_answers():
    for board in (
        a_board(),
        a_board(noise=Laplace(real(1)), adaptive=False),
        a_board(goal=Fraction(1, 2), adaptive=False),
    ):
        assert NeighbourRandom()._listed(channel_of(board), 1) is None


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
