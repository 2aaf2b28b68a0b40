"""Rounded accuracy past N > 10^d: every labeling, however ties are rounded, and the number of queries."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import product
from math import ceil, floor, log2
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score

from dsl import loads
from planner import plan
from planner.attacks.attack import InconsistentScores
from planner.attacks.pivot.parameters import Pivot
from planner.catalogue import BY_ID
from planner.certify import certify
from planner.channel.channel import Channel, channel_of
from planner.considering import consider
from planner.model import Candidate
from threatplan.verify import check

ROUNDINGS = {
    "round": lambda score, d: round(score, d),
    "numpy": lambda score, d: float(np.round(score, d)),
    "format": lambda score, d: float(f"{score:.{d}f}"),
    "percent": lambda score, d: round(100 * score, d - 2) / 100,
    "truncated": lambda score, d: floor(score * 10**d) / 10**d,
}


def channel(text: str) -> Channel:
    (scenario,) = loads("scenario board {\n" + text.replace("; ", "\n") + "\nmetric = accuracy\n}\n")
    return channel_of(scenario)


@cache
def found(text: str) -> Candidate:
    return consider(BY_ID["pivot"], channel(text))


def board(labels: Any, rounding: str, d: int, asked: list[int]) -> Any:
    def score(u: Any) -> float:
        asked[0] += 1
        return float(ROUNDINGS[rounding](int((u == labels).sum()) / len(labels), d))

    return score


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("N", [1, 2, 7, 8, 10])
def test_every_labeling_of_a_small_board(N, rounding, thorough):
    if N == 10 and not (thorough or rounding == "format"):
        pytest.skip("a sample of small boards")
    d = 2 if rounding == "percent" else 1
    shown = {"truncated": f"truncated({d})", "percent": "percent(0)"}.get(rounding, f"{d}")
    candidate = found(f"N = {N}; abstain = yes; decimals = {shown}")
    attack, most = candidate.build(), N + 1 + ceil(log2(N))
    assert candidate.certified.queries == most
    for hidden in product((0, 1), repeat=N):
        labels, asked = np.array(hidden), [0]
        assert (attack.recover(board(labels, rounding, d, asked)) == labels).all(), hidden
        assert asked[0] <= most


@pytest.mark.parametrize("rounding", ["round", "numpy", "format"])
def test_a_thousand_labels_in_1011_queries(rounding):
    candidate = found("N = 1000; abstain = yes; decimals = 1")
    assert candidate.certified.queries == 1011
    coins = np.random.default_rng(0)
    for labels in (coins.integers(0, 2, 1000), np.zeros(1000, int), (coins.random(1000) < 0.02).astype(int)):
        asked = [0]
        assert (candidate.build().recover(board(labels, rounding, 1, asked)) == labels).all()
        assert asked[0] <= 1011


def test_through_scikit_learn():
    candidate = found("N = 60; abstain = yes; decimals = 1")
    labels = np.random.default_rng(1).integers(0, 2, 60)
    assert (candidate.build().recover(lambda u: round(float(accuracy_score(labels, u)), 1)) == labels).all()


def test_a_part_of_the_labels():
    candidate = found("N = 60; abstain = yes; decimals = 1; goal = 50%")
    labels, asked = np.random.default_rng(1).integers(0, 2, 60), [0]
    told = candidate.build().recover(board(labels, "round", 1, asked))
    assert (told[:30] == labels[:30]).all()
    assert (told[30:] == -1).all()
    assert asked[0] <= candidate.certified.queries == 30 + 1 + 6


def test_without_a_decimal_it_fails():
    """Half of the rows may be shown as none: refused, and wrong where it is tried."""
    refused = channel("N = 6; abstain = yes; decimals = 0")
    assert not certify(refused, Pivot(10, 6)).holds
    attack = BY_ID["pivot"].build(refused, Pivot(10, 6))
    wrong = 0
    for hidden in product((0, 1), repeat=6):
        labels = np.array(hidden)
        try:
            wrong += not (attack.recover(board(labels, "round", 0, [0])) == labels).all()
        except InconsistentScores:
            wrong += 1
    assert wrong > 0


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("abstain = no; decimals = 1", "abstain"),
        ("abstain = yes; decimals = 1; noise = bounded(1e-6)", "noise"),
        ("abstain = yes", "decimals"),
        ("abstain = yes; decimals = significant(2)", "decimals"),
        ("abstain = yes; decimals = 1; adaptive = no", "adaptive"),
    ],
)
def test_what_it_needs(text, field):
    own = channel(f"N = 60; {text}")
    assert field in {one.field for one in consider(BY_ID["pivot"], own).reasons}
    assert not certify(own, Pivot(67, 60)).holds
    assert certify(channel("N = 60; abstain = yes; decimals = 1"), Pivot(67, 60)).holds
    assert not certify(channel("N = 60; abstain = yes; decimals = 1"), Pivot(66, 60)).holds


def test_scores_of_another_board_are_refused():
    attack, coins = found("N = 30; abstain = yes; decimals = 1").build(), np.random.default_rng(0)
    for score in (
        lambda u: float(coins.random()),
        lambda u: float("nan"),
        lambda u: 1.0,
        lambda u: 0.0,
        lambda u: -0.3,
    ):
        with pytest.raises(InconsistentScores):
            attack.recover(score)


def test_reports_are_verified_and_their_records_too():
    (scenario,) = loads("scenario a { N = 3000; metric = accuracy; abstain = yes; decimals = 2; queries <= 3100 }")
    report = plan(scenario)
    assert (report.best.attack, report.best.certified.queries) == ("pivot", 3013)
    assert not any(one.excludes(3013) for one in report.limits)
    true = json.loads(json.dumps(report.to_json()))
    assert check(true).faults == ()
    certified = next(one for one in true["candidates"] if one["attack"] == "pivot")["certified"]
    certified["parameters"]["queries"] = 3012
    assert check(true).faults
    assert not certify(replace(report.channel, abstain=False), report.best.certified.certificate.parameters).holds
