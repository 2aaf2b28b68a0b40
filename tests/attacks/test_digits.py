"""Base-K digits: blocks of classes, through scikit-learn and in fixed point."""

from __future__ import annotations

import numpy as np
import pytest

from planner.attacks.attack import InconsistentScores
from planner.attacks.digits.theorem import Digits
from planner.considering import consider
from tests.attacks.leaderboard import Leaderboard, channel


@pytest.mark.parametrize("K", [3, 4, 10])
@pytest.mark.parametrize("decimals", [5, None])
def test_every_kind_of_labeling(K, decimals):
    N = 250
    scenario = channel(N, decimals, columns=K, K=K)
    candidate = consider(Digits(), scenario)
    attack = candidate.build()
    coins = np.random.default_rng(K)
    for labels in (coins.integers(0, K, N), np.zeros(N, dtype=int), np.full(N, K - 1), np.arange(N) % K):
        board = Leaderboard(labels, decimals)
        assert (attack.recover(board) == labels).all()
        assert board.asked == candidate.certified.queries


def test_a_score_beyond_every_labeling_is_refused():
    scenario = channel(50, 5, columns=3, K=3)
    attack = consider(Digits(), scenario).build()
    count = sum(1 for _ in attack.queries())
    for score in (99.0, 0.0, float("nan")):
        with pytest.raises(InconsistentScores):
            attack.decode([score] * count)
