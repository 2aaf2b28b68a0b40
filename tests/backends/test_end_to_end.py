"""Plans made by the planner, run through scorers that know nothing of it."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from backends.models import MODELS
from backends.resources import Limits, ResourceRefusal
from backends.simulate import NothingToRun, simulate
from dsl.numbers import Real
from dsl.scenario import Arbitrary, Bounded, Decimals, FixedPoint, Gaussian, Ieee, Scenario, Scorer, Time
from planner import plan
from planner.attacks.attack import InconsistentScores

CLIP = Real.of(Fraction(1, 10**15))


def scenario(**named) -> Scenario:
    return Scenario(**({"name": "test", "N": 1372, "clip": CLIP} | named))


@pytest.mark.library("sklearn")
def test_sklearn_25_000_labels_at_38_a_query():
    report = plan(scenario(N=25_000, columns=2))
    run = simulate(report, attack="block", scorer="sklearn", labels="counts(12500, 12500)")
    assert (run.exact_trials, run.wrong_labels) == (1, 0)
    assert run.queries == math.ceil(25_000 / 38)


@pytest.mark.library("sklearn")
@pytest.mark.parametrize(("K", "decimals"), [(2, 5), (4, 3), (10, 4)])
def test_sklearn_with_digits(K, decimals):
    report = plan(scenario(K=K, columns=1 if K == 2 else K, shown=Decimals(decimals)))
    run = simulate(report, scorer="sklearn", labels="balanced")
    assert (run.exact_trials, run.wrong_labels) == (1, 0)


@pytest.mark.parametrize("N", [1, 2, 300, 10_000])
def test_theorem_1_in_exact_arithmetic(N):
    report = plan(Scenario(name="apa", N=N, phi=Arbitrary()))
    run = simulate(report, attack="primes-apa", seed=N)
    assert (run.exact_trials, run.queries, run.backend) == (1, 1, "exact")


def test_theorem_1_fails_loudly_in_floating_point():
    """Sixty primes do not fit a float64; a decoder that returned labels all the same would be lying."""
    report = plan(Scenario(name="apa", N=60, phi=Arbitrary()))
    run = simulate(report, attack="primes-apa", backend="ieee")
    assert run.exact_trials == 0
    assert run.failures


def test_fpa_64_at_10_000_labels():
    run = simulate(plan(Scenario(name="fpa", N=10_000, phi=FixedPoint(32, 31))), attack="block")
    assert (run.exact_trials, run.backend) == (1, "fixed")


def test_algorithm_2_at_40_labels_is_refused_before_it_starts():
    noisy = Scenario(
        name="alg2", N=40, phi=Arbitrary(), noise=Bounded(Real.of(Fraction(1, 100))), time=Time.EXPONENTIAL
    )
    with pytest.raises(ResourceRefusal, match="TiB") as refusal:
        simulate(plan(noisy), attack="subset-sums-apa")
    assert refusal.value.estimate.bytes > 2**40
    with pytest.raises(ResourceRefusal, match=r"0\.001 seconds"):
        simulate(plan(scenario()), limits=Limits(seconds=0.001))


@pytest.mark.parametrize("name", ["torch_bce", "keras", "xgboost", "lightgbm", "kaggle"])
@pytest.mark.parametrize("N", [7, 150])
def test_presets_through_their_models(name, N):
    assert name in MODELS
    fields = {
        "torch_bce": {"phi": Ieee(32), "clip": Real.of(Fraction(math.exp(-100)))},
        "keras": {"phi": Ieee(32), "clip": Real.of(Fraction(1, 10**7)), "shown": Decimals(4)},
        "xgboost": {"phi": Ieee(32), "clip": Real.of(Fraction(1, 10**16)), "shown": Decimals(5)},
        "lightgbm": {"clip": CLIP},
        "kaggle": {"clip": CLIP, "shown": Decimals(5)},
    }[name]
    report = plan(Scenario(name="preset", N=N, scorer=Scorer(name), **fields))
    run = simulate(report, trials=3)
    assert (run.exact_trials, run.scorer) == (3, name)


def test_a_scorer_that_the_project_did_not_write():
    """Weights, a mean by hand in another order, and a text format: nothing that the models here share."""

    def leaderboard(labels, u):
        total = 0.0
        for label, p in sorted(zip(labels.tolist(), u.tolist(), strict=True), key=lambda pair: pair[1]):
            p = min(max(p, 1e-15), 1 - 1e-15)
            total -= math.log(p) if label else math.log1p(-p)
        return float(f"{total / len(labels):.5f}")

    report = plan(scenario(N=400, shown=Decimals(5)))
    run = simulate(report, scorer=leaderboard, trials=2)
    assert run.exact_trials == 2
    assert "leaderboard" in run.scorer


def test_a_scorer_noisier_than_promised_is_noticed():
    def noisy(labels, u):
        exact = float(-np.log(np.where(labels == 1, u, 1 - u)).mean())
        return exact + 0.4 * 10**-3 * (-1) ** (u > 0.5).sum() + 0.00317

    run = simulate(plan(scenario(N=400, shown=Decimals(5))), scorer=noisy)
    assert run.exact_trials == 0
    with pytest.raises(InconsistentScores):
        plan(scenario(N=40)).best.build().decode([math.nan] * 1000)


def test_a_candidate_runs_without_its_report():
    report = plan(scenario(N=100, shown=Decimals(4)))
    run = simulate(report.best, seed=4)
    again = simulate(report, seed=4)
    assert run.exact_trials == again.exact_trials == 1
    assert run.queries == again.queries


def test_same_seed_same_record():
    report = plan(scenario(N=100, shown=Decimals(4)))

    def record(seed):
        data = simulate(report, seed=seed, trials=3).to_json()
        return json.dumps(data | {"seconds": None})

    assert record(5) == record(5)


def test_what_fits_in_the_budget_is_run_and_a_named_attack_may_go_past_it():
    tight = plan(scenario(N=100, shown=Decimals(4), queries=1))
    run = simulate(tight)
    assert run.exact_trials == 1
    assert run.total_labels == tight.exposure.labels < 100
    assert simulate(tight, attack="block").whole


def test_nothing_to_run():
    report = plan(scenario(N=100, shown=Decimals(4)))
    with pytest.raises(NothingToRun, match=r"no certified attack primes-apa; certified here: .*block"):
        simulate(report, attack="primes-apa")
    noisy = plan(scenario(N=100, noise=Gaussian(Real.of(Fraction(1, 10))), queries=1))
    with pytest.raises(
        NothingToRun,
        match=r"no certified attack keeps to the budget, for all labels or for some; certified here: .*hadamard",
    ):
        simulate(noisy)
    refused = next(one for one in report.candidates if one.certified is None)
    with pytest.raises(NothingToRun, match="not certified"):
        simulate(refused)
