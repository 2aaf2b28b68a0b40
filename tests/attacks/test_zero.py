from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dsl.numbers import Real
from dsl.scenario import Gaussian
from planner.attacks.attack import Attack, InconsistentScores
from planner.attacks.parameters import parameters_from_json
from planner.attacks.theorem import Proposal
from planner.attacks.zero.certify import prove
from planner.attacks.zero.parameters import ZeroTests
from planner.attacks.zero.theorem import Zero
from tests.attacks.leaderboard import Leaderboard, channel, labelings

HUGE = Gaussian(Real.of(1000))


def proposed(N: int, **more: Any) -> ZeroTests:
    proposal = Zero().propose(channel(N, clip=None, noise=HUGE, **more))
    assert isinstance(proposal, Proposal)
    assert isinstance(proposal.parameters, ZeroTests)
    return proposal.parameters


def attack(parameters: ZeroTests) -> Attack:
    board = channel(parameters.rows, clip=None, noise=HUGE, K=parameters.classes, columns=parameters.columns)
    return Zero().build(board, parameters)


def noisy(labels: Any) -> Leaderboard:
    coins = np.random.default_rng(0)
    return Leaderboard(labels, clip=None, noise=lambda: coins.normal(0, 1000))


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("adaptive", [True, False])
def test_every_labeling_under_huge_noise(columns: int, adaptive: bool) -> None:
    parameters = proposed(150, columns=columns, adaptive=adaptive)
    assert prove(channel(150, clip=None, noise=HUGE, columns=columns, adaptive=adaptive), parameters).holds
    for labels in labelings(150):
        board = noisy(labels)
        assert (attack(parameters).recover(board) == labels).all()
        assert board.asked <= parameters.queries


@pytest.mark.parametrize("K", [3, 4, 7, 10])
def test_classes(K: int) -> None:
    parameters = proposed(120, K=K, columns=K)
    coins = np.random.default_rng(K)
    for share in (1.0, 0.1):
        labels = np.where(coins.random(120) < share, coins.integers(0, K, 120), K - 1)
        board = noisy(labels)
        assert (attack(parameters).recover(board) == labels).all()
        assert board.asked <= parameters.queries <= 120 * (K - 1).bit_length() + 12


def test_every_labeling_of_few() -> None:
    parameters = proposed(7)
    for code in range(2**7):
        labels = np.array([code >> i & 1 for i in range(7)])
        board = noisy(labels)
        assert (attack(parameters).recover(board) == labels).all()
        assert board.asked <= parameters.queries


def test_skewed_labels_cost_far_less() -> None:
    labels = np.zeros(2000, dtype=int)
    labels[::100] = 1
    board = noisy(labels)
    attack(proposed(2000)).recover(board)
    assert board.asked < 250


def test_a_clip_is_noticed() -> None:
    for labels in labelings(40):
        with pytest.raises(InconsistentScores):
            attack(proposed(40)).recover(Leaderboard(labels))


def test_what_is_no_score_is_refused() -> None:
    for score in (float("nan"), float("-inf")):
        with pytest.raises(InconsistentScores):
            attack(proposed(5)).recover(lambda _, score=score: score)


def test_certificate_counts_everything() -> None:
    parameters = proposed(100)
    unclipped = channel(100, clip=None, noise=HUGE)
    assert not prove(unclipped, replace(parameters, queries=parameters.queries - 1)).holds
    assert not prove(channel(100), parameters).holds


def test_part_of_the_labels() -> None:
    from fractions import Fraction

    parameters = proposed(100, goal=Fraction(1, 4))
    labels = np.random.default_rng(0).integers(0, 2, 100)
    found = attack(parameters).recover(noisy(labels))
    assert (found[:25] == labels[:25]).all()
    assert (found[25:] == -1).all()


def test_parameters_survive_json() -> None:
    assert parameters_from_json(proposed(9).to_json()) == proposed(9)


def test_refused_behind_a_clip() -> None:
    reasons = Zero().propose(channel(100))
    assert isinstance(reasons, tuple)
    assert reasons[0].field == "clip"
