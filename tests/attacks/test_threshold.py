from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from planner.attacks.attack import InconsistentScores
from planner.attacks.parameters import parameters_from_json
from planner.attacks.theorem import Proposal
from planner.attacks.threshold.certify import prove
from planner.attacks.threshold.parameters import Thresholds, offset_rows_needed
from planner.attacks.threshold.run import ThresholdAttack, Verification
from planner.attacks.threshold.theorem import Threshold, offset_setting
from planner.certify import certify
from planner.channel.metrics.base import Level
from planner.channel.metrics.log_loss import LOG_LOSS
from tests.attacks.leaderboard import Leaderboard, channel, labelings


def proposed(N: int, decimals: int, columns: int = 1) -> Thresholds:
    proposal = Threshold().propose(channel(N, decimals, columns))
    assert isinstance(proposal, Proposal)
    assert isinstance(proposal.parameters, Thresholds)
    return proposal.parameters


@pytest.mark.parametrize(("N", "decimals", "columns"), [(120, 0, 1), (80, 0, 2), (150, 1, 1), (60, 2, 2), (7, 0, 1)])
def test_every_labeling_exactly(N: int, decimals: int, columns: int) -> None:
    parameters = proposed(N, decimals, columns)
    assert prove(channel(N, decimals, columns), parameters).holds
    for labels in labelings(N):
        board = Leaderboard(labels, decimals)
        assert (ThresholdAttack(parameters).recover(board) == labels).all()
        assert board.asked <= parameters.queries


def test_whole_numbers_are_enough() -> None:
    # scores such as 0, 1 and 2 for 600 labels: a bootstrap of six queries and one comparison a label
    parameters = proposed(600, 0)
    assert parameters.queries == 606
    labels = np.random.default_rng(5).integers(0, 2, 600)
    assert (ThresholdAttack(parameters).recover(Leaderboard(labels, 0)) == labels).all()


def test_no_offset_up_to_18000_labels_at_two_decimals() -> None:
    # a boundary lies at 0.695, 0.00185 N above N ln 2, which W has to exceed
    assert proposed(18_000, 2).offset_rows == 0
    assert proposed(19_000, 2).offset_rows > 0


@pytest.mark.parametrize("K", [3, 4, 5])
def test_classes_bit_by_bit(K: int) -> None:
    scenario = channel(60, 0, columns=K, K=K)
    proposal = Threshold().propose(scenario)
    assert isinstance(proposal, Proposal)
    assert isinstance(proposal.parameters, Thresholds)
    assert prove(scenario, proposal.parameters).holds
    coins = np.random.default_rng(K)
    for labels in (coins.integers(0, K, 60), np.zeros(60, dtype=int), np.full(60, K - 1)):
        board = Leaderboard(labels, 0)
        assert (ThresholdAttack(proposal.parameters).recover(board) == labels).all()
        assert board.asked <= proposal.parameters.queries


def test_truncation() -> None:
    small = LOG_LOSS.smallest_usable(channel(90, 1))
    assert small is not None
    setting = offset_setting(channel(90, 1), small)
    assert setting is not None
    for labels in labelings(90):
        board = Leaderboard(labels, 1, truncates=True)
        assert (ThresholdAttack(replace(setting, truncates=True)).recover(board) == labels).all()


@pytest.mark.parametrize("cells", [(2.9, 8), (7.2, 18), (29, 71), (72, 177)])
def test_offset_rows_of_the_theory(cells: tuple[float, int]) -> None:
    # with W_J = 30 and W = 34.539 the number of offset rows is known
    ratio, rows = cells
    unit = Fraction(ratio * 34.539 / 1000)
    bare = Thresholds(
        0,
        1000,
        1000,
        2,
        "log_loss",
        1,
        unit,
        False,
        Fraction(1, 10**15),
        0,
        Fraction(1 / (1 + np.exp(30.0))),
        Fraction(0),
        Fraction(1),
        Fraction(0),
    )
    assert abs(offset_rows_needed(bare) - rows) <= 1


def test_noise_is_noticed() -> None:
    parameters = proposed(150, 1)
    coins = np.random.default_rng(3)
    for labels in labelings(150):
        with pytest.raises(InconsistentScores):
            ThresholdAttack(parameters).recover(Leaderboard(labels, 1, noise=lambda: coins.normal(0, 0.05)))


def test_scores_with_more_digits_are_refused() -> None:
    labels = np.random.default_rng(0).integers(0, 2, 60)
    with pytest.raises(InconsistentScores):
        ThresholdAttack(proposed(60, 1)).recover(Leaderboard(labels, 4))


