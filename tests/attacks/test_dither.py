from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from planner.attacks.attack import InconsistentScores
from planner.attacks.dither.certify import failure, moved, prove
from planner.attacks.dither.parameters import DitheredSpread
from planner.attacks.dither.run import DitherAttack
from planner.attacks.dither.settling import Settling
from planner.attacks.dither.theorem import Dither
from planner.attacks.parameters import parameters_from_json
from planner.attacks.spread.shapes import block_of
from planner.attacks.theorem import Proposal
from planner.certify import certify
from tests.attacks.leaderboard import Leaderboard, channel, labelings
from tests.sampling import OneIn


def proposed(N: int, decimals: int, columns: int = 1) -> DitheredSpread:
    proposal = Dither().propose(channel(N, decimals, columns))
    assert isinstance(proposal, Proposal)
    assert isinstance(proposal.parameters, DitheredSpread)
    return proposal.parameters


@pytest.mark.parametrize(("N", "decimals", "columns"), [(1000, 1, 1), (600, 1, 2), (300, 1, 1), (400, 0, 1)])
def test_every_labeling_exactly(N: int, decimals: int, columns: int, one_in: OneIn) -> None:
    parameters = proposed(N, decimals, columns)
    assert prove(channel(N, decimals, columns), parameters).holds
    for seed, labels in one_in(2, enumerate(labelings(N)), f"{N} {decimals}"):
        board = Leaderboard(labels, decimals)
        assert (DitherAttack(replace(parameters, seed=seed)).recover(board) == labels).all()
        assert board.asked <= parameters.queries  # each may fail with probability 1 %; these seeds do not


def test_ten_thousand_labels_at_two_decimals() -> None:
    parameters = proposed(10_000, 2)
    labels = np.random.default_rng(7).integers(0, 2, 10_000)
    board = Leaderboard(labels, 2)
    assert (DitherAttack(parameters).recover(board) == labels).all()
    assert board.asked <= 2400
    assert parameters.queries <= 2483


@pytest.mark.parametrize("K", [3, 5])
def test_classes_bit_by_bit(K: int) -> None:
    scenario = channel(300, 1, columns=K, K=K)
    proposal = Dither().propose(scenario)
    assert isinstance(proposal, Proposal)
    assert isinstance(proposal.parameters, DitheredSpread)
    assert prove(scenario, proposal.parameters).holds
    coins = np.random.default_rng(K)
    for labels in (coins.integers(0, K, 300), np.where(coins.random(300) < 0.02, K - 1, 0)):
        board = Leaderboard(labels, 1)
        assert (DitherAttack(proposal.parameters).recover(board) == labels).all()
        assert board.asked <= proposal.parameters.queries


@pytest.mark.parametrize(("K", "columns"), [(2, 1), (2, 2), (3, 3)])
def test_some_labels_and_no_word_about_the_others(K: int, columns: int) -> None:
    """Idle rows, and labels of the offset that are asked one by one after all others."""
    everything = channel(300, 0, columns=columns, K=K)
    whole = Dither().propose(everything).parameters
    outside = 300 - whole.offset_rows
    coins, before = np.random.default_rng(K), 0
    for wanted in (90, outside - 40, outside, outside + 1, outside + 3):
        goal = replace(everything, wanted=wanted)
        p = Dither().propose(goal).parameters
        assert certify(goal, p).holds
        assert wanted <= p.labels <= max(wanted, outside)
        further = max(0, wanted - outside)
        assert p.queries == p.bits * (p.bootstrap + p.order * p.rounds + p.settle + 1 + further)
        assert before <= p.queries < whole.queries
        assert not certify(goal, replace(p, queries=p.queries - 1)).holds
        before = p.queries
        labels = coins.integers(0, K, 300)
        board = Leaderboard(labels, 0)
        found = DitherAttack(p).recover(board)
        assert (found[: p.labels] == labels[: p.labels]).all()
        assert (found[p.labels :] == -1).all()
        assert board.asked <= p.queries


def test_blocks_hold_the_labels_that_are_asked_for() -> None:
    goal = replace(channel(300, 1), wanted=90)
    p = Dither().propose(goal).parameters
    assert p.labels < 300 - p.offset_rows
    more = replace(p, labels=p.order * block_of(p.base, p.rounds) + 1)
    assert not certify(goal, more).holds
    assert certify(goal, replace(more, labels=more.labels - 1)).holds


