"""Who is scored, asked directly where rows need not sum to 1: through scikit-learn's own log_loss."""

from __future__ import annotations

import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics import log_loss

from dsl import loads
from planner.attacks.attack import NOT_SCORED, InconsistentScores
from planner.attacks.parameters import parameters_from_json
from planner.attacks.split_design.theorem import SplitDesigns
from planner.attacks.split_members.theorem import SplitMembership
from planner.attacks.split_peel.theorem import SplitPeeling
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.considering import consider
from tests.attacks.test_split import states, wanted


def there(N, n, decimals, K=2, more=""):
    text = f"N = {N}; K = {K}; public = {n}; decimals = {decimals}; scorer = sklearn; columns = {K}; {more}"
    return channel_of(loads(f"scenario part {{ {text} find = labels_and_split }}")[0])


class Library:
    """scikit-learn's log_loss of the scored rows; its function answers the first queries, the same operations the others."""

    def __init__(self, labels, rows, decimals, K=2, noise=lambda: 0.0):
        self.labels, self.rows, self.decimals, self.noise = labels[rows], rows, decimals, noise
        self.K, self.asked = K, 0

    def __call__(self, u):
        self.asked += 1
        p = u[self.rows]
        tiny = np.finfo(float).eps
        score = float(np.average(-np.log(np.clip(p[np.arange(len(p)), self.labels], tiny, 1 - tiny))))
        if self.asked in (1, 2, 40):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # rows do not sum to 1
                known = log_loss(self.labels, p, labels=np.arange(self.K))
            assert abs(score - known) <= 1e-15 * (1 + known)
        return round(score + self.noise(), self.decimals)


FIGURES = [(506, 198, 2, 5, 42), (512, 154, 3, 5, 45), (1372, 412, 10, 4, 201)]


@pytest.mark.parametrize(("N", "n", "K", "decimals", "most"), FIGURES)
def test_who_is_scored_and_of_which_class(N, n, K, decimals, most):
    found = consider(SplitMembership(), there(N, n, decimals, K))
    assert found.certified.queries <= most
    attack, coins = found.build(), np.random.default_rng(N)
    for labels, rows in (
        (coins.integers(0, K, N), np.sort(coins.permutation(N)[:n])),
        (np.full(N, K - 1), np.arange(n)),
    ):
        board = Library(labels, rows, decimals, K)
        assert (attack.recover(board) == wanted(labels, rows, NOT_SCORED)).all()
        assert board.asked <= most


def test_it_takes_fewer_than_rows_that_sum_to_one():
    many = there(25_000, 7500, 5)
    assert (
        consider(SplitMembership(), many).certified.queries <= 2204 < consider(SplitDesigns(), many).certified.queries
    )
    classes = there(512, 154, 5, 3)
    assert consider(SplitMembership(), classes).certified.queries < consider(SplitPeeling(), classes).certified.queries


@pytest.mark.parametrize("sign", [1, -1, 0])
def test_every_state_of_four_rows_with_noise_at_the_bound(sign):
    coins, tau = np.random.default_rng(5), 0.5
    for n in (1, 2, 3):
        found = consider(SplitMembership(), there(4, n, 2, more=f"noise = bounded({tau});"))
        attack = found.build()
        for state in states(4):
            rows = np.flatnonzero(state >= 0)
            if len(rows) == n:
                board = Library(state, rows, 2, noise=lambda: 0.999 * tau * (sign or coins.choice([-1, 1])))
                assert (attack.recover(board) == state).all()
                assert board.asked <= found.certified.queries


def test_another_number_of_scored_rows_and_wrong_scores_are_noticed():
    attack, coins = consider(SplitMembership(), there(60, 20, 4)).build(), np.random.default_rng(2)
    labels = coins.integers(0, 2, 60)
    for n in (10, 19, 21, 60):
        with pytest.raises(InconsistentScores):
            attack.recover(Library(labels, np.sort(coins.permutation(60)[:n]), 4))
    gap = float(attack.parameters.asking_gap) / 20
    for _ in range(5):
        board = Library(labels, np.arange(20), 9)
        with pytest.raises(InconsistentScores):
            attack.recover(lambda u, board=board: board(u) + 0.6 * gap * coins.choice([-1, 1]))


def test_one_step_further_is_not_certified():
    for K in (2, 5):
        board = there(60, 20, 3, K)
        p = consider(SplitMembership(), board).certified.certificate.parameters
        assert parameters_from_json(p.to_json()) == p
        assert certify(board, p).holds
        for worse in (
            replace(p, queries=p.queries - 1),
            replace(p, part=19),
            replace(p, asking=replace(p.asking, **_fewer(p.asking))),
            replace(p, asking_gap=p.asking_gap * 2),
            replace(p, asking_gap=p.asking_gap / 2),
            replace(p, asking_centre=p.asking_centre * 2),
            replace(p, asking_centre=p.asking_centre / 2),
            replace(p, asking_centre=p.asking_centre - p.least - Fraction(1, 2)),  # predictions above 1
            replace(p, gap=p.gap * 2),
            replace(p, gap=p.gap / 2),
        ):
            assert not certify(board, worse).holds
        assert not certify(replace(board, any_sums=False), p).holds
        assert not certify(replace(board, adaptive=False), p).holds


def _fewer(design):
    return {"M": design.M - 1} if hasattr(design, "base") else {"blocks": design.blocks - 1}


def test_refusals_say_why():
    for board, field in (
        (replace(there(60, 20, 3), any_sums=False), "scorer"),
        (replace(there(60, 20, 3), adaptive=False), "adaptive"),
        (replace(there(60, 20, 3), scored=60, membership=False), "public"),
        (there(60, 20, 0, more="noise = bounded(9);"), "decimals"),
    ):
        found = consider(SplitMembership(), board)
        assert found.certified is None
        assert field in {one.field for one in found.reasons}
