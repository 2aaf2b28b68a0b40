"""Wrong labels of a guess behind rounding: every one is found, however they lie, in no more queries than promised."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pytest

import dsl
from backends.simulate import simulate
from dsl.numbers import Real
from dsl.scenario import Bounded
from planner import plan
from planner.attacks.attack import InconsistentScores, WorseGuess
from planner.attacks.hunting.parameters import group_bits, most_tests
from planner.attacks.hunting.run import correct, hunt
from planner.attacks.parameters import parameters_from_json
from planner.attacks.promise import NOISE, NOTHING
from planner.catalogue import BY_ID
from planner.certify import certify
from planner.considering import consider
from tests.attacks.leaderboard import Leaderboard, channel
from tests.attacks.test_rounded_noise import Hostile
from tests.planner.known import candidate

HUNT = BY_ID["threshold-splitting"]


def guessing(N, decimals, wrong, **more):
    """A channel whose attacker has at most so many labels wrong."""
    return replace(channel(N, decimals, **more), radius=wrong)


def certified(there):
    found = consider(HUNT, there)
    assert found.certified is not None, found.reasons
    return found.certified.certificate.parameters, found.build()


# -- how many tests --------------------------------------------------------------------------------------


@cache
def worst(rows, wrong):
    """The most tests that any labeling costs, verification included, by going through all of them."""
    if rows <= 0:
        return 0
    if wrong == 0:
        return 1
    size = 1 << group_bits(rows, wrong)
    hit = (1 + group_bits(rows, wrong) + worst(rows - first - 1, wrong - 1) for first in range(size))
    return max(1 + worst(rows - size, wrong), *hit)


def test_no_labeling_takes_more_tests():
    """And some labeling takes as many: the bound is the worst case itself."""
    for rows in range(1, 70):
        for wrong in range(1, rows + 3):
            assert most_tests(rows, wrong) <= worst(rows, wrong) <= most_tests(rows, wrong) + 1
            assert most_tests(rows, wrong) >= most_tests(rows, wrong - 1)
    assert [most_tests(n, 1) for n in (1, 2, 3, 4, 7, 8, 1023, 1024)] == [1, 2, 2, 3, 3, 4, 10, 11]
    assert (most_tests(5, 0), most_tests(0, 5), most_tests(1988, 20)) == (0, 0, 169)


@pytest.mark.parametrize("rows", range(1, 11))
def test_every_set_of_wrong_rows_is_found(rows):
    places = np.arange(100, 100 + rows)
    for most in range(rows + 2):
        for wrong in range(rows + 1):
            for chosen in combinations(range(100, 100 + rows), wrong):
                asked = []

                def any_wrong(some, chosen=chosen, asked=asked):
                    asked.append(len(some))
                    return bool(set(some.tolist()) & set(chosen))

                assert hunt(places, most, any_wrong).tolist() == list(chosen)
                assert 0 not in asked
                if wrong <= most:
                    assert len(asked) <= most_tests(rows, most) + 1


# -- every labeling ----------------------------------------------------------------------------------------


def recovered(attack, board):
    """The labels, or None where the guess is called worse than assumed."""
    try:
        return attack.recover(board)
    except WorseGuess as worse:
        return None if "or more wrong" in str(worse) else worse


SMALL = [(7, 0, 1), (7, 0, 2), (6, 1, 1), (8, 1, 2), (9, 0, 1), (10, 0, 2), (11, 0, 2)]


@pytest.mark.parametrize(("N", "decimals", "columns"), SMALL)
@pytest.mark.parametrize("wrong", [1, 2, 4])
def test_every_labeling_and_every_guess_that_is_worse(N, decimals, columns, wrong, thorough):
    """No more wrong than assumed: as promised. More: exact or called so, and never wrong."""
    p, attack = certified(guessing(N, decimals, wrong, columns=columns))
    guess = np.arange(N) % 3 == 0
    for number in range(2**N) if thorough or N < 9 else random.Random(N).sample(range(2**N), 64):
        labels = (number >> np.arange(N)) & 1
        board = Hostile(labels, decimals)  # without noise
        found = recovered(attack.knowing(guess), board)
        assert np.array_equal(found, labels) or (found is None and int((labels != guess).sum()) > wrong)
        assert board.asked <= p.queries


def layouts(N, wrong):
    """Which rows a guess has wrong: adjacent, evenly spaced, in pairs, first and last, at random."""
    yield np.arange(N // 3, N // 3 + wrong)
    yield np.arange(N - wrong, N)
    yield np.linspace(0, N - 1, wrong).astype(int)
    yield np.concatenate([np.arange(0, wrong) // 2 * (2 * N // wrong - 3) + np.arange(wrong) % 2])
    yield np.random.default_rng(wrong).permutation(N)[:wrong]


@pytest.mark.parametrize(
    ("N", "decimals", "wrong", "queries"), [(2000, 1, 20, 186), (600, 0, 6, 96), (1500, 1, 1, 22), (400, 2, 60, 290)]
)
def test_however_the_wrong_labels_lie(N, decimals, wrong, queries):
    p, attack = certified(guessing(N, decimals, wrong, columns=2))
    assert p.queries <= queries
    coins = np.random.default_rng(N)
    for rows in layouts(N, wrong):
        labels = coins.integers(0, 2, N)
        guess = labels.copy()
        guess[rows] = 1 - guess[rows]
        board = Leaderboard(labels, decimals)
        assert np.array_equal(attack.knowing(guess).recover(board), labels)
        assert board.asked <= p.queries


def test_fewer_and_more_wrong_than_assumed():
    p, attack = certified(guessing(500, 1, 10, columns=2))
    coins = np.random.default_rng(3)
    for wrong in (0, 3, 10, 12, 60):
        labels = coins.integers(0, 2, 500)
        guess = labels.copy()
        rows = coins.permutation(500)[:wrong]
        guess[rows] = 1 - guess[rows]
        board = Leaderboard(labels, 1)
        found = recovered(attack.knowing(guess), board)
        assert np.array_equal(found, labels) or (found is None and wrong > 10)
        assert board.asked <= p.queries
    assert found is None, "six times as many wrong labels show"


def test_offset_rows_are_split_where_they_are_many():
    p, attack = certified(guessing(600, 0, 2, columns=2))
    assert p.splits_offset
    assert p.queries == p.bootstrap + most_tests(600 - p.offset_rows, 2) + 1 + most_tests(p.offset_rows, 2) + 1
    for rows in ([598, 599], [0, 599], [10, 11], [597], []):
        labels = np.random.default_rng(1).integers(0, 2, 600)
        guess = labels.copy()
        guess[rows] = 1 - guess[rows]
        board = Leaderboard(labels, 0)
        assert np.array_equal(attack.knowing(guess).recover(board), labels)
        assert board.asked <= p.queries


# -- noise -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("N", "decimals", "N_tau"), [(600, 1, "15"), (300, 0, "6")])
def test_noise_within_the_margin_changes_nothing(N, decimals, N_tau, sign):
    tau = Fraction(N_tau) / N
    p, attack = certified(guessing(N, decimals, 5, columns=2, noise=Bounded(Real.of(tau))))
    coins = np.random.default_rng(5)
    for rows in layouts(N, 5):
        labels = coins.integers(0, 2, N)
        guess = labels.copy()
        guess[rows] = 1 - guess[rows]
        board = Hostile(labels, decimals, tau=float(tau) * 0.999, sign=sign)
        assert np.array_equal(attack.knowing(guess).recover(board), labels)
        assert board.asked <= p.queries


def test_more_noise_is_noticed():
    _, attack = certified(guessing(600, 1, 5, columns=2))
    labels = np.random.default_rng(2).integers(0, 2, 600)
    coins = np.random.default_rng(3)
    for _ in range(5):
        with pytest.raises(InconsistentScores):
            attack.knowing(labels).recover(Leaderboard(labels, 1, noise=lambda: coins.normal(0, 0.1)))


def test_a_score_that_no_labels_explain_is_noticed():
    """Three units too high, any one of them: where a wrong label shows anyway, only what it shows exactly tells."""
    _, attack = certified(guessing(60, 0, 3, columns=2))
    labels = np.random.default_rng(4).integers(0, 2, 60)
    guess = labels.copy()
    guess[[3, 30, 59]] = 1 - guess[[3, 30, 59]]
    honest = Leaderboard(labels, 0)
    assert np.array_equal(attack.knowing(guess).recover(honest), labels)
    for lie in range(1, honest.asked + 1):
        board = Leaderboard(labels, 0)
        with pytest.raises(InconsistentScores):
            attack.knowing(guess).recover(lambda u, board=board, lie=lie: board(u) + 3 * (board.asked == lie))


def test_the_offset_s_labels_must_add_up_to_its_count(monkeypatch):
    """A hunt that misses one of the offset's rows contradicts the bootstrap."""
    _, attack = certified(guessing(600, 0, 2, columns=2))
    labels = np.random.default_rng(6).integers(0, 2, 600)

    def careless(comparator, found, rows, offset, most):
        right = correct(comparator, found, rows, offset, most)
        found[rows[-1]] = 1 - found[rows[-1]] if rows[-1] == 599 else found[rows[-1]]
        return right

    monkeypatch.setattr("planner.attacks.hunting.run.correct", careless)
    with pytest.raises(InconsistentScores, match="add up"):
        attack.knowing(labels).recover(Leaderboard(labels, 0))


