"""Averages by words of a code: every class's word far from all others, all passes read before a label is decided."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from dsl import loads
from planner.attacks.attack import InconsistentScores
from planner.attacks.codes.certify import failure
from planner.attacks.codes.theorem import CodedClasses, coded, codes
from planner.attacks.consistent.certify import HALF, mean_off
from planner.attacks.consistent.theorem import Consistent
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.considering import consider
from planner.designs.hadamard import transform
from planner.model import Candidate
from planner.numerics.reals import ball
from tests.attacks.leaderboard import Leaderboard


def considered(theorem: Any, text: str) -> Candidate:
    (scenario,) = loads(f"scenario coded {{ {text}; scorer = sklearn; adaptive = no }}")
    return consider(theorem, channel_of(scenario))


def certified(text: str) -> Candidate:
    found = considered(CodedClasses(), text)
    assert found.certified is not None, found.reasons
    return found


@pytest.mark.parametrize(("text", "plain", "own"), [
    ("N = 997; K = 10; decimals = 4; clip = 1e-3; noise = laplace(317/5000)", 75_776, 29_568),
    ("N = 1585; K = 3; clip = 1e-7; noise = laplace(953/10000)", 37_888, 23_040),
    ("N = 2545; K = 10; decimals = 5; clip = 1e-7; noise = gaussian(467/10000)", 22_528, 14_080),
    ("N = 4330; K = 3; decimals = 1; clip = 1e-3; noise = uniform(-121/125000, 121/125000)", 73_728, 58_368),
])  # fmt: skip
def test_known_answers_beside_one_bit_after_the_other(text, plain, own):
    assert considered(Consistent(), text).certified.queries <= plain
    assert certified(text).certified.queries <= own


@pytest.mark.parametrize("classes", [*range(3, 18), 33, 64])
def test_words_lie_as_far_apart_as_is_said(classes):
    for words, length in codes(classes):
        assert len(words) == classes
        assert all(0 <= word < 1 << length for word in words)
        least = 2 if length == (classes - 1).bit_length() + 1 else (length + 1) // 2
        assert min((one ^ other).bit_count() for one, other in combinations(words, 2)) >= least


@pytest.mark.parametrize(("text", "decimals", "noise"), [
    ("N = 150; K = 3; clip = 1e-3; noise = gaussian(0.1)", None, ("normal", 0, 0.1)),
    ("N = 100; K = 10; clip = 1e-3; noise = laplace(0.1)", None, ("laplace", 0, 0.1)),
    ("N = 150; K = 4; clip = 1e-3; decimals = 1; noise = laplace(0.05)", 1, ("laplace", 0, 0.05)),
    ("N = 150; K = 5; clip = 1e-3; noise = uniform(0, 0.3)", None, ("uniform", 0, 0.3)),
    ("N = 100; K = 3; clip = 1e-3; decimals = 0", 0, None),
    ("N = 60; K = 3; clip = 1e-3; decimals = 0; noise = bounded(1/50)", 0, ("choice", [-0.02, 0.02])),
])  # fmt: skip
def test_every_kind_of_labeling(text, decimals, noise, one_in):
    found = certified(text)
    attack, there = found.build(), found.channel
    K, N = there.classes, there.rows
    coins = np.random.default_rng(K)
    rare = np.where(coins.random(N) < 0.02, K - 1, 0)
    drawn = None if noise is None else lambda: float(getattr(coins, noise[0])(*noise[1:]))
    kinds = coins.integers(0, K, N), np.zeros(N, int), np.full(N, K - 1), np.arange(N) % K, rare
    for labels in one_in(2, kinds, text):
        board = Leaderboard(labels, decimals, there.digits.truncates, drawn, clip=float(there.clip.lo))
        assert (attack.recover(board) == labels).all()  # each may fail with probability 1 %; these do not
        assert board.asked == found.certified.queries


def test_a_goal_below_all_labels_leaves_the_others_out():
    found = certified("N = 100; K = 3; goal = 50%; clip = 1e-3; noise = gaussian(0.1)")
    coins = np.random.default_rng(1)
    labels = coins.integers(0, 3, 100)
    board = Leaderboard(labels, None, noise=lambda: float(coins.normal(0, 0.1)), clip=1e-3)
    answer = found.build().recover(board)
    asked = found.certified.certificate.parameters.labels
    assert (answer[:asked] == labels[:asked]).all()
    assert (answer[asked:] == -1).all()


def test_noise_that_leans_on_a_label_as_far_as_it_may(one_in):
    """Towards one other class in every pass that tells the two apart."""
    found = certified("N = 60; K = 3; clip = 1e-3; decimals = 0; noise = bounded(1/50)")
    there, p = found.channel, found.certified.certificate.parameters
    coins, tau = np.random.default_rng(4), 0.9999 / 50
    for at in one_in(3, range(6), "leaning"):
        labels = coins.integers(0, 3, 60)
        column = transform(np.eye(p.order)[at])
        for other in {0, 1, 2} - {int(labels[at])}:
            one, two = p.words[labels[at]], p.words[other]
            lean = [((two >> bit & 1) - (one >> bit & 1)) for bit in range(p.length)]
            pushes = iter([-tau * lean[bit] * float(sign) for bit in range(p.length) for sign in column])
            board = Leaderboard(labels, 0, noise=lambda pushes=pushes: next(pushes), clip=1e-3)
            assert (found.build().recover(board) == labels).all()
    assert there.law.value.tau.lo == Fraction(1, 50)


def test_the_chance_is_that_of_all_labels_and_all_other_words():
    found = certified("N = 150; K = 10; clip = 1e-3; noise = gaussian(0.1)")
    there, p = found.channel, found.certified.certificate.parameters
    one = mean_off(there, p, p.distance * p.order, HALF)
    assert float(failure(there, p)) == pytest.approx(0.01 / 64 + 150 * 9 * float(one))
    assert p.distance > 1


@pytest.mark.parametrize(
    ("noise", "order"), [("gaussian(1/10)", 40), ("laplace(1/10)", 48), ("uniform(-1/4, 1/4)", 40)]
)
def test_fewer_fail_than_the_bound_says(noise, order):
    """At orders that are too small: what is promised of a label's average is not exceeded by far more trials."""
    (scenario,) = loads(f"scenario thin {{ N = 40; K = 3; clip = 1e-3; noise = {noise}; scorer = sklearn }}")
    there = channel_of(scenario)
    words, length = next(iter(codes(3)))
    p = coded(there, 40, words, length, order)
    bound = float((failure(there, p) - ball(there.delta / 64)).upper())
    law, coins, wrong, trials = noise.partition("(")[0], np.random.default_rng(2), 0, 400
    draw = {
        "gaussian": lambda n: coins.normal(0, 0.1, n),
        "laplace": lambda n: coins.laplace(0, 0.1, n),
        "uniform": lambda n: coins.uniform(-0.25, 0.25, n),
    }[law]
    table = np.array([[word >> bit & 1 for bit in range(length)] for word in words])
    for _ in range(trials):
        labels = coins.integers(0, 3, 40)
        read = []
        for bit in range(length):
            sums = np.zeros(order)
            sums[:40] = table[labels, bit]
            seen = transform(sums) + 40 * draw(order) / float(p.gap)
            read.append(transform(seen, transposed=True)[:40] / order)
        wrong += (np.argmax((2 * table - 1) @ (np.array(read) - 0.5), axis=0) != labels).any()
    assert wrong <= trials * min(bound, 1) + 4 * (trials * min(bound, 1)) ** 0.5 + 1


@pytest.mark.parametrize("change", [
    {"words": (0, 3, 3)}, {"words": (0, 1, 2)}, {"words": (0, 3, 13)}, {"words": (0, 3)}, {"repairs": True}, {"queries": 9},
    {"order": 64}, {"rounds": 2},
])  # fmt: skip
def test_records_that_prove_nothing(change):
    found = certified("N = 100; K = 3; clip = 1e-3; noise = gaussian(0.1)")
    p = found.certified.certificate.parameters
    assert certify(found.channel, p).holds
    assert not certify(found.channel, replace(p, **change)).holds


def test_scores_of_no_labeling_are_refused():
    found = certified("N = 60; K = 3; clip = 1e-3; decimals = 0")
    attack, count = found.build(), found.certified.queries
    for score in (99.0, -3.0, float("nan"), float("inf")):
        with pytest.raises(InconsistentScores):
            attack.decode([score] * count)
    with pytest.raises(InconsistentScores):
        attack.decode([1.0])


def test_two_classes_are_told_apart_by_one_bit():
    found = considered(CodedClasses(), "N = 100; columns = 2; decimals = 1")
    assert found.certified is None
    assert found.reasons[0].field == "K"
