"""Squared error of free predictions through scikit-learn's own function: no rounding outweighs a row that weighs anything."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import mean_squared_error

from dsl import loads
from planner import plan
from planner.attacks.attack import InconsistentScores
from planner.attacks.line.certify import line_error
from planner.catalogue import BY_ID
from planner.certify import certify
from planner.model import Candidate
from planner.numerics.reals import lower, working
from tests.attacks.leaderboard import labelings


@cache
def found(text: str) -> Candidate:
    (scenario,) = loads("scenario board {\n" + text.replace("; ", "\n") + "\nmetric = mse\n}\n")
    return next(one for one in plan(scenario).candidates if one.attack == "free-block")


def labels_a_query(text: str) -> int:
    plan = found(text).certified
    return 0 if plan is None else plan.certificate.parameters.m


KNOWN = {
    (1000, "0"): (19, 53), (1000, "1"): (20, 50), (1000, "2"): (22, 46), (1000, "3"): (24, 42), (1000, "5"): (27, 38),
    (1000, "full"): (43, 24), (10_000, "0"): (17, 589), (10_000, "5"): (25, 400),
}  # fmt: skip


@pytest.mark.parametrize(("board", "known"), KNOWN.items())
def test_labels_a_query_were_known_beforehand(board, known):
    N, decimals = board
    text = f"N = {N}; decimals = {decimals}"
    assert (labels_a_query(text), found(text).certified.queries) == known


def shown(labels: Any, decimals: str) -> Any:
    def score(u: Any) -> float:
        exact = float(mean_squared_error(labels, u))
        return exact if decimals == "full" else round(exact, int(decimals))

    return score


@pytest.mark.parametrize("decimals", ["0", "2", "5", "full"])
def test_every_kind_of_labeling_through_scikit_learn(decimals):
    attack = found(f"N = 1000; decimals = {decimals}").build()
    for labels in labelings(1000):
        assert (attack.recover(shown(labels, decimals)) == labels).all()
    with pytest.raises(InconsistentScores):
        attack.recover(lambda u: 0.3)
    with pytest.raises(InconsistentScores):
        attack.recover(lambda u: float(mean_squared_error(np.ones(1000), u)) + 10)


@pytest.mark.parametrize(
    "text", ["N = 7; decimals = 0", "N = 6; noise = bounded(3)", "N = 6; noise = multiplicative(0.001)"]
)
def test_every_labeling_of_a_small_board_at_the_certified_edge(text):
    candidate = found(text)
    own, attack, p = candidate.channel, candidate.build(), candidate.certified.certificate.parameters
    with working(200):
        error = lower(line_error(own, p)) / own.rows * 999 / 1000
    for hidden, side in product(product((0, 1), repeat=own.rows), (1, -1, 0)):
        labels, turn = np.array(hidden), [1]

        def score(u, labels=labels, side=side, turn=turn):
            turn[0] = -turn[0]
            rows = zip(u.tolist(), labels.tolist(), strict=True)
            exact = sum(((Fraction(one) - label) ** 2 for one, label in rows), Fraction(0)) / len(labels)
            return exact + own.centre + (side or turn[0]) * error

        assert (attack.recover(score) == labels).all(), (hidden, side)


def test_one_label_more_fails():
    """Neither certified nor read: float64 has no digit left for it."""
    candidate = found("N = 1000; decimals = 2")
    own, p = candidate.channel, candidate.certified.certificate.parameters
    assert certify(own, p).holds
    more = replace(p, m=p.m + 1, queries=-(-1000 // (p.m + 1)))
    assert not certify(own, more).holds
    assert not certify(own, replace(p, gap=p.gap / 2)).holds
    assert not certify(own, replace(p, gap=p.gap + Fraction(1, 3))).holds  # no float64
    far = replace(p, m=p.m + 8, queries=-(-1000 // (p.m + 8)))
    labels = next(iter(labelings(1000)))
    try:
        wrong = int((BY_ID["free-block"].build(own, far).recover(shown(labels, "2")) != labels).sum())
    except InconsistentScores:
        wrong = 1000
    assert wrong > 0


@pytest.mark.parametrize("text", ["predictions = probability", "phi = arbitrary"])
def test_it_needs_free_predictions_in_float64(text):
    refused = found(f"N = 30; decimals = 2; {text}")
    assert refused.certified is None
    assert {one.field for one in refused.reasons} <= {"predictions", "phi"}
