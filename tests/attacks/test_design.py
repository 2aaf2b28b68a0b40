"""Designs through scikit-learn's own log_loss: the published query counts, every label, five kinds of labeling."""

from __future__ import annotations

import numpy as np
import pytest

from planner.attacks.attack import InconsistentScores
from planner.attacks.design.run import DesignAttack
from planner.attacks.design.theorem import Batches, Designs
from planner.considering import consider
from tests.attacks.leaderboard import Leaderboard, channel, labelings

TWO_COLUMNS = [(198, 5, 12), (1372, 3, 146), (1372, 4, 108), (1372, 5, 86)]
ONE_COLUMN = [(1372, 3, 154), (1372, 4, 112), (1372, 5, 92)]
CLASSES = [(569, 3, 3, 101), (1372, 4, 3, 292), (1372, 10, 4, 355)]


def build(theorem, scenario):
    attack = consider(theorem, scenario).build()
    assert isinstance(attack, DesignAttack)
    return attack


@pytest.mark.parametrize(("N", "decimals", "most"), TWO_COLUMNS)
def test_two_columns_recover_every_labeling(N, decimals, most, one_in):
    attack = build(Designs(), channel(N, decimals, columns=2))
    for labels in one_in(2, labelings(N), f"{N} {decimals}"):
        board = Leaderboard(labels, decimals)
        assert (attack.recover(board) == labels).all()
        assert board.asked == attack.parameters.queries <= most


@pytest.mark.parametrize(("N", "decimals", "most"), ONE_COLUMN)
def test_one_column_recovers_every_labeling(N, decimals, most, one_in):
    attack = build(Designs(), channel(N, decimals))
    for labels in one_in(2, labelings(N), f"{decimals} {N}"):
        board = Leaderboard(labels, decimals)
        assert (attack.recover(board) == labels).all()
        assert board.asked <= most


@pytest.mark.parametrize(("N", "decimals", "most"), [(10_000, 5, 690), (10_000, None, 246)])
def test_ten_thousand_labels(N, decimals, most):
    attack = build(Designs(), channel(N, decimals, columns=2))
    labels = np.random.default_rng(1).integers(0, 2, N)
    board = Leaderboard(labels, decimals)
    assert (attack.recover(board) == labels).all()
    assert board.asked <= most


@pytest.mark.parametrize(("N", "K", "decimals", "most"), CLASSES)
def test_classes(N, K, decimals, most, one_in):
    scenario = channel(N, decimals, columns=K, K=K)
    found = [consider(theorem, scenario) for theorem in (Designs(), Batches())]
    attack = min(found, key=lambda one: one.certified.queries).build()
    coins = np.random.default_rng(K)
    kinds = (coins.integers(0, K, N), np.zeros(N, dtype=int), np.full(N, K - 1), np.arange(N) % K)
    for labels in one_in(2, kinds, f"{N} {K}"):
        board = Leaderboard(labels, decimals)
        assert (attack.recover(board) == labels).all()
        assert board.asked <= most


def test_errors_at_the_certified_bound_change_nothing():
    attack = build(Designs(), channel(1372, 4, columns=2))
    (stage,) = attack.stages
    coins = np.random.default_rng(5)
    for labels in labelings(1372):
        y = stage.design.scores(labels).astype(float) * float(stage.design.unit)
        for signs in (1, -1, coins.choice([-1, 1], len(y))):
            assert (attack.read(stage, y + 0.999 * signs * attack.tolerance) == labels).all()


def test_wrong_scores_are_refused():
    attack = build(Designs(), channel(198, 5, columns=2))
    labels = np.random.default_rng(2).integers(0, 2, 198)
    scores = [Leaderboard(labels, 5)(u) for u in attack.queries()]
    for wrong in (scores[:-1], [*scores[:-1], float("nan")], [*scores[:-1], float("inf")], [s + 0.5 for s in scores]):
        with pytest.raises(InconsistentScores):
            attack.decode(wrong)


def test_decoding_without_encoding_first_gives_the_same_labels():
    """The constants that encoding leaves behind are a short cut, not a hidden input."""
    scenario = channel(198, 5, columns=2)
    labels = np.arange(198) % 2
    scores = [Leaderboard(labels, 5)(u) for u in build(Designs(), scenario).queries()]
    assert (build(Designs(), scenario).decode(scores) == labels).all()
