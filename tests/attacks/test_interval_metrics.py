"""Squared and absolute error of classes through scikit-learn's own functions: what a Brier score allows, they allow."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from flint import arb
from sklearn.metrics import mean_absolute_error, mean_squared_error

from dsl import loads
from planner import plan
from planner.attacks.attack import InconsistentScores
from planner.channel.channel import channel_of
from planner.channel.metrics.mae import MAE
from planner.channel.metrics.mse import MSE
from planner.model import Candidate
from planner.numerics.reals import lower, upper, working
from planner.report import Report
from tests.attacks.leaderboard import labelings
from threatplan.verify import check

SCIKIT = {"mse": mean_squared_error, "mae": mean_absolute_error}
METRICS = {"mse": MSE, "mae": MAE}


@cache
def report(text: str) -> Report:
    (scenario,) = loads("scenario board {\n" + text.replace("; ", "\n") + "\n}\n")
    return plan(scenario)


def attacks(text: str) -> dict[str, Candidate]:
    return {one.attack: one for one in report(text).candidates if one.certified is not None}


KNOWN = [(306, 3, 56), (306, 4, 36), (306, 5, 26), (306, None, 8), (1000, 4, 128), (1000, 5, 91)]


@pytest.mark.parametrize("metric", SCIKIT)
@pytest.mark.parametrize("predictions", ["real", "probability"])
@pytest.mark.parametrize(("N", "decimals", "most"), KNOWN)
def test_known_numbers_of_queries(metric, predictions, N, decimals, most):
    shown = "full" if decimals is None else decimals
    found = report(
        f"N = {N}; metric = {metric}; predictions = {predictions}; scorer = sklearn; decimals = {shown}"
    ).best
    if (metric, predictions) == ("mse", "real"):  # any number is taken: a block of them needs no design
        assert found.attack == "free-block"
        assert found.certified.queries < most
    else:
        assert found.certified.queries == most


@pytest.mark.parametrize("metric", ["brier", "mse", "mae"])
def test_ten_thousand_labels(metric, thorough):
    """1062 queries at five decimals of predictions within [0, 1]."""
    if metric != "brier" and not thorough:
        return
    found = report(f"N = 10_000; metric = {metric}; predictions = probability; scorer = sklearn; decimals = 5").best
    assert found.certified.queries == 1062
    for labels in list(labelings(10_000)) if thorough else []:
        errors = np.abs if metric == "mae" else np.square

        def score(u: Any, labels: Any = labels, errors: Any = errors) -> float:
            return round(float(np.average(errors(labels - u))), 5)

        assert (found.build().recover(score) == labels).all()


@pytest.mark.parametrize("metric", SCIKIT)
@pytest.mark.parametrize("decimals", [3, None])
def test_every_kind_of_labeling_through_scikit_learn(metric, decimals):
    found = report(f"N = 306; metric = {metric}; scorer = sklearn; decimals = {'full' if decimals is None else 3}").best
    attack = found.build()
    for labels in labelings(306):

        def score(u: Any, labels: Any = labels) -> float:
            exact = float(SCIKIT[metric](labels, u))
            return exact if decimals is None else round(exact, decimals)

        assert (attack.recover(score) == labels).all()
    with pytest.raises(InconsistentScores):
        attack.recover(lambda u: 0.123)


def test_comparisons_of_squares_and_not_of_absolute_errors():
    """Under mae rows whose labels are not known shift a sum by nothing: what some of them pay the others save."""
    assert "threshold" in attacks("N = 60; metric = mse; decimals = 1")
    refused = attacks("N = 60; metric = mae; decimals = 1")
    assert not {"threshold", "dither", "threshold-splitting"} & set(refused)


@pytest.mark.parametrize("metric", SCIKIT)
def test_limits_need_predictions_within_0_and_1(metric):
    text = f"N = 40; metric = {metric}; noise = bounded(1)"
    assert report(f"{text}; predictions = probability").verdict.value == "impossible"
    beyond = "feasible" if metric == "mse" else "unknown"  # numbers beyond 1 outweigh any noise
    assert report(f"{text}; predictions = real").verdict.value == beyond
    assert report(text).verdict.value == beyond  # any number is taken, unless it is said


@pytest.mark.parametrize("metric", SCIKIT)
@pytest.mark.parametrize("text", ["N = 6; decimals = 2", "N = 6; phi = arbitrary; noise = bounded(1/50)"])
def test_every_labeling_of_a_small_board_at_the_certified_edge(metric, text):
    tried = 0
    for name, candidate in attacks(f"{text}; metric = {metric}").items():
        if name not in ("one-label", "block", "design", "conway-guy"):
            continue
        own, attack = candidate.channel, candidate.build()
        errors = own.errors(candidate.certified.queries)
        for hidden, side in product(product((0, 1), repeat=own.rows), (1, -1, 0)):
            labels, turn = np.array(hidden), [1]

            def score(u, labels=labels, side=side, turn=turn, own=own, errors=errors):
                loss = exactly(metric, labels, u)
                turn[0] = -turn[0]
                with working(200):
                    error = lower(errors.score_error(arb(loss.numerator) / loss.denominator))
                return loss + (side or turn[0]) * error * 999 / 1000

            assert (attack.recover(score) == labels).all(), (name, hidden, side)
        tried += 1
    assert tried >= 2


def exactly(metric: str, labels: Any, u: Any) -> Fraction:
    """The score as a rational number."""
    power = 2 if metric == "mse" else 1
    pairs = zip(np.asarray(u).tolist(), labels.tolist(), strict=True)
    numbers = ((_rational(p), label) for p, label in pairs)
    return sum((abs(p - label) ** power for p, label in numbers), Fraction(0)) / len(labels)


def _rational(p: Any) -> Fraction:
    return Fraction(int(p.numerator), int(p.denominator)) if hasattr(p, "denominator") else Fraction(p)


@pytest.mark.parametrize("metric", SCIKIT)
def test_scikit_learn_computes_within_the_error_that_is_granted(metric):
    coins, worst = np.random.default_rng(11), 0.0
    for _ in range(150):
        N = int(coins.integers(1, 300))
        u, labels = coins.random(N), coins.integers(0, 2, N)
        loss, score = exactly(metric, labels, u), Fraction(float(SCIKIT[metric](labels, u)))
        (scenario,) = loads(f"scenario board {{ N = {N}; metric = {metric}; scorer = sklearn }}")
        with working(160):
            granted = upper(channel_of(scenario).errors(1).score_error(arb(loss.numerator) / loss.denominator))
        worst = max(worst, float(abs(score - loss) / granted))
    assert 1e-3 < worst < 1


@pytest.mark.parametrize("metric", SCIKIT)
def test_what_labels_pay_and_save(metric):
    one = METRICS[metric]
    for w in (0.0, 0.25, 0.5, 1.0):
        level = one.level(w, 1, (False, True))
        assert level.zero == pytest.approx(one.payment(w, 1, 1))
        assert level.one == pytest.approx(one.saving(w))
        assert level.zero - level.one == pytest.approx(w)
        p = Fraction(1, 2) - Fraction(w) / 2
        assert one.heavy(p).overlaps(one.light(p) + one.weight(p))
        assert float(one.heavy(p)) == pytest.approx(one.payment(w, 1, 1))


@pytest.mark.parametrize(("N", "queries"), [(600, 10), (1000, 74), (2000, 10_904)])
def test_absolute_errors_have_a_flat_cell_within_the_interval_alone(N, queries):
    """Hoeffding's inequality by hand; all rows at 0, the submission that moves most, leaves the cell no more often."""

    def flat(text: str) -> tuple[int | None, int]:
        (one,) = loads(f"scenario x {{ N = {N}; metric = mae; decimals = 1; {text} }}")
        found = plan(one)
        faults = check(json.loads(json.dumps(found.to_json()))).faults
        return {limit.id: limit.queries for limit in found.limits}["I9"], len(faults)

    assert flat("predictions = probability") == (queries, 0)
    assert flat("predictions = real") == (None, 0)
    assert flat("predictions = probability; noise = gaussian(0.001)") == (None, 0)
    assert flat("predictions = probability; positives = 50") == (None, 0)
    assert math.ceil(0.99 / (2 * math.exp(-N / 200))) == queries
    outside = sum(math.comb(N, k) for k in range(N + 1) if abs(2 * k - N) * 10 >= N) / 2**N
    assert outside <= 2 * math.exp(-N / 200)
