from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dsl.numbers import Real
from dsl.scenario import Gaussian, Laplace, Noise, Subexponential, Uniform
from planner.attacks.attack import InconsistentScores
from planner.attacks.parameters import parameters_from_json
from planner.attacks.spread.certify import prove
from planner.attacks.spread.parameters import Spread
from planner.attacks.spread.run import SpreadAttack
from planner.attacks.spread.theorem import SpreadButterfly
from planner.attacks.theorem import Proposal
from tests.attacks.leaderboard import Leaderboard, channel, labelings

R = Real.of


def proposed(N: int, noise: Noise, **more: Any) -> Spread:
    proposal = SpreadButterfly().propose(channel(N, noise=noise, **more))
    assert isinstance(proposal, Proposal)
    assert isinstance(proposal.parameters, Spread)
    return proposal.parameters


def drawn(noise: Noise, seed: int) -> Callable[[], float]:
    coins = np.random.default_rng(seed)
    match noise:
        case Gaussian(sigma):
            return lambda: float(coins.normal(0, float(sigma.lo)))
        case Laplace(b):
            return lambda: float(coins.laplace(0, float(b.lo)))
        case Uniform(a, b):
            return lambda: float(coins.uniform(float(a.lo), float(b.lo)))
        case Subexponential(lambda2, _):
            return lambda: float(coins.normal(0, float(lambda2.lo) ** 0.5))
    raise AssertionError(noise)


NOISES = [
    (300, Gaussian(R("0.02")), {}),
    (300, Gaussian(R("0.0003")), {"columns": 2}),
    (200, Laplace(R("0.02")), {}),
    (200, Uniform(R("0.1"), R("0.2")), {}),
    (200, Uniform(R("-0.01"), R("0.03")), {"decimals": 3}),
    (150, Subexponential(R("0.0004"), R("0.02")), {}),
]


@pytest.mark.parametrize(("N", "noise", "more"), NOISES)
def test_every_labeling(N: int, noise: Noise, more: dict[str, Any]) -> None:
    parameters = proposed(N, noise, **more)
    assert prove(channel(N, noise=noise, **more), parameters).holds
    for seed, labels in enumerate(labelings(N)):
        board = Leaderboard(labels, more.get("decimals"), noise=drawn(noise, seed))
        assert (SpreadAttack(parameters).recover(board) == labels).all()
        assert board.asked == parameters.queries


@pytest.mark.parametrize("K", [3, 4, 10])
def test_classes_bit_by_bit(K: int) -> None:
    noise = Gaussian(R("0.02"))
    parameters = proposed(120, noise, K=K, columns=K)
    assert prove(channel(120, noise=noise, K=K, columns=K), parameters).holds
    assert not prove(channel(120, noise=noise, K=K + 1, columns=K + 1), parameters).holds
    for seed in range(3):
        labels = np.random.default_rng(seed).integers(0, K, 120)
        board = Leaderboard(labels, noise=drawn(noise, seed))
        assert (SpreadAttack(parameters).recover(board) == labels).all()
        assert board.asked == parameters.queries


@pytest.mark.parametrize(("N", "columns", "queries"), [(10_000, 1, 2024), (25_000, 1, 5800), (25_000, 2, 5632)])
def test_known_prices_under_gaussian_noise(N: int, columns: int, queries: int) -> None:
    parameters = proposed(N, Gaussian(R("0.001")), columns=columns)
    assert parameters.queries == queries
    assert prove(channel(N, noise=Gaussian(R("0.001")), columns=columns), parameters).holds


def test_queries_are_lazy_and_decoding_is_separate() -> None:
    noise = Gaussian(R("0.001"))
    parameters = proposed(100, noise)
    labels = np.random.default_rng(0).integers(0, 2, 100)
    board = Leaderboard(labels, noise=drawn(noise, 0))
    attack = SpreadAttack(parameters)
    assert (attack.decode(board(query) for query in attack.queries()) == labels).all()
    with pytest.raises(InconsistentScores):
        attack.decode([0.5] * (parameters.queries - 1))
    with pytest.raises(InconsistentScores):
        attack.decode([float("nan")] * parameters.queries)


def test_more_noise_than_promised_is_noticed() -> None:
    parameters = proposed(200, Gaussian(R("0.002")))
    for seed, labels in enumerate(labelings(200)):
        board = Leaderboard(labels, noise=drawn(Gaussian(R("0.05")), seed))
        with pytest.raises(InconsistentScores):
            SpreadAttack(parameters).recover(board)


def test_the_certificate_has_no_room_to_spare() -> None:
    noise = Gaussian(R("0.001"))
    parameters = proposed(10_000, noise)
    for worse in (
        replace(parameters, order=4),
        replace(parameters, rounds=parameters.rounds - 1),
        replace(parameters, base=2),
        replace(parameters, tolerance=parameters.tolerance / 2),
        replace(parameters, queries=parameters.queries - 1),
    ):
        assert not prove(channel(10_000, noise=noise), worse).holds
    assert not prove(channel(10_000, 2, noise=noise), parameters).holds  # rounding takes half the gap


def test_parameters_survive_json() -> None:
    parameters = proposed(100, Uniform(R("0.1"), R("0.2")))
    assert parameters_from_json(parameters.to_json()) == parameters


def test_bounded_noise_is_no_matter_of_averages() -> None:
    from dsl.scenario import Bounded

    reasons = SpreadButterfly().propose(channel(100, noise=Bounded(R("0.1"))))
    assert isinstance(reasons, tuple)
    assert reasons[0].field == "noise"
