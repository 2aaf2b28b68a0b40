"""Power sums: every labeling near the guess by queries that are listed beforehand, and a worse guess is noticed."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from planner.attacks.attack import InconsistentScores, WorseGuess
from planner.attacks.power_sums.run import PowerSumsAttack
from planner.attacks.power_sums.theorem import PowerSumsOfRows
from planner.certify import certify
from planner.considering import consider
from tests.attacks.leaderboard import Leaderboard
from tests.attacks.test_splitting import CLIP, failing, informed, kinds_of_wrong, losses, spoiled


def build(there) -> PowerSumsAttack:
    one = consider(PowerSumsOfRows(), there)
    assert one.certified is not None, one.reasons
    attack = one.build()
    assert isinstance(attack, PowerSumsAttack)
    return attack


@pytest.mark.parametrize(("N", "decimals"), [(2, 1), (3, 1), (5, 0), (5, 1), (7, 0), (9, 0), (10, 1), (11, 0)])
def test_every_labeling_of_a_small_board(N, decimals, thorough):
    for wrong in range(1, N if thorough or N < 9 else 3):
        attack = build(replace(informed(N, wrong, decimals), adaptive=False))
        labels = np.arange(N) % 2
        for rows in itertools.chain.from_iterable(itertools.combinations(range(N), c) for c in range(wrong + 1)):
            guess = spoiled(labels, np.array(rows, dtype=int))
            board = lambda u, labels=labels: round(losses(labels, u), decimals)  # noqa: E731
            assert (attack.knowing(guess).recover(board) == labels).all()


BOARDS = [(198, 2, 5, 2, 3), (198, 10, 4, 2, 11), (2000, 20, 5, 2, 21), (2000, 20, 5, 1, 21), (2000, 20, 3, 2, 61)]


@pytest.mark.parametrize(("N", "wrong", "decimals", "columns", "queries"), BOARDS)
def test_as_many_queries_as_digits_of_powers(N, wrong, decimals, columns, queries):
    attack = build(replace(informed(N, wrong, decimals, columns), adaptive=False))
    labels = np.random.default_rng(N).integers(0, 2, N)
    for count, rows in zip((wrong, wrong, wrong - 1, 0), kinds_of_wrong(N, wrong).values(), strict=True):
        board = Leaderboard(labels, decimals, clip=float(CLIP))
        assert (attack.knowing(spoiled(labels, rows[:count])).recover(board) == labels).all()
        assert board.asked == attack.parameters.queries == queries


def test_a_large_board_is_planned():
    there = replace(informed(12_500, 125, 5), adaptive=False)
    assert build(there).parameters.queries == 251


@pytest.mark.parametrize("more", [11, 198])
def test_a_worse_guess_is_noticed(more):
    attack = build(informed(198, 10, 4))
    labels = np.random.default_rng(5).integers(0, 2, 198)
    with pytest.raises(WorseGuess, match=f"{more} labels wrong"):
        attack.knowing(spoiled(labels, np.arange(more))).recover(Leaderboard(labels, 4, clip=float(CLIP)))


def test_fewer_labels_than_rows_leave_the_others_unsaid():
    attack = build(replace(informed(198, 10, 4), wanted=50))
    labels = np.random.default_rng(8).integers(0, 2, 198)
    for rows in (np.arange(10), np.arange(45, 55)):
        found = attack.knowing(spoiled(labels, rows)).recover(Leaderboard(labels, 4, clip=float(CLIP)))
        assert (found[:50] == labels[:50]).all()
        assert (found[50:] == -1).all()


def test_errors_at_the_certified_bound_change_nothing():
    attack = build(informed(198, 6, 4))
    labels, coins = np.random.default_rng(4).integers(0, 2, 198), np.random.default_rng(6)
    largest = float(attack.tolerance * attack.parameters.unit) / 198
    attack = attack.knowing(spoiled(labels, kinds_of_wrong(198, 6)["pairs"]))
    for signs in (lambda: 1, lambda: -1, lambda: coins.choice([-1, 1])):
        bearable = lambda u, signs=signs: losses(labels, u) + 0.999 * signs() * largest  # noqa: E731
        assert (attack.recover(bearable) == labels).all()


def test_sums_that_are_right_modulo_the_prime_alone_are_refused():
    attack = build(informed(198, 6, 4))
    labels = np.random.default_rng(4).integers(0, 2, 198)
    attack = attack.knowing(spoiled(labels, np.array([3, 50])))
    scores = [losses(labels, u) for u in attack.queries()]
    assert (attack.decode(scores) == labels).all()
    p = attack.parameters
    for at in range(1, len(scores)):
        moved = scores[at] + float(p.unit) * p.prime / 198
        with pytest.raises(InconsistentScores, match="fits no labeling"):
            attack.decode([*scores[:at], moved, *scores[at + 1 :]])
    for wrong in (scores[:-1], [*scores, 0.0], [float("nan")] * len(scores), [s + 0.5 for s in scores]):
        with pytest.raises(InconsistentScores):
            attack.decode(wrong)


def test_one_step_past_the_certificate_fails():
    there = replace(informed(2000, 20, 5), adaptive=False)
    p = build(there).parameters
    assert certify(there, p).holds
    assert "queries" in failing(there, replace(p, queries=p.queries - 1))
    assert failing(there, replace(p, radius=19, queries=20)) == {
        "wrong labels that are told >= wrong labels of the guess"
    }
    assert failing(there, replace(p, unit=p.unit * Fraction(1001, 1000))) == {"W >= unit x amplitude"}
    assert failing(there, replace(p, unit=p.unit * Fraction(999, 1000))) == {"unit > 2 (E + dev)"}
    assert failing(there, replace(p, prime=2001)) == {"rows that power sums tell >= labels"}
    assert failing(replace(there, classes=3, columns=3), p) >= {"K"}
    assert failing(replace(there, radius=2000), p) >= {"guess"}


def test_a_count_is_one_of_the_labels_and_none_beyond_what_is_promised():
    attack = build(replace(informed(5, 2, 1), adaptive=False))
    assert [attack._count(count) for count in range(3)] == [0, 1, 2]
    for count in (-1, 6):
        with pytest.raises(InconsistentScores, match="fits no labeling"):
            attack._count(count)
    for count in (3, 5):
        with pytest.raises(WorseGuess):
            attack._count(count)
