from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dsl.numbers import Real
from dsl.scenario import Bounded, Gaussian, Noise
from planner.attacks.attack import InconsistentScores
from planner.attacks.spread.certify import prove
from planner.attacks.spread.hadamard import HadamardAttack
from planner.attacks.spread.parameters import HadamardMean
from planner.attacks.spread.theorem import Hadamard
from planner.attacks.theorem import Proposal
from planner.channel.metrics.base import Level
from planner.channel.metrics.log_loss import LOG_LOSS
from planner.channel.sides import BINARY
from planner.designs.hadamard import order_above, orders, row, transform
from tests.attacks.leaderboard import Leaderboard, channel, labelings

R = Real.of


def proposed(N: int, noise: Noise, **more: Any) -> HadamardMean:
    proposal = Hadamard().propose(channel(N, noise=noise, **more))
    assert isinstance(proposal, Proposal)
    assert isinstance(proposal.parameters, HadamardMean)
    return proposal.parameters


@pytest.mark.parametrize("order", orders(1, 130))
def test_matrices(order: int) -> None:
    matrix = np.array([row(order, t) for t in range(order)])
    assert (matrix @ matrix.T == order * np.eye(order)).all()
    values = np.random.default_rng(order).normal(size=(order, 2))
    assert np.allclose(transform(values), matrix @ values)
    assert np.allclose(transform(values, transposed=True), matrix.T @ values)


def test_orders_are_dense() -> None:
    assert [order_above(n) for n in (1, 3, 9, 100, 1000, 10_000, 25_000)] == [1, 4, 12, 104, 1008, 10_240, 25_088]
    with pytest.raises(ValueError, match="order 6"):
        row(6, 0)


def test_gaussian_noise() -> None:
    noise = Gaussian(R("0.1"))
    parameters = proposed(100, noise)
    assert prove(channel(100, noise=noise), parameters).holds
    for seed, labels in enumerate(labelings(100)):
        coins = np.random.default_rng(seed)
        board = Leaderboard(labels, noise=lambda coins=coins: coins.normal(0, 0.1))
        assert (HadamardAttack(parameters).recover(board) == labels).all()
        assert board.asked == parameters.queries


def test_classes_bit_by_bit() -> None:
    noise = Gaussian(R("0.1"))
    parameters = proposed(60, noise, K=5, columns=5)
    assert prove(channel(60, noise=noise, K=5, columns=5), parameters).holds
    coins = np.random.default_rng(0)
    labels = coins.integers(0, 5, 60)
    board = Leaderboard(labels, noise=lambda: coins.normal(0, 0.1))
    assert (HadamardAttack(parameters).recover(board) == labels).all()
    assert board.asked == parameters.queries


def test_repeats_when_the_noise_is_large() -> None:
    few, many = proposed(100, Gaussian(R("0.3"))), proposed(100, Gaussian(R("1.2")))
    assert few.repeats >= 1
    assert many.repeats >= 8 * few.repeats // 2
    assert prove(channel(100, noise=Gaussian(R("1.2"))), many).holds
    once_less = replace(many, repeats=many.repeats - 1, queries=many.order * (many.repeats - 1))
    assert not prove(channel(100, noise=Gaussian(R("1.2"))), once_less).holds


def test_adversary_at_the_bound() -> None:
    # errors of full size, signed to push one column: at most floor(4 (E/W)^2) labels go wrong
    noise = Bounded(R("0.12"))
    goal = Fraction(4, 5)
    parameters = proposed(200, noise, goal=goal)
    assert prove(channel(200, noise=noise, goal=goal), parameters).holds
    attack = HadamardAttack(parameters)
    labels = np.random.default_rng(0).integers(0, 2, 200)
    for column in (0, 17, 101):
        signs = iter([int(row(parameters.order, tau)[column]) for tau in range(parameters.order)])
        board = Leaderboard(labels, noise=lambda signs=signs: 0.1199 * next(signs))
        stated = slice(parameters.labels)
        assert (attack.recover(board)[stated] != labels[stated]).sum() <= parameters.wrong


def test_more_noise_than_promised_is_noticed() -> None:
    parameters = proposed(120, Gaussian(R("0.01")))
    coins = np.random.default_rng(1)
    board = Leaderboard(np.arange(120) % 2, noise=lambda: coins.normal(0, 2.0))
    with pytest.raises(InconsistentScores):
        HadamardAttack(parameters).recover(board)


def test_no_goal_of_all_labels_under_large_bounded_noise() -> None:
    reasons = Hadamard().propose(channel(1000, noise=Bounded(R("0.1"))))
    assert isinstance(reasons, tuple)
    assert reasons[0].field == "goal"
    assert "33" in reasons[0].have


def test_levels_are_what_the_scorer_sees() -> None:
    top = LOG_LOSS.level(34.4, 1, BINARY)
    assert top.small * 2**53 == round(top.small * 2**53)  # one column: 1 - u lies on the grid
    assert 1 - top.entries(1, BINARY)[0] == top.small
    assert LOG_LOSS.level(-34.4, 1, BINARY).entries(1, BINARY)[0] == pytest.approx(np.exp(-34.4), rel=1e-12)
    assert LOG_LOSS.level(34.4, 2, BINARY).entries(2, BINARY)[0] == pytest.approx(np.exp(-34.4), rel=1e-12)
    assert LOG_LOSS.level(0.0, 1, BINARY) == Level(0.5, 0.5, math.log(2), math.log(2))


def test_a_centre_of_another_channel_is_not_certified() -> None:
    """Under bounded noise nothing asked what the attack subtracts from every score before it reads it."""
    noise = Bounded(R("0.02"))
    scenario, parameters = channel(16, noise=noise), proposed(16, noise)
    assert prove(scenario, parameters).holds
    moved = prove(scenario, replace(parameters, centre=parameters.centre + 30))
    assert {one.name for one in moved.inequalities if not one.holds} == {
        "4 (E/W)^2 * bits of a class < wrong labels + 1",
        "tolerance >= error of a score",
    }
