"""Queries of designs: no more than were seen exact through real scorers, and never fewer than the proofs allow."""

from __future__ import annotations

from fractions import Fraction

import pytest
from mpmath import mp

from dsl.scenario import Gaussian
from tests.planner import oracle
from tests.planner.known import certified, limit, planned, real
from tests.planner.scenarios import CLIP

SURE = {"confidence": Fraction(1), "adaptive": False}


@pytest.mark.parametrize(
    ("N", "d", "columns", "queries"),
    [
        (25_000, 3, 2, 3564), (25_000, 4, 2, 2397), (25_000, 5, 2, 1814), (25_000, 6, 2, 1465),
        (25_000, 3, 1, 3680), (25_000, 4, 1, 2510), (25_000, 5, 1, 1878), (25_000, 6, 1, 1548),
        (25_000, None, 1, 634), (25_000, None, 2, 604),
        (10_000, 3, 2, 1263), (10_000, 4, 2, 926), (10_000, 5, 2, 690), (10_000, None, 2, 239),
        (1372, 3, 1, 154), (1372, 4, 1, 112), (1372, 5, 1, 92), (1372, 3, 2, 146), (1372, 4, 2, 108), (1372, 5, 2, 86),
        (198, 5, 1, 12),
        (1_000_000, 5, 2, 90_580), (1_000_000, 6, 2, 71_808), (1_000_000, None, 2, 26_202),
    ],
)  # fmt: skip
def test_design_queries(N, d, columns, queries):
    report = planned(N, d=d, columns=columns, **SURE)
    best = report.best.certified.queries
    assert best <= queries
    assert best >= max(limit(report, "I1").queries, limit(report, "I3").queries or 0)


def test_the_best_of_198_labels_beats_the_live_attack_of_2017():
    """Fifteen labels a query took 14 submissions; 12 suffice."""
    report = planned(198, d=5)
    assert certified(report, "block").queries == 14
    assert report.best.certified.queries == 12


@pytest.mark.parametrize(
    ("N", "K", "d", "queries"), [(569, 3, 3, 116), (1372, 4, 3, 292), (1372, 10, 4, 448), (5000, 8, 4, 1284)]
)
def test_classes_in_batches_or_better(N, K, d, queries):
    report = planned(N, K=K, d=d, columns=K, **SURE)
    assert report.best.certified.queries <= queries
    assert report.best.certified.queries >= report.lower_bound.queries


@pytest.mark.parametrize("K", [3, 4, 10])
def test_base_K_digits_a_query(K):
    """r = ceil(log_K(T/(2E(K-1)))) rows, T = -ln c - ln K, with the proved error of a float64 scorer at idle rows."""
    report = planned(1000, K=K, columns=K)
    error = 1000 * oracle.score_error(report.scenario, 1, mp.log(K))
    spread = -mp.log(oracle.number(CLIP)) - mp.log(K)
    rows = int(mp.ceil(mp.log(spread / (2 * error * (K - 1)), K)))
    assert rows - 1 <= certified(report, "digits").labels_per_query <= rows


def test_gaussian_noise_of_a_thousandth():
    """Seen: 2024 queries at N = 10^4, where the bound is 1346; a block takes one a label or is refused."""
    report = planned(10_000, columns=2, noise=Gaussian(real("0.001")), adaptive=False)
    assert limit(report, "I4").queries >= 1300
    if report.best is not None:
        assert report.best.certified.queries >= report.lower_bound.queries
