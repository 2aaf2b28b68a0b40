"""Few scored rows of many, by counts: through scikit-learn's own log_loss."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dsl.numbers import Real
from dsl.scenario import Bounded
from planner.attacks.attack import NOT_SCORED, InconsistentScores
from planner.attacks.parameters import parameters_from_json
from planner.attacks.split_count.parameters import BLOCKS, most_queries
from planner.attacks.split_count.theorem import SplitCounts
from planner.attacks.split_design.theorem import SplitDesigns
from planner.attacks.splitting.bound import halving
from planner.certify import certify
from planner.considering import consider
from tests.attacks.leaderboard import channel
from tests.attacks.test_split import Part, both, splits, states, there, wanted


def test_few_scored_rows_of_many():
    """25,000 rows, 250 of them scored: 325 queries were asked for, typically."""
    board = both(25_000, 250, 5)
    found = consider(SplitCounts(), board)
    assert found.certified.queries <= 201
    assert consider(SplitCounts(), there(25_000, 250, 5)).certified.queries <= 166
    attack = found.build()
    labels, rows = next(splits(25_000, 250))
    score = Part(labels, rows, 5)
    assert (attack.recover(score) == wanted(labels, rows, NOT_SCORED)).all()
    assert score.asked <= 160
    assert consider(SplitDesigns(), board).certified.queries > 2000


BOARDS = [(60, 4, 2, 3, 2), (60, 59, 2, 3, 2), (80, 1, 2, 2, 1), (40, 10, 2, 2, 1), (60, 9, 3, 3, 3), (50, 12, 6, 3, 6)]


@pytest.mark.parametrize("find", ["labels", "labels_and_split"])
@pytest.mark.parametrize(("N", "n", "K", "decimals", "columns"), BOARDS)
def test_labels_and_split(N, n, K, decimals, columns, find):
    found = consider(SplitCounts(), channel(N, decimals, columns=columns, K=K, public=n, find=find))
    attack, outside = found.build(), NOT_SCORED if find == "labels_and_split" else 0
    coins = np.random.default_rng(K)
    rows = np.sort(coins.permutation(N)[:n])
    for labels in (coins.integers(0, K, N), np.zeros(N, dtype=int), np.full(N, K - 1), np.arange(N) % K):
        board = Part(labels, rows, decimals)
        assert (attack.recover(board) == wanted(labels, rows, outside)).all()
        assert board.asked <= found.certified.queries


@pytest.mark.parametrize("sign", [1, -1, 0])
def test_every_state_of_four_rows_with_noise_at_the_bound(sign):
    coins, tau = np.random.default_rng(5), 0.5
    for n in (1, 2, 3):
        found = consider(SplitCounts(), both(4, n, 2, noise=Bounded(Real.of(tau))))
        attack = found.build()
        for state in states(4):
            rows = np.flatnonzero(state >= 0)
            if len(rows) == n:
                board = Part(state, rows, 2, noise=lambda: 0.999 * tau * (sign or coins.choice([-1, 1])))
                assert (attack.recover(board) == state).all()
                assert board.asked <= found.certified.queries


def test_scores_that_nothing_explains_are_refused():
    attack = consider(SplitCounts(), both(60, 9, 3)).build()
    labels, rows = next(splits(60, 9))
    unit, coins = float(attack.parameters.unit) / 9, np.random.default_rng(3)
    for _ in range(5):
        board = Part(labels, rows, None)
        with pytest.raises(InconsistentScores):
            attack.recover(lambda u, board=board: board(u) + 0.6 * unit * coins.choice([-1, 1]))


def test_a_count_that_nothing_explains_is_refused():
    """A third of a row too much: the nearest number is right, and the score is not its."""
    attack = consider(SplitCounts(), both(60, 9, 3)).build()
    labels, rows = next(splits(60, 9))
    board, third = Part(labels, rows, 3), float(attack.parameters.most) / 27
    with pytest.raises(InconsistentScores):
        attack.recover(lambda u: board(u) + round(third, 3) * (board.asked == 1))


def test_another_number_of_scored_rows_is_noticed():
    coins = np.random.default_rng(9)
    for K in (2, 3):
        attack = consider(SplitCounts(), channel(60, 4, columns=K, K=K, public=9, find="labels_and_split")).build()
        for n in (4, 8, 10, 60):
            with pytest.raises(InconsistentScores):
                attack.recover(Part(coins.integers(0, K, 60), np.sort(coins.permutation(60)[:n]), 4))


def test_one_step_further_is_not_certified():
    for K in (2, 5):
        there = channel(60, 3, columns=K, K=K, public=20, find="labels_and_split")
        p = consider(SplitCounts(), there).certified.certificate.parameters
        assert parameters_from_json(p.to_json()) == p
        assert certify(there, p).holds
        for worse in (
            replace(p, queries=p.queries - 1),
            replace(p, amplitude=p.amplitude * 2),
            replace(p, amplitude=1),
            replace(p, unit=p.unit / 2),
            replace(p, others_amplitude=p.others_amplitude * 2),
            replace(p, others_unit=p.others_unit / 2),
            replace(p, others_centre=p.others_centre * Fraction(9, 8)),
            replace(p, others_amplitude=0),
            replace(p, later=p.later * 2),
            replace(p, later=p.later / 2),
            replace(p, members=() if p.members else p.members * 2) if K > 2 else replace(p, classes=3),
        ):
            assert not certify(there, worse).holds


def test_numbers_of_members_are_reckoned_with_together():
    for rows, scored in ((400, 60), (1000, 40)):
        exact = max(
            halving(rows, k, 900) + halving(rows - k, scored - k, 1500) + 3 * (k > 0) - 1 for k in range(scored + 1)
        )
        assert scored > BLOCKS
        assert exact <= most_queries(rows, scored, 900, 1500, 3) <= exact + 4


def test_refusals_say_why():
    for board, field in (
        (channel(60, 3, columns=2), "public"),
        (both(60, 20, 3, adaptive=False), "adaptive"),
        (both(60, 20, 0, noise=Bounded(Real.of(9))), "decimals"),
    ):
        found = consider(SplitCounts(), board)
        assert found.certified is None
        assert field in {one.field for one in found.reasons}
