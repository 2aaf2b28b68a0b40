"""Labels a query: known answers for the block attack, the paper's primes and its subset sums."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log, log2

import pytest

from dsl.scenario import Arbitrary, Gaussian, Multiplicative, Scenario
from planner import plan
from planner.model import Status, Verdict
from tests.planner.known import candidate, certified, fpa, planned, real


@pytest.mark.parametrize(("N", "d", "m"), [(1000, 5, 12), (10_000, 5, 9), (1000, 3, 6)])
def test_block_under_rounding(N, d, m):
    assert certified(planned(N, d=d), "block").labels_per_query == m
    assert m == ceil(log2(log((1 - 1e-15) / 1e-15) / (N * 10.0**-d)))  # ceil(log2(W/(2E)))


@pytest.mark.parametrize(("N", "m"), [(64, 46), (1000, 43), (10_000, 39), (25_000, 38), (100_000, 36), (1_000_000, 33)])
@pytest.mark.parametrize("columns", [1, 2])
def test_block_in_float64(N, m, columns):
    assert certified(planned(N, columns=columns), "block").labels_per_query == m


@pytest.mark.parametrize("columns", [1, 2])
def test_block_that_is_one_too_large_is_refused_by_the_certifier(columns):
    from dataclasses import replace

    from planner.attacks.block.theorem import listed
    from planner.certify import certify

    channel = planned(1000, d=5, columns=columns).channel
    assert certify(channel, listed(channel, 12)).holds
    squeezed = listed(replace(channel, shown=None), 13)  # thirteen weights that fit W, but not 2E
    assert squeezed is not None
    assert not certify(channel, squeezed).holds


# -- FPA(phi) ------------------------------------------------------------------------------------------


def test_phi_64_pigeonhole():
    report = planned(10_000, phi=fpa(64), clip=None)
    primes = candidate(report, "primes-fpa")
    assert primes.paper.labels_per_query == 3010
    assert certified(report, "primes-fpa").labels_per_query == 10
    assert certified(report, "block").labels_per_query == 23
    assert any("pigeonhole" in one.have and "3010" in one.need for one in primes.reasons)


def test_phi_64_in_one_query_is_refused_and_excluded():
    """The paper's claim for N = 3010: one query. Counting needs dozens."""
    report = planned(3010, phi=fpa(64), clip=None, queries=1)
    assert candidate(report, "primes-fpa").paper.queries == 1
    assert candidate(report, "primes-fpa").status is Status.OVER_BUDGET
    assert report.verdict is Verdict.IMPOSSIBLE


def test_phi_17_where_the_paper_promises_too_little():
    report = planned(20, phi=fpa(17), clip=None)
    assert candidate(report, "primes-fpa").paper.labels_per_query == 4
    assert certified(report, "block").labels_per_query == 7


def test_phi_25_where_the_paper_promises_too_much():
    report = planned(11, phi=fpa(25), clip=None)
    assert candidate(report, "primes-fpa").paper.labels_per_query == 11
    assert certified(report, "primes-fpa").labels_per_query <= 7  # distinct only up to there


@pytest.mark.parametrize("phi", range(5, 80))
def test_the_paper_claims_more_labels_than_bits_from_34_on(phi):
    claim = candidate(planned(10**6, phi=fpa(phi), clip=None), "primes-fpa").paper
    assert (claim.labels_per_query > phi - 1) == (phi >= 34)