# -- plans -------------------------------------------------------------------------------------------------


def scenario(fields):
    return dsl.loads(f"scenario x {{ scorer = sklearn; columns = 2; {fields} }}")[0]


@pytest.mark.parametrize(
    ("fields", "over"),
    [
        ("N = 2000; decimals = 1; guess = 99%", NOTHING),
        ("N = 2000; decimals = 1; guess = 99%; noise = bounded(0.006)", NOTHING),
        ("N = 2000; decimals = 1; guess = 99%; noise = gaussian(0.0005)", NOISE),
        ("N = 900; decimals = 1; positives = 9", NOTHING),
        ("N = 900; decimals = truncated(1); guess = 99%; noise = uniform(0, 1/200)", NOTHING),
    ],
)
def test_plans_are_run_by_a_library(fields, over):
    report = plan(scenario(fields))
    found = candidate(report, "threshold-splitting")
    assert report.best.attack == "threshold-splitting"
    assert found.certified.certificate.promise.over == over
    run = simulate(report, trials=1, scorer="sklearn", noise_mode="rival")
    assert (run.exact_trials, run.failures) == (1, ())
    assert run.queries <= found.certified.queries


def test_one_step_further_is_not_certified():
    there = guessing(600, 1, 5, columns=2)
    p, _ = certified(there)
    assert parameters_from_json(p.to_json()) == p
    assert certify(there, p).holds
    for worse in (
        replace(p, queries=p.queries - 1),
        replace(p, wrong=4),
        replace(p, offset_rows=p.offset_rows - 1),
        replace(p, least=Fraction(1, 10**11)),
    ):
        assert not certify(there, worse).holds
    assert not certify(replace(there, radius=6), p).holds
    assert certify(replace(there, radius=4), p).holds


def test_refusals_say_why():
    for there, field in (
        (channel(100, 1), "guess"),
        (guessing(100, 1, 5, columns=3, K=3), "K"),
        (guessing(100, 1, 5, adaptive=False), "adaptive"),
        (guessing(100, None, 5), "decimals"),
    ):
        found = consider(HUNT, there)
        assert found.certified is None
        assert field in {one.field for one in found.reasons}
