"""Accuracy of three classes and more through scikit-learn: known numbers, every labeling of small boards, the edge."""

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
from planner.designs.balanced import Balanced, _digits
from planner.designs.base import DesignError
from planner.limits import limits_of
from planner.model import Candidate
from threatplan.verify import check


def channel(text: str, K: int = 3) -> Channel:
    (scenario,) = loads("scenario board {\n" + text.replace("; ", "\n") + f"\nmetric = accuracy\nK = {K}\n}}\n")
    return channel_of(scenario)


@cache
def found(text: str, K: int = 3) -> Candidate:
    return consider(BY_ID["class-counting"], channel(text, K))


@pytest.mark.parametrize(("N", "decimals", "queries"), [(300, 3, 149), (1000, 4, 407), (10, 1, 10), (1, 0, 2)])
def test_queries_were_known_beforehand(N, decimals, queries):
    assert found(f"N = {N}; decimals = {decimals}").certified.queries == queries


@pytest.mark.parametrize(
    ("K", "N", "queries"),
    [(4, 300, 250), (4, 1000, 693), (5, 1000, 693), (7, 1000, 1012), (10, 306, 624), (10, 1000, 1502)],
)
def test_queries_of_more_classes(K, N, queries):
    assert found(f"N = {N}; decimals = 4", K).certified.queries == queries


@pytest.mark.parametrize(("K", "M"), [(4, 8), (4, 16), (4, 32), (5, 16), (5, 32), (6, 16), (7, 64), (10, 32), (11, 64)])
def test_labelings_of_designs_of_more_classes(K, M):
    """The largest component holds two labels or one: all of theirs, the others at random; capacity counts what rows hold."""
    design, coins = Balanced(M, K), np.random.default_rng(K * M)
    n = design.capacity()
    rows = np.array([design.row(t, n) for t in range(M)])
    assert rows.min() >= 0
    assert rows.max() < K
    last = 2 if K**2 <= 100 and n > 1 else 1
    for hidden in product(range(K), repeat=min(n, last)):
        labels = np.array([*coins.integers(0, K, n - len(hidden)), *hidden], dtype=np.int64)
        counts = (rows == labels).sum(axis=1)
        assert (design.scores(labels) == counts).all()
        assert (design.decode(counts + 3, n) == labels).all()
    for kind in range(K):
        same = np.full(n, kind)
        assert (design.decode((rows == same).sum(axis=1), n) == same).all()


def test_a_level_that_no_class_has_is_refused():
    """Of an even number of classes none is at level 0: counts that say so fit no labeling."""
    design = Balanced(8, 4)
    assert design.capacity() == 1
    with pytest.raises(DesignError):
        design.decode(np.zeros(8, dtype=np.int64), 1)
    with pytest.raises(DesignError, match="a count that no labeling has"):
        _digits(0, 1, 4)
    assert _digits(0, 1, 5) == [2]


@pytest.mark.parametrize("K", [4, 5, 10])
def test_more_classes_through_scikit_learn(K):
    N, decimals = 100, 2
    attack, coins = found(f"N = {N}; decimals = {decimals}", K).build(), np.random.default_rng(K)
    for labels in (coins.integers(0, K, N), np.full(N, K - 1), np.zeros(N, dtype=int), np.arange(N) % K):
        assert (attack.recover(lambda u, y=labels: round(float(accuracy_score(y, u)), decimals)) == labels).all()
    report = plan(channel(f"N = {N}; decimals = {decimals}", K).scenario)
    assert report.best.attack == "class-counting"
    assert check(json.loads(json.dumps(report.to_json()))).faults == ()


def test_a_design_is_for_its_own_number_of_classes():
    own, p = channel("N = 30; decimals = 3", 5), found("N = 30; decimals = 3", 5).certified.certificate.parameters
    assert certify(own, p).holds
    for K in (3, 4, 6):
        assert not certify(replace(own, classes=K), p).holds
        assert not certify(own, replace(p, design=Balanced(p.design.M, K))).holds
    assert not certify(own, replace(p, design=Balanced(p.design.M - 1, 5), queries=p.queries - 1)).holds
    assert found("N = 30; decimals = 3", 2000).certified is None
    assert found("N = 30; decimals = 3", 2).certified is None


@pytest.mark.parametrize("M", [2, 3, 4, 6, 8])
def test_every_labeling_of_a_small_design(M, thorough):
    design = Balanced(M)
    n = design.capacity()
    rows = np.array([design.row(t, n) for t in range(M)])
    for hidden in product((0, 1, 2), repeat=min(n, 8 if thorough else 4)):
        labels = np.array([*(place % 3 for place in range(n - len(hidden))), *hidden])
        counts = (rows == labels).sum(axis=1)
        assert (design.scores(labels) == counts).all()
        assert (design.decode(counts + 5, n) == labels).all()  # rows outside add the same to each
    assert Balanced(M + 1).capacity() > n
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
        wrong = int((BY_ID["class-counting"].build(own, p).recover(score) != labels).sum())
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
    assert not certify(own, replace(p, design=Balanced(p.design.M - 1), queries=p.queries - 1)).holds
    assert not certify(replace(own, classes=4), p).holds
    assert not certify(replace(own, classes=2), p).holds
    others = [one for one in CATALOGUE if one.id != "class-counting"]
    assert not any(consider(one, own).certified for one in others)  # made for two classes, or for rows that weigh


def test_the_language_and_the_limits_of_more_classes():
    (one,) = loads("scenario a { N = 12; K = 3; metric = accuracy; decimals = 2 }")
    assert (one.columns, one.predictions) == (1, "class")
    assert loads(source(one)) == [one]
    with pytest.raises(ThreatError):
        loads("scenario a { N = 12; K = 3; metric = several(accuracy, f1) }")
    report = plan(one)
    assert report.best.attack == "class-counting"
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
