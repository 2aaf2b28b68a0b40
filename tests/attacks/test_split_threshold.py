"""A secret part of the rows past what rounding lets through: comparisons, through scikit-learn's own log_loss."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import pytest

from dsl.numbers import Real
from dsl.scenario import Bounded, Gaussian
from planner.attacks.attack import NOT_SCORED, InconsistentScores
from planner.attacks.hunting.parameters import most_tests
from planner.attacks.parameters import parameters_from_json
from planner.attacks.promise import NOISE
from planner.attacks.split_design.theorem import SplitDesigns
from planner.attacks.split_threshold.certify import comparison_error
from planner.attacks.split_threshold.parameters import BLOCKS, both_classes, comparisons, one_class
from planner.attacks.split_threshold.run import Board
from planner.attacks.split_threshold.theorem import SplitThreshold
from planner.certify import certify
from planner.considering import consider
from tests.attacks.leaderboard import channel
from tests.attacks.test_split import Part, both, splits, states, there, wanted

FIGURES = [(300, 90, 0, 395, 368), (300, 9, 0, 74, 68)]


@pytest.mark.parametrize(("N", "n", "decimals", "promised", "seen"), FIGURES)
def test_labels_and_split_however_few_decimals_are_shown(N, n, decimals, promised, seen):
    """Whole numbers: half a unit, n times over, is more than W. At best a query tells one bit."""
    found = consider(SplitThreshold(), both(N, n, decimals))
    attack, asked = found.build(), []
    assert found.certified.queries <= promised
    for labels, rows in splits(N, n):
        board = Part(labels, rows, decimals)
        assert (attack.recover(board) == wanted(labels, rows, NOT_SCORED)).all()
        asked.append(board.asked)
    assert max(asked) <= found.certified.queries
    assert asked[0] <= seen


def test_labels_alone_take_fewer():
    found = consider(SplitThreshold(), there(300, 90, 0))
    assert found.certified.queries <= 290
    attack = found.build()
    for labels, rows in splits(300, 90):
        board = Part(labels, rows, 0)
        assert (attack.recover(board)[rows] == labels[rows]).all()
        assert board.asked <= found.certified.queries


@pytest.mark.parametrize(("columns", "truncates"), [(1, False), (2, True)])
def test_one_column_and_scores_that_are_cut_off(columns, truncates):
    board = both(40, 30, 0, columns)
    if truncates:
        from dsl.scenario import Truncated

        board = replace(board, shown=Truncated(0))
    attack = consider(SplitThreshold(), board).build()
    for labels, rows in splits(40, 30):
        scored = Part(labels, rows, 0, truncates=truncates)
        assert (attack.recover(scored) == wanted(labels, rows, NOT_SCORED)).all()


# -- every state, noise at the bound -----------------------------------------------------------------------


@pytest.mark.parametrize("sign", [1, -1, 0])
def test_every_state_of_four_rows_with_noise_at_the_bound(sign):
    """Noise takes 0.999 of what the least margin bears, always one way or by a coin."""
    coins = np.random.default_rng(5)
    for n in (1, 2, 3):
        there = both(4, n, 0, noise=Bounded(Real.of(Fraction(1, n))))
        found = consider(SplitThreshold(), there)
        attack = found.build()
        tau = 0.999 / n
        for state in states(4):
            rows = np.flatnonzero(state >= 0)
            if len(rows) == n:
                board = Part(state, rows, 0, noise=lambda tau=tau: tau * (sign or coins.choice([-1, 1])))
                assert (attack.recover(board) == state).all()
                assert board.asked <= found.certified.queries


@pytest.mark.parametrize("ones", [0, 1, 6, 11, 12])
def test_any_number_of_ones(ones):
    """None, one, half, all but one, all: which class moves the sum changes."""
    alone, whole = (consider(SplitThreshold(), make(20, 12, 0)).build() for make in (there, both))
    labels, rows = np.zeros(20, dtype=int), np.arange(4, 16)
    labels[rows[:ones]] = 1
    assert (alone.recover(Part(labels, rows, 0))[rows] == labels[rows]).all()
    assert (whole.recover(Part(labels, rows, 0)) == wanted(labels, rows, NOT_SCORED)).all()


def test_noise_without_a_bound_fails_as_rarely_as_is_promised():
    there = both(12, 8, 1, noise=Gaussian(Real.of(Fraction(1, 10))), confidence=Fraction(99, 100))
    found = consider(SplitThreshold(), there)
    assert found.certified.certificate.promise.over == NOISE
    attack, coins, right = found.build(), np.random.default_rng(1), 0
    labels, rows = next(splits(12, 8))
    for _ in range(20):
        board = Part(labels, rows, 1, noise=lambda: coins.normal(0, 0.1))
        right += bool((attack.recover(board) == wanted(labels, rows, NOT_SCORED)).all())
    assert right == 20


# -- what it refuses ---------------------------------------------------------------------------------------


def test_more_noise_is_noticed():
    attack = consider(SplitThreshold(), both(60, 40, 0)).build()
    labels, rows = next(splits(60, 40))
    coins = np.random.default_rng(3)
    for _ in range(5):
        with pytest.raises(InconsistentScores):
            attack.recover(Part(labels, rows, 0, noise=lambda: coins.normal(0, 1)))


def test_any_score_that_labels_do_not_explain_is_noticed():
    """Two units too many, anywhere: where the comparison comes out alike, only what it shows exactly tells."""
    for make in (both, there):
        attack = consider(SplitThreshold(), make(10, 8, 0)).build()
        labels, rows = next(splits(10, 8))
        honest = Part(labels, rows, 0)
        attack.recover(honest)
        for lie in range(1, honest.asked + 1):
            board = Part(labels, rows, 0)
            with pytest.raises(InconsistentScores):
                attack.recover(lambda u, board=board, lie=lie: board(u) + 2 * (board.asked == lie))


def test_another_number_of_scored_rows_is_noticed():
    attack = consider(SplitThreshold(), both(60, 40, 1)).build()
    coins = np.random.default_rng(4)
    for n in (20, 30, 50, 60):
        with pytest.raises(InconsistentScores):
            attack.recover(Part(coins.integers(0, 2, 60), np.sort(coins.permutation(60)[:n]), 1))


def test_scores_with_more_digits_are_refused():
    labels, rows = next(splits(60, 40))
    with pytest.raises(InconsistentScores, match="multiple"):
        consider(SplitThreshold(), both(60, 40, 0)).build().recover(Part(labels, rows, 3))


def test_one_step_further_is_not_certified():
    there = both(300, 90, 0)
    p = consider(SplitThreshold(), there).certified.certificate.parameters
    assert parameters_from_json(p.to_json()) == p
    assert certify(there, p).holds
    for worse in (
        replace(p, queries=p.queries - 1),
        replace(p, rarest=p.rarest - 1),
        replace(p, turn=p.most),
        replace(p, least=p.start),
        replace(p, start=p.least * 2),
        replace(p, start=Fraction(1, 10**14)),
        replace(p, most=p.most * 2),
        replace(p, both=False),
        replace(p, rarest=46),  # the commoner class may have no more than 45
        replace(p, turn=p.least + Fraction(90) / (p.rarest - Fraction(1, 4))),  # half a member too little
    ):
        assert not certify(there, worse).holds
    noisy = both(300, 90, 0, noise=Bounded(Real.of(Fraction(1, 45))))
    p = consider(SplitThreshold(), noisy).certified.certificate.parameters
    error = Fraction(float(comparison_error(noisy, p)))
    assert error > 2
    assert certify(noisy, p).holds
    assert not certify(noisy, replace(p, turn=p.turn + error)).holds  # both sides of a boundary need the error


def test_refusals_say_why():
    for board, field in (
        (channel(60, 0, columns=2), "public"),
        (channel(60, 0, columns=3, K=3, public=20), "K"),
        (both(60, 20, None), "decimals"),
        (both(60, 20, 0, adaptive=False), "adaptive"),
        (both(60, 20, 0, clip="0.3"), "clip"),
    ):
        found = consider(SplitThreshold(), board)
        assert found.certified is None
        assert field in {one.field for one in found.reasons}


def test_below_the_rounding_limit_designs_take_fewer():
    board = both(60, 20, 0)
    assert consider(SplitDesigns(), board).certified.queries < consider(SplitThreshold(), board).certified.queries
    past = both(60, 40, 0)
    assert consider(SplitDesigns(), past).certified is None
    assert consider(SplitThreshold(), past).certified is not None


# -- how many tests it takes -------------------------------------------------------------------------------


def test_tests_for_every_set_of_members():
    board = Board.__new__(Board)
    for rows in range(1, 9):
        for count in range(rows + 1):
            for members in combinations(range(rows), count):
                tests = []
                held = lambda some, members=members, tests=tests: tests.append(1) or bool(set(some) & set(members))  # noqa: E731
                found = board._members(np.arange(rows), count, held)
                assert sorted(found) == list(members)
                assert len(tests) <= most_tests(rows, count)


def test_tests_never_fall_as_rows_or_members_grow():
    table = [[most_tests(rows, members) for members in range(rows + 1)] for rows in range(130)]
    for rows in range(1, 130):
        assert all(a <= b for a, b in zip(table[rows], table[rows][1:], strict=False))
        assert all(a <= b for a, b in zip(table[rows - 1], table[rows], strict=False))


def test_many_sizes_are_reckoned_with_together():
    for rows, scored in ((3000, 2000), (5000, 600)):
        exact = max(
            most_tests(rows, k) + most_tests(rows - k, scored - k) for k in range((scored + 1) // 2, scored + 1)
        )
        assert scored // 2 > BLOCKS
        assert exact <= both_classes(rows, scored) <= exact + 12
    assert comparisons(10**6, 3 * 10**5, 10, True) > 10**6


@pytest.mark.parametrize("rarest", [1, 2, 3, 5])
def test_the_class_that_is_looked_for_moves_a_cell_and_has_its_tests(rarest):
    board = Board.__new__(Board)
    board.parameters = SimpleNamespace(both=False, rarest=rarest)
    for rows, scored in product((9, 16, 40), range(2 * rarest, 9)):
        for ones in range(scored + 1):
            counts = scored - ones, ones
            looked_for = counts[board._first(counts)]
            assert looked_for >= rarest or not looked_for
            assert most_tests(rows, looked_for) <= one_class(rows, scored, rarest)