def test_truncation() -> None:
    parameters = replace(proposed(300, 1), truncates=True)
    labels = np.random.default_rng(1).integers(0, 2, 300)
    assert (DitherAttack(parameters).recover(Leaderboard(labels, 1, truncates=True)) == labels).all()


def test_too_little_averaging_costs_queries_but_no_labels() -> None:
    # order 4 leaves most sums wrong, many by more than one: verification and exact measurement repair all
    parameters = proposed(300, 1)
    rough = replace(parameters, order=4, rounds=40, base=1)
    labels = np.random.default_rng(2).integers(0, 2, 300)
    board = Leaderboard(labels, 1)
    assert (DitherAttack(rough).recover(board) == labels).all()
    assert board.asked > parameters.queries


def test_noise_is_noticed() -> None:
    parameters = proposed(300, 1)
    coins = np.random.default_rng(3)
    for labels in labelings(300):
        board = Leaderboard(labels, 1, noise=lambda: coins.normal(0, 0.02))
        with pytest.raises(InconsistentScores):
            DitherAttack(parameters).recover(board)


def test_settling_costs_what_the_bound_says() -> None:
    # simulate errors only: the mean cost must agree with the exact mean, and no run may exceed the bound's tail
    parameters = proposed(10_000, 2)
    settling = Settling(parameters, moved(parameters))
    coins = np.random.default_rng(11)
    h, r, spread = parameters.order, parameters.rounds, float(settling.spread)
    steps = np.array([float(a) for a, _ in settling.steps])
    heights = np.array([float(height) for height in settling.heights])
    from planner.designs.hadamard import transform

    costs = []
    for _ in range(300):
        errors = transform(coins.uniform(-spread, spread, (h, r)), transposed=True) / h
        costs.append(heights[np.searchsorted(steps, np.abs(errors), side="right")].sum())
    assert np.mean(costs) == pytest.approx(float(settling.sums * settling.moments[0]), rel=0.03)
    assert np.var(costs) < 1.3 * r * float(settling._variance_of_round)
    assert np.mean(np.array(costs) + settling.bins > parameters.settle) <= 0.01


def test_the_certificate_has_no_room_to_spare() -> None:
    scenario = channel(10_000, 2)
    parameters = proposed(10_000, 2)
    assert float(failure(scenario, parameters)) <= 0.01
    for worse in (
        replace(parameters, settle=parameters.settle - 3),
        replace(parameters, queries=parameters.queries - 1),
        replace(parameters, order=12),
        replace(parameters, rounds=parameters.rounds - 1),
        replace(parameters, small=Fraction(1, 2**50)),
    ):
        assert not prove(scenario, worse).holds


def test_parameters_survive_json() -> None:
    parameters = proposed(1000, 1)
    assert parameters_from_json(parameters.to_json()) == parameters


@pytest.mark.parametrize(("N", "decimals", "queries"), [(25_000, 2, 7013), (10_000, 1, 6423), (1000, 1, 396)])
def test_known_prices(N: int, decimals: int, queries: int) -> None:
    assert proposed(N, decimals).queries <= queries


def test_refused_where_nothing_is_rounded_away() -> None:
    reasons = Dither().propose(channel(100, 5))
    assert isinstance(reasons, tuple)
    assert reasons[0].field == "decimals"


def test_fewer_labels_never_need_more_for_want_of_a_base() -> None:
    """Few rounds of many sums look better than they settle: 49,371 labels once took 64,956 queries, more than 53,430."""
    asked = []
    for N in (49_371, 53_430):
        proposal = Dither().propose(channel(N, 3, columns=10, clip="1e-3", K=10))
        assert isinstance(proposal, Proposal)
        asked.append(proposal.parameters.queries)
    assert asked[0] <= 57_608
    assert asked[0] < asked[1] <= 63_044


def test_a_base_row_that_fills_the_memory_is_refused() -> None:
    """Weights have as many bits as a row has weights: a million of them come to sixty gigabytes."""
    parameters = proposed(300, 1)
    certificate = certify(channel(300, 1), replace(parameters, base=10**6))
    assert not certificate.holds
    assert any(one.have == "a base row of 1,000,000 weights" for one in certificate.obligations)
