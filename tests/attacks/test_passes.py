"""Averages in passes by a prefix code: classes that are no power of two take fewer passes than their numbers have bits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dsl import loads
from planner.attacks.attack import InconsistentScores
from planner.attacks.consistent.theorem import Consistent
from planner.attacks.passes.run import PassesAttack
from planner.attacks.passes.theorem import PrefixPasses
from planner.attacks.prefix.theorem import PrefixThreshold
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.considering import consider
from planner.model import Candidate
from tests.attacks.leaderboard import Leaderboard


def certified(text: str, theorem=PrefixPasses) -> Candidate:
    (scenario,) = loads(f"scenario asked {{ {text}; scorer = sklearn }}")
    found = consider(theorem(), channel_of(scenario))
    assert found.certified is not None, found.reasons
    return found


@pytest.mark.parametrize(("text", "decimals", "noise"), [
    ("N = 500; K = 3; decimals = 1", 1, None),
    ("N = 400; K = 10; clip = 1e-6; decimals = 1", 1, None),
    ("N = 400; K = 5; decimals = truncated(1)", 1, None),
    ("N = 300; K = 3; decimals = 2; noise = gaussian(0.02)", 2, ("normal", 0, 0.02)),
    ("N = 300; K = 3; noise = uniform(0, 0.2)", None, ("uniform", 0, 0.2)),
])  # fmt: skip
def test_every_kind_of_labeling(text, decimals, noise, one_in):
    found = certified(text)
    there, attack = found.channel, found.build()
    K, N = there.classes, there.rows
    coins = np.random.default_rng(K)
    drawn = None if noise is None else lambda: float(getattr(coins, noise[0])(*noise[1:]))
    rare = np.where(coins.random(N) < 0.02, K - 1, 0)
    kinds = (coins.integers(0, K, N), np.zeros(N, int), np.full(N, K - 1), np.arange(N) % K, rare)
    for labels in one_in(2, kinds, text):
        board = Leaderboard(labels, decimals, there.digits.truncates, drawn, clip=float(there.clip.lo))
        assert (attack.recover(board) == labels).all()  # each may fail with probability 1 %; these do not
        assert board.asked <= found.certified.queries


@pytest.mark.parametrize(("text", "share"), [
    ("N = 15_313; K = 3; clip = 1e-7; decimals = 2", 0.95), ("N = 9_553; K = 10; clip = 1e-3; decimals = 2", 0.95),
])  # fmt: skip
def test_fewer_queries_than_a_pass_a_bit(text, share):
    assert certified(text).certified.queries < share * certified(text, Consistent).certified.queries


def test_records_that_promise_more_than_coins_keep_are_refused():
    found = certified("N = 500; K = 3; decimals = 1")
    there, p = found.channel, found.certified.certificate.parameters
    for changed in (
        {"deep": p.deep - 20},
        {"deep_rounds": 0},
        {"queries": p.queries - 1},
        {"deep_rounds": p.deep_rounds - 1},
    ):
        assert not certify(there, replace(p, **changed)).holds


def test_more_labels_than_the_last_pass_holds_are_noticed():
    found = certified("N = 300; K = 3; decimals = 1")
    there, p = found.channel, found.certified.certificate.parameters
    labels = np.random.default_rng(3).integers(0, 3, 300)
    with pytest.raises(InconsistentScores, match="other coins"):
        PassesAttack("passes", there, replace(p, deep=100)).recover(Leaderboard(labels, 1, clip=2.0**-52))


def test_scores_of_no_labeling_are_refused():
    found = certified("N = 300; K = 3; decimals = 1")
    with pytest.raises(InconsistentScores):
        found.build().recover(lambda u: 99.0)


@pytest.mark.parametrize("K", [2, 4, 8])
@pytest.mark.parametrize("theorem", [PrefixPasses, PrefixThreshold])
def test_classes_whose_numbers_are_a_prefix_code_are_left_to_others(theorem, K):
    (scenario,) = loads(f"scenario even {{ N = 500; K = {K}; columns = {K}; decimals = 1; scorer = sklearn }}")
    found = consider(theorem(), channel_of(scenario))
    assert found.certified is None
    assert [one.field for one in found.reasons] == ["K"]
