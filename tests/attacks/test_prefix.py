"""Comparisons by a prefix code: classes that are no power of two take fewer questions than their numbers have bits."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from dsl import loads
from planner.attacks.attack import InconsistentScores
from planner.attacks.prefix.certify import more_deep
from planner.attacks.prefix.run import PrefixAttack, codewords
from planner.attacks.prefix.theorem import PrefixThreshold
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.considering import consider
from planner.model import Candidate
from tests.attacks.leaderboard import Leaderboard
from tests.attacks.test_scaled import off


def certified(text: str) -> Candidate:
    (scenario,) = loads(f"scenario asked {{ {text}; scorer = sklearn }}")
    found = consider(PrefixThreshold(), channel_of(scenario))
    assert found.certified is not None, found.reasons
    return found


@pytest.mark.parametrize("K", range(2, 40))
def test_the_code_is_a_prefix_code_and_no_question_is_wasted(K):
    words = codewords(K)
    assert len(set(words)) == K
    assert not any(a != b and b[: len(a)] == a for a, b in product(words, words))
    assert sum(Fraction(1, 2 ** len(word)) for word in words) == 1


@pytest.mark.parametrize(("text", "decimals"), [
    ("N = 200; K = 3; decimals = 1", 1),
    ("N = 120; K = 10; decimals = 0", 0),
    ("N = 150; K = 5; clip = 1e-3; decimals = 2", 2),
    ("N = 200; K = 3; decimals = truncated(1); noise = uniform(0, 0.01)", 1),
])  # fmt: skip
def test_every_kind_of_labeling(text, decimals):
    found = certified(text)
    there, p = found.channel, found.certified.certificate.parameters
    K, N = there.classes, there.rows
    assert N * (K.bit_length() - 1) < found.certified.queries < N * (K - 1).bit_length()
    coins = np.random.default_rng(K)
    noise = (lambda: float(coins.uniform(0, 0.01))) if there.random else None
    rare = np.where(coins.random(N) < 0.02, K - 1, 0)
    for labels in (coins.integers(0, K, N), np.zeros(N, int), np.full(N, K - 1), np.arange(N) % K, rare):
        board = Leaderboard(labels, decimals, there.digits.truncates, noise, clip=float(there.clip.lo))
        assert (PrefixAttack("prefix", there, replace(p, seed=2)).recover(board) == labels).all()
        assert board.asked <= p.queries  # each may need more with probability 1 %; these do not


def test_every_error_within_the_bound_is_borne():
    found = certified("N = 3; K = 3; decimals = 1; noise = bounded(4)")
    there, p = found.channel, found.certified.certificate.parameters
    coins = np.random.default_rng(1)
    for hidden, side in product(product(range(3), repeat=3), (1, -1, 0)):
        labels = np.array(hidden)
        score = off(there, p, labels, lambda side=side: side or coins.choice([-1, 1]), 999)
        assert (PrefixAttack("prefix", there, p).recover(score) == labels).all()


@pytest.mark.parametrize(("n", "share"), [(30, Fraction(2, 3)), (60, Fraction(2, 5)), (9, Fraction(1, 2))])
def test_the_chance_of_more_questions_is_bounded(n, share):
    for most in range(n + 1):
        exact = sum(comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(most + 1, n + 1))
        bound = float(more_deep(n, share, most).upper())
        assert exact <= bound * (1 + 1e-12)
        assert bound <= 1
    assert float(more_deep(n, share, n - 1)) == pytest.approx(float(share) ** n)


def test_one_query_less_is_refused():
    found = certified("N = 200; K = 3; decimals = 1")
    p = found.certified.certificate.parameters
    for queries in (p.queries - 1, p.labels, p.labels - 1):
        assert not certify(found.channel, replace(p, queries=queries)).holds


def test_numbers_of_questions_are_those_of_the_code():
    """5/3 and 3.4 a label on average, whatever the labels are."""
    for K, average in ((3, 5 / 3), (10, 3.4)):
        found = certified(f"N = 300; K = {K}; decimals = 1")
        board = Leaderboard(np.zeros(300, int), 1, clip=2.0**-52)
        found.build().recover(board)
        assert abs(board.asked / 300 - average) < 0.12


def test_scores_of_no_labeling_are_refused():
    found = certified("N = 30; K = 3; decimals = 1")
    with pytest.raises(InconsistentScores):
        found.build().recover(lambda u: 99.0)
