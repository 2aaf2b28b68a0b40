"""A secret part of the rows under random noise: averages by a Hadamard matrix."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dsl.numbers import Real
from dsl.scenario import Bounded, Gaussian, Laplace, Uniform
from planner.attacks.attack import NOT_SCORED, InconsistentScores
from planner.attacks.parameters import parameters_from_json
from planner.attacks.promise import NOISE
from planner.attacks.split_design.theorem import SplitDesigns
from planner.attacks.split_mean.certify import failure, fixed_error
from planner.attacks.split_mean.run import transformed
from planner.attacks.split_mean.theorem import SplitMeans
from planner.certify import certify
from planner.considering import consider
from tests.attacks.leaderboard import channel
from tests.attacks.test_split import Part, Squares, both, splits, states, wanted


def real(value):
    return Real.of(Fraction(value))


LAWS = {
    "gaussian": (Gaussian(real("0.3")), lambda coins: coins.normal(0, 0.3)),
    "laplace": (Laplace(real("0.2")), lambda coins: coins.laplace(0, 0.2)),
    "uniform": (Uniform(real("-0.5"), real("0.7")), lambda coins: coins.uniform(-0.5, 0.7)),
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("N", "n", "columns", "decimals"), [(40, 30, 2, None), (30, 29, 1, 2), (20, 1, 2, 1)])
def test_labels_and_split_under_random_noise(law, N, n, columns, decimals):
    noise, draw = LAWS[law]
    found = consider(SplitMeans(), both(N, n, decimals, columns, noise=noise))
    assert found.certified.certificate.promise.over == NOISE
    attack, coins = found.build(), np.random.default_rng(N)
    for labels, rows in splits(N, n):
        board = Part(labels, rows, decimals, noise=lambda: draw(coins))
        assert (attack.recover(board) == wanted(labels, rows, NOT_SCORED)).all()
        assert board.asked == found.certified.queries


def test_where_no_single_score_tells_anything():
    """The noise of n rows is twice W: a design would need it below half of W. As many queries as the next power of two."""
    board = both(300, 90, None, noise=Gaussian(real("0.3")))
    assert consider(SplitDesigns(), board).certified is None
    assert consider(SplitMeans(), board).certified.queries == 512
    noisy = both(40, 30, None, noise=Gaussian(real("1")))
    assert consider(SplitMeans(), noisy).certified.certificate.parameters.repeats > 1


def test_every_state_of_four_rows():
    attack = consider(SplitMeans(), both(4, 2, 1, noise=LAWS["uniform"][0])).build()
    coins = np.random.default_rng(8)
    for state in states(4):
        rows = np.flatnonzero(state >= 0)
        if len(rows) == 2:
            assert (attack.recover(Part(state, rows, 1, noise=lambda: coins.uniform(-0.5, 0.7))) == state).all()


def test_squares_are_averaged_too():
    board = channel(20, None, columns=1, clip=None, metric="brier", public=8, noise=Gaussian(real("0.01")))
    attack, coins = consider(SplitMeans(), board).build(), np.random.default_rng(3)
    for labels, rows in splits(20, 8):
        score = Squares("brier", labels, rows, 15, lambda: coins.normal(0, 0.01))
        assert (attack.recover(score) == wanted(labels, rows, NOT_SCORED)).all()


def test_a_row_is_misread_as_often_as_is_reckoned():
    """At fewer queries than are certified: as many rows are misread as Gaussian tails say, and an answer is refused."""
    n, N, coins = 20, 32, np.random.default_rng(4)
    board = both(N, n, None, noise=Gaussian(real("1.5")))
    p = replace(consider(SplitMeans(), board).certified.certificate.parameters, repeats=1, queries=32)
    each = float(failure(board, p)) / N
    assert 0.08 < each < 0.13
    attack, (labels, rows), misread = SplitMeans().build(board, p), next(splits(N, n)), 0
    truth = np.zeros(N)
    truth[rows] = 2 * labels[rows] - 1
    queries, score = list(attack.queries()), Part(labels, rows, None, noise=lambda: coins.normal(0, 1.5))
    for _ in range(30):
        scores = [score(query) for query in queries]
        sums = np.array([(n * one - float(attack._known)) / float(p.weight) * 2 for one in scores])
        wrong = np.rint(transformed(sums) / 32) != truth
        misread += int(wrong.sum())
        if int(wrong.sum()) % 2:
            with pytest.raises(InconsistentScores):
                attack.decode(scores)
    assert 0.6 * each < misread / (30 * N) < 1.5 * each


def test_more_noise_and_other_numbers_are_noticed():
    attack, coins = (
        consider(SplitMeans(), both(40, 30, None, noise=LAWS["uniform"][0])).build(),
        np.random.default_rng(6),
    )
    labels, rows = next(splits(40, 30))
    with pytest.raises(InconsistentScores):
        attack.recover(Part(labels, rows, None, noise=lambda: coins.uniform(-2, 2.2)))
    for n in (20, 29, 31, 40):
        with pytest.raises(InconsistentScores):
            attack.recover(Part(labels, np.arange(n), None, noise=lambda: coins.uniform(-0.5, 0.7)))


def test_one_step_further_is_not_certified():
    board = both(40, 30, None, noise=Gaussian(real("1")))
    p = consider(SplitMeans(), board).certified.certificate.parameters
    assert parameters_from_json(p.to_json()) == p
    assert certify(board, p).holds
    for worse in (
        replace(p, repeats=p.repeats - 1, queries=p.order * (p.repeats - 1)),
        replace(p, queries=p.queries - 1),
        replace(p, order=32, repeats=2 * p.repeats),
        replace(p, order=48, repeats=2 * p.repeats, queries=96 * p.repeats),
        replace(p, weight=p.weight * 2),
        replace(p, weight=p.weight / 2),
    ):
        assert not certify(board, worse).holds


def test_averages_have_half_of_the_chance_and_what_is_no_noise_is_counted():
    board = both(40, 30, 1, noise=Gaussian(real("3")))
    p = consider(SplitMeans(), board).certified.certificate.parameters
    fewer = replace(p, repeats=p.repeats - 1, queries=p.order * (p.repeats - 1))
    assert float(failure(board, p)) <= float(board.delta) / 2 < float(failure(board, fewer))
    assert float(failure(board, p)) > float(board.delta) / 8
    assert float(fixed_error(board, p)) >= 0.05


def test_a_score_that_states_do_not_explain_is_refused():
    """Off by three: the averages hardly move, and the score is none of these states'."""
    attack, coins = (
        consider(SplitMeans(), both(40, 30, None, noise=LAWS["uniform"][0])).build(),
        np.random.default_rng(6),
    )
    labels, rows = next(splits(40, 30))
    board = Part(labels, rows, None, noise=lambda: coins.uniform(-0.5, 0.7))
    with pytest.raises(InconsistentScores, match="fits no labeling"):
        attack.recover(lambda u: board(u) + 3 * (board.asked == 5))


def test_refusals_say_why():
    for board, field in (
        (channel(40, None, columns=2, noise=LAWS["gaussian"][0]), "public"),
        (both(40, 30, 3), "noise"),
        (both(40, 30, 3, noise=Bounded(real("0.1"))), "noise"),
        (channel(40, None, columns=3, K=3, public=9, noise=LAWS["gaussian"][0]), "K"),
    ):
        found = consider(SplitMeans(), board)
        assert found.certified is None
        assert field in {one.field for one in found.reasons}