@pytest.mark.parametrize(("phi", "N"), [(17, 20), (25, 11), (33, 100), (64, 10_000), (64, 1000)])
def test_block_in_fixed_point_follows_the_formula(phi, N):
    h = 2.0 ** -((phi - 1) // 2)
    m = ceil(log2(log(1 / h - 1) / (N * h)))
    assert certified(planned(N, phi=fpa(phi), clip=None), "block").labels_per_query == min(m, N)


# -- Algorithm 3 ---------------------------------------------------------------------------------------


def test_algorithm_3_at_128_labels():
    report = planned(128, tau="1/128", clip=None)
    assert certified(report, "subset-sums-fpa").labels_per_query == 5
    printed = min(ceil(log2(128)), floor(log2((64 - 8) / (128 / 128 * log(2)))))
    assert candidate(report, "subset-sums-fpa").paper.labels_per_query == printed == 6


@pytest.mark.parametrize(("d", "queries"), [(3, 25_000), (4, 6250), (5, 3572), (6, 2273)])
def test_algorithm_3_under_the_clip(d, queries):
    assert certified(planned(25_000, d=d), "subset-sums-fpa").queries == queries


# -- Algorithm 2 ---------------------------------------------------------------------------------------


def test_algorithm_2_takes_one_query_and_exponential_time():
    report = planned(40, tau="0.1", clip=None, phi=Arbitrary(), time="exponential")
    plan = certified(report, "subset-sums-apa")
    assert plan.queries == 1
    assert plan.prediction_bits > 2**39
    refused = candidate(planned(40, tau="0.1", clip=None, phi=Arbitrary()), "subset-sums-apa")
    assert refused.status is Status.REFUSED
    assert [one.field for one in refused.reasons] == ["time"]


# -- multiplicative noise ------------------------------------------------------------------------------


def multiplicative(alpha: object, N: int = 1000, **fields):
    return plan(Scenario(name="known", N=N, noise=Multiplicative(real(alpha)), **fields))


@pytest.mark.parametrize("alpha", ["0.001", "0.03", "0.124", "0.2", "0.25", "0.5"])
def test_labels_under_a_factor_without_a_clip(alpha):
    """g (1 - alpha (2^(m+1) - 3)) > 2 alpha B has a solution g iff alpha (2^(m+1) - 3) < 1."""
    most = max(m for m in range(1, 20) if float(alpha) * (2 ** (m + 1) - 3) < 1)
    assert certified(multiplicative(alpha, phi=Arbitrary()), "block").labels_per_query == most


@pytest.mark.parametrize("alpha", ["0.01", "0.25", "0.5", "0.9", "0.99"])
def test_one_label_survives_every_factor_without_a_clip(alpha):
    report = multiplicative(alpha, phi=Arbitrary())
    assert certified(report, "one-label").labels_per_query == 1
    assert report.verdict is Verdict.FEASIBLE


@pytest.mark.parametrize("N", [2, 50, 51, 60, 400, 10_000])
@pytest.mark.parametrize("alpha", ["0.01", "0.25", "0.33"])
def test_clip_condition_of_one_label(N, alpha):
    """With a clip, one label a query needs W (1 - alpha) > 2 alpha (N-1) ln 2, up to what the active row charges."""
    W, a = log((1 - 1e-15) / 1e-15), float(alpha)
    holds = W * (1 - a) > 2 * a * (N - 1) * log(2)
    report = multiplicative(alpha, N, phi=Arbitrary(), clip=planned(1).scenario.clip)
    assert (candidate(report, "one-label").certified is not None) == holds


# -- random noise --------------------------------------------------------------------------------------


def test_random_noise_pays_the_union_bound_over_its_queries():
    from mpmath import erfinv, mp, mpf, sqrt

    report = plan(Scenario(name="known", N=2000, noise=Gaussian(real("0.0001")), clip=planned(1).scenario.clip))
    parameters = certified(report, "block").certificate.parameters
    with mp.workdps(40):
        tau = mpf("0.0001") * sqrt(2) * erfinv(1 - mpf(1) / 100 / parameters.queries)
        W = mp.log((1 - mpf(10) ** -15) / mpf(10) ** -15)
        m = int(mp.ceil(mp.log(W / (2 * 2000 * tau), 2)))
    assert parameters.m == m
    assert parameters.queries == -(-2000 // m)
    assert Fraction(parameters.queries) > 1
