"""Accuracy of three classes through scikit-learn: known numbers of queries, every labeling of small boards, the edge."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score

from backends.simulate import simulate
from dsl import ThreatError, loads, source
from planner import plan
from planner.attacks.attack import InconsistentScores
from planner.catalogue import BY_ID, CATALOGUE
from planner.certify import certify
from planner.channel.channel import Channel, channel_of
from planner.considering import consider
from planner.designs.base import DesignError
from planner.designs.ternary import Ternary
from planner.limits import limits_of
from planner.model import Candidate
from threatplan.verify import check


def channel(text: str) -> Channel:
    (scenario,) = loads("scenario board {\n" + text.replace("; ", "\n") + "\nmetric = accuracy\nK = 3\n}\n")
    return channel_of(scenario)


@cache
def found(text: str) -> Candidate:
    return consider(BY_ID["ternary"], channel(text))


@pytest.mark.parametrize(("N", "decimals", "queries"), [(300, 3, 149), (1000, 4, 407), (10, 1, 10), (1, 0, 2)])
def test_queries_were_known_beforehand(N, decimals, queries):
    assert found(f"N = {N}; decimals = {decimals}").certified.queries == queries


@pytest.mark.parametrize("M", [2, 3, 4, 6, 8])
def test_every_labeling_of_a_small_design(M, thorough):
    design = Ternary(M)
    n = design.capacity()
    rows = np.array([design.row(t, n) for t in range(M)])
    for hidden in product((0, 1, 2), repeat=min(n, 8 if thorough else 4)):
        labels = np.array([*(place % 3 for place in range(n - len(hidden))), *hidden])
        counts = (rows == labels).sum(axis=1)
        assert (design.scores(labels) == counts).all()
        assert (design.decode(counts + 5, n) == labels).all()  # rows outside add the same to each
    assert Ternary(M + 1).capacity() > n
    with pytest.raises(DesignError):
        design.decode(np.arange(M) * 10**6, n)


@pytest.mark.parametrize(("N", "decimals"), [(100, 2), (300, 3)])
def test_through_scikit_learn(N, decimals):
    attack, coins = found(f"N = {N}; decimals = {decimals}").build(), np.random.default_rng(N)
    skewed = np.where(coins.random(N) < 0.05, coins.integers(1, 3, N), 0)
    for labels in (coins.integers(0, 3, N), skewed, np.full(N, 2)):
        assert (attack.recover(lambda u, y=labels: round(float(accuracy_score(y, u)), decimals)) == labels).all()
    for strange in (2.0, -1.0, 0.12345, float("nan")):
        with pytest.raises(InconsistentScores):
            attack.recover(lambda u, strange=strange: strange)


def test_more_rows_than_decimals_tell():
    """100 rows are read off two decimals, 101 are not: refused, and wrong where it is tried."""
    assert found("N = 100; decimals = 2").certified is not None
    assert found("N = 101; decimals = 2").certified is None
    p = found("N = 400; decimals = 3").certified.certificate.parameters
    own = channel("N = 400; decimals = 1")
    assert not certify(own, p).holds
    labels = np.random.default_rng(0).integers(0, 3, 400)

    def score(u: Any) -> float:
        return round(float((u == labels).mean()), 1)

    try:
        wrong = int((BY_ID["ternary"].build(own, p).recover(score) != labels).sum())
    except InconsistentScores:
        wrong = 400
    assert wrong


def test_a_part_of_the_labels():
    candidate = found("N = 60; decimals = 3; goal = 50%")
    labels = np.arange(60) % 3
    told = candidate.build().recover(lambda u: round(float((u == labels).mean()), 3))
    assert (told[:30] == labels[:30]).all()
    assert (told[30:] == -1).all()
    assert candidate.certified.queries < found("N = 60; decimals = 3").certified.queries


def test_what_is_promised():
    own = channel("N = 30; decimals = 3")
    p = found("N = 30; decimals = 3").certified.certificate.parameters
    assert certify(own, p).holds
    assert not certify(own, replace(p, design=Ternary(p.design.M - 1), queries=p.queries - 1)).holds
    assert not certify(replace(own, classes=4), p).holds
    assert not certify(replace(own, classes=2), p).holds
    others = [one for one in CATALOGUE if one.id != "ternary"]
    assert not any(consider(one, own).certified for one in others)  # made for two classes, or for rows that weigh


def test_the_language_and_the_limits_of_more_classes():
    (one,) = loads("scenario a { N = 12; K = 3; metric = accuracy; decimals = 2 }")
    assert (one.columns, one.predictions) == (1, "class")
    assert loads(source(one)) == [one]
    with pytest.raises(ThreatError):
        loads("scenario a { N = 12; K = 3; metric = several(accuracy, f1) }")
    report = plan(one)
    assert report.best.attack == "ternary"
    assert check(json.loads(json.dumps(report.to_json()))).faults == ()
    assert simulate(report, trials=2).exact_trials == simulate(report, scorer="sklearn").exact_trials + 1 == 2
    text = "N = 2000; decimals = 1; adaptive = no; queries <= 300; confidence = 1 - 1e-9"
    three = {one.id: one for one in limits_of(channel(text))}
    assert three["I9"].queries is None
    assert three["I1"].queries == 885  # log2 of 3^2000 over that of 12 answers, rounded up
    assert three["I3"].queries > three["I1"].queries
    entry = json.loads(json.dumps(plan(channel(text).scenario).to_json()))
    assert check(entry).faults == ()


def test_labelings_of_a_small_board_carry_no_more_than_is_said():
    """The entropy of all scores of random submissions, over all labelings of three classes."""
    from math import log2

    from planner.limits.entropy import later_bits, score_bits
    from planner.numerics.reals import working

    N, coins = 6, np.random.default_rng(4)
    own = channel(f"N = {N}; decimals = 4; adaptive = no")
    labels, step = np.array(list(product((0, 1, 2), repeat=N))), Fraction(1, N)
    with working(80):
        first, later = float(score_bits(own, step)), float(later_bits(own, step))
    assert later == first  # what is known of two classes after the first score is not of three
    for M in (1, 2, 3):
        for _ in range(10):
            shown = [(labels == one).sum(axis=1) for one in coins.integers(0, 3, (M, N))]
            _, counts = np.unique(np.stack(shown, axis=1), axis=0, return_counts=True)
            bits = -sum(c / 3**N * log2(c / 3**N) for c in counts.tolist())
            assert bits <= first + (M - 1) * later


def test_rows_that_were_left_out_count_the_same_in_every_query():
    """A score that was changed by a whole row may still be read as a labeling, which then does not explain it."""
    candidate = found("N = 60; decimals = 3; goal = 50%")
    attack, labels = candidate.build(), np.arange(60) % 3
    counts = np.array([int((query == labels).sum()) for query in attack.queries()])
    assert (attack.decode([Fraction(int(one), 60) for one in counts])[:30] == labels[:30]).all()
    for query in range(len(counts)):
        for change in (-1, 1):
            other = counts + change * (np.arange(len(counts)) == query)
            with pytest.raises(InconsistentScores):
                attack.decode([Fraction(int(one), 60) for one in other])
    for all_alike in (-50, 50):  # more right rows than there are, or fewer than none
        with pytest.raises(InconsistentScores):
            attack.decode([Fraction(int(one), 60) for one in counts + all_alike])


def test_a_score_between_two_counts_is_refused():
    candidate = found("N = 60; decimals = 3")
    attack, labels = candidate.build(), np.arange(60) % 3
    scores = [Fraction(int((query == labels).sum()), 60) for query in attack.queries()]
    assert (attack.decode(scores) == labels).all()
    with pytest.raises(InconsistentScores):
        attack.decode([scores[0] + Fraction(1, 150), *scores[1:]])