def test_a_certificate_fails_when_floats_are_too_coarse() -> None:
    parameters = proposed(600, 0)
    coarse = replace(parameters, error=Fraction(1, 1000))
    certificate = prove(channel(600, 0), coarse)
    assert {one.name for one in certificate.inequalities if not one.holds} == {
        "half a row's least offset > float error + dev"
    }
    few = replace(parameters, offset_rows=parameters.offset_rows - 1)
    assert not prove(channel(600, 0), few).holds


def test_parameters_survive_json() -> None:
    parameters = proposed(600, 0)
    assert parameters_from_json(parameters.to_json()) == parameters


def test_adaptive() -> None:
    attack = ThresholdAttack(proposed(60, 1))
    assert attack.adaptive
    with pytest.raises(TypeError):
        attack.queries()
    with pytest.raises(TypeError):
        attack.decode([])


def test_refusals_say_why() -> None:
    reasons = Threshold().propose(channel(100, None, adaptive=False, K=3, columns=1))
    assert isinstance(reasons, tuple)
    assert {one.field for one in reasons} == {"columns", "decimals", "adaptive"}


PARTLY = [(90, 1, 1, 2), (90, 1, 2, 2), (40, 0, 1, 2), (60, 1, 3, 3), (7, 9, 1, 2)]


@pytest.mark.parametrize(("N", "decimals", "columns", "K"), PARTLY)
def test_some_labels_take_a_query_each(N: int, decimals: int, columns: int, K: int) -> None:
    """What a budget exposes of rounded scores: the first labels, and no word about the others."""
    coins = np.random.default_rng(N)
    for wanted in (1, N // 3, N - 2):
        goal = replace(channel(N, decimals, columns=columns, K=K), wanted=wanted)
        proposal = Threshold().propose(goal)
        assert isinstance(proposal, Proposal)
        p = proposal.parameters
        assert certify(goal, p).holds
        assert (p.labels, p.queries) == (wanted, p.bits * (wanted + (p.bootstrap + 1 if p.offset_rows else 0)))
        assert not certify(goal, replace(p, queries=p.queries - 1)).holds
        for _ in range(4):
            labels = coins.integers(0, K, N)
            board = Leaderboard(labels, decimals)
            found = ThresholdAttack(p).recover(board)
            assert (found[:wanted] == labels[:wanted]).all()
            assert (found[wanted:] == -1).all()
            assert board.asked <= p.queries


@pytest.mark.parametrize("further", [1, 3])
def test_labels_of_the_offset_come_after_all_others_one_by_one(further: int) -> None:
    bare = Threshold().propose(channel(300, 0)).parameters
    wanted = 300 - bare.offset_rows + further
    goal = replace(channel(300, 0), wanted=wanted)
    p = Threshold().propose(goal).parameters
    assert 3 < p.offset_rows == bare.offset_rows
    assert (p.labels, p.queries) == (wanted, wanted + p.bootstrap + 1)
    assert certify(goal, p).holds
    assert not certify(goal, replace(p, queries=p.queries - 1)).holds
    labels = np.random.default_rng(1).integers(0, 2, 300)
    board = Leaderboard(labels, 0)
    found = ThresholdAttack(p).recover(board)
    assert (found[:wanted] == labels[:wanted]).all()
    assert (found[wanted:] == -1).all()
    assert board.asked == p.queries


def test_what_a_verification_predicts_for_other_labels_than_it_holds() -> None:
    """Every row is charged at the level of the label that is held, for the label that it has."""
    charges = np.array([[1.0, 8.0], [64.0, 512.0]])  # by the label held, then the label had; fewer than 8 rows of each
    held, had = np.repeat([0, 0, 1, 1], [1, 2, 3, 4]), np.repeat([0, 1, 0, 1], [1, 2, 3, 4])
    verification = object.__new__(Verification)
    verification.rows, verification.labels, verification.rest = np.arange(1, 11), held, 4096.0
    verification.levels = [Level(0.5, 0.5, 0, 0), *(Level(0.5, 0.5, zero, one) for zero, one in charges)]
    assert verification.predicted(np.concatenate([[1], had])) == 4096 + charges[held, had].sum()


@pytest.mark.parametrize(("N", "decimals"), [(120, 0), (60, 2)])
def test_a_label_that_is_found_wrong_is_noticed_by_the_verifying_score(N: int, decimals: int) -> None:
    """Every comparison is explained, and one label is another by the time all are verified."""
    p = proposed(N, decimals)
    board = Leaderboard(np.arange(N) % 2, decimals)

    def score(u: NDArray[np.float64]) -> float:
        board.labels[0] = (u != 0.5).sum() > N / 2  # comparisons leave most rows even
        return board(u)

    assert bool(p.offset_rows) is (N == 120)
    with pytest.raises(InconsistentScores, match="verifying score"):
        ThresholdAttack(p).recover(score)
