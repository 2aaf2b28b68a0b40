"""Splitting: never wrong for any labeling, never above the queries it promises, and a worse guess is noticed."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss

from dsl import loads
from dsl.numbers import Real
from dsl.scenario import Bounded, Gaussian, Multiplicative
from planner.attacks.attack import InconsistentScores, WorseGuess
from planner.attacks.design.run import DesignAttack
from planner.attacks.power_sums.theorem import PowerSumsOfRows
from planner.attacks.splitting import guard, packing
from planner.attacks.splitting.bound import certain, halving, least_prime, power_sums, usable
from planner.attacks.splitting.certify import reach
from planner.attacks.splitting.classes import ClassesOfRows
from planner.attacks.splitting.nodes import Digit, Node
from planner.attacks.splitting.packing import _most_parts
from planner.attacks.splitting.parameters import Splitting
from planner.attacks.splitting.power_sums import PowerDigit
from planner.attacks.splitting.run import Board, SplittingAttack
from planner.attacks.splitting.theorem import SplittingCounts
from planner.attacks.splitting.weighing import RoundOfDigits
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.considering import consider
from planner.numerics.reals import ball, working
from tests.attacks.leaderboard import Leaderboard, channel

CLIP = "2.3e-16"
AMPLITUDES = (2, 3, 5, 12, 40)


@lru_cache
def informed(N: int, wrong: int, decimals: int | None = None, columns: int = 2, **more: Any):
    return channel(N, decimals, columns=columns, clip=CLIP, guess=1 - Fraction(wrong, N), adaptive=True, **more)


def build(there) -> SplittingAttack:
    one = consider(SplittingCounts(), there)
    assert one.certified is not None, one.reasons
    attack = one.build()
    assert isinstance(attack, SplittingAttack)
    return attack


def spoiled(labels: np.ndarray, rows: np.ndarray, K: int = 2, seed: int = 0) -> np.ndarray:
    guess = labels.copy()
    guess[rows] = (labels[rows] + np.random.default_rng(seed).integers(1, K, len(rows))) % K
    return guess


def kinds_of_wrong(N: int, wrong: int) -> dict[str, np.ndarray]:
    """Random, adjacent, evenly spaced, in pairs."""
    pairs = np.arange(wrong // 2) * N // max(wrong // 2, 1)
    return {
        "random": np.random.default_rng(N).permutation(N)[:wrong],
        "adjacent": (np.arange(wrong) + N // 3) % N,
        "even": np.arange(wrong) * N // wrong,
        "pairs": np.unique(np.concatenate([pairs, pairs + 1])),
    }


# -- integers alone: what is asked, what is read, how many queries ------------------------------------------


class Weighed(Board):
    """A run whose answers are computed from the wrong rows themselves: nothing is charged, nothing rounded."""

    def __init__(self, parameters: Splitting, wrong: list[int]) -> None:
        there = informed(parameters.labels, min(parameters.radius, parameters.labels - 1))
        super().__init__(there, parameters, np.zeros(parameters.labels, dtype=int), None)
        self.hidden = np.flatnonzero(np.isin(self.order, wrong))

    def _answer(self, weighing) -> int:
        doubled = int(weighing.weights(self.hidden).sum()) + weighing.back
        assert doubled % 2 == 0
        assert abs(weighing.weights(self.positions)).max() <= self.parameters.amplitude
        self.seen.append((weighing, doubled // 2))
        return doubled // 2


@lru_cache
def record(labels: int, radius: int, amplitude: int, prime: int = 0) -> Splitting:
    queries = certain(labels, radius, amplitude, prime)
    return Splitting(queries, labels, radius, amplitude, Fraction(1), prime, None, Fraction(0), 0)


SMALL = [*itertools.product((1, 2, 3, 5, 6), AMPLITUDES), (7, 2), (7, 12), (8, 3), (8, 40)]
LARGER = [*itertools.product((9, 10, 11), (2, 7, 40))]


@pytest.mark.parametrize(("N", "amplitude"), SMALL + LARGER)
def test_every_labeling_within_the_queries_promised(N, amplitude, thorough):
    every = list(itertools.product((0, 1), repeat=N))
    for wrong in every if thorough or N < 9 else random.Random(N).sample(every, 100):
        rows = [i for i in range(N) if wrong[i]]
        for radius in {len(rows), min(len(rows) + 1, N), N} if N < 7 else {len(rows)}:
            for prime in (0, least_prime(N, radius)):
                run = Weighed(record(N, radius, amplitude, prime), rows)
                assert run.wrong_rows().tolist() == rows
                assert len(run.seen) <= run.parameters.queries


@pytest.mark.parametrize("amplitude", [2, 7, 360, 3604])
def test_larger_boards_within_the_queries_promised(amplitude):
    for N, wrong in [(40, 13), (198, 20), (600, 3), (600, 150), (600, 599)]:
        for rows in kinds_of_wrong(N, wrong).values():
            for prime in (0, least_prime(N, wrong)) if wrong <= 20 else (0,):
                run = Weighed(record(N, len(rows), amplitude, prime), rows.tolist())
                assert (run.wrong_rows() == np.sort(rows)).all()
                assert len(run.seen) <= run.parameters.queries


def test_the_guard_gives_way_to_power_sums():
    """Two wrong labels of 2,000: eager rounds alone take a query more than power sums, which the promise rests on."""
    coins, unguarded = np.random.default_rng(0), []
    for _ in range(20):
        rows = np.sort(coins.permutation(2000)[:2]).tolist()
        run = Weighed(record(2000, 2, 3604, 2003), rows)
        assert run.wrong_rows().tolist() == rows
        assert len(run.seen) <= run.parameters.queries == 3
        free = Weighed(replace(run.parameters, queries=99), rows)
        assert free.wrong_rows().tolist() == rows
        unguarded.append(len(free.seen))
    assert max(unguarded) > 3


def test_halving_alone_keeps_the_promise(monkeypatch):
    """The bound is that of halving: eager rounds are only taken where it still holds."""
    monkeypatch.setattr("planner.attacks.splitting.run.eager", lambda nodes, amplitude: ([], 10**9))
    for N, amplitude in itertools.product((5, 7), AMPLITUDES):
        for wrong in itertools.product((0, 1), repeat=N):
            rows = [i for i in range(N) if wrong[i]]
            run = Weighed(record(N, len(rows), amplitude), rows)
            assert run.wrong_rows().tolist() == rows
            assert len(run.seen) <= run.parameters.queries


def test_a_component_holds_more_than_its_limit_while_digits_are_left():
    coins = np.random.default_rng(3)
    for amplitude in (2, 5, 40, 360):
        nodes = []
        for start in range(200):
            rows = int(coins.integers(2, 90))
            nodes.append(Node(100 * start, rows, int(coins.integers(1, rows))))
        digits, queries = packing.halved(nodes, amplitude)
        assert sorted(digit.node.start for digit in digits) == [node.start for node in nodes]
        for j in range(queries):
            mine = [digit for digit in digits if digit.component == j]
            assert all(digit.top <= packing.limit(j, amplitude) for digit in mine)
            if j < queries - 1:
                assert math.prod(digit.radix for digit in mine) > packing.limit(j, amplitude)


def test_the_guard_counts_no_less_than_the_bound():
    for N, s, amplitude in itertools.product((2, 9, 198, 2000, 12_500), (1, 2, 20, 125), AMPLITUDES):
        if s < N:
            assert 1 + guard.halvings([(N, s, 1)], amplitude) >= halving(N, s, amplitude)


def test_one_wrong_guess_may_have_any_number_of_parts_and_several_may_not():
    assert _most_parts(Node(0, 1000, 1), 900) == 900
    assert _most_parts(Node(0, 1000, 2), 900) == 64
    assert [_most_parts(Node(0, 20, ones), 900) for ones in (1, 2)] == [20, 20]


def test_answers_that_fit_no_counts_are_refused():
    digits = [Digit(Node(0, 9, 3), 2, 1, 0), Digit(Node(9, 4, 1), 4, 4, 0)]
    whole = RoundOfDigits(digits, 1)
    read = {tuple(whole.read([answer])) for answer in range(16)}
    assert len(read) == 16
    for answer in (-1, 16, 99):
        with pytest.raises(InconsistentScores):
            whole.read([answer])
    crowded = Digit(Node(0, 5, 4), 3, 1, 0)
    with pytest.raises(InconsistentScores):
        crowded.pieces(((0, 4),))


KNOWN = [(198, 1, 36404, 9), (198, 20, 3640, 14), (2000, 20, 3604, 20), (2000, 100, 360, 71), (12_500, 125, 576, 116)]


@pytest.mark.parametrize(("N", "s", "amplitude", "queries"), KNOWN)
def test_known_bounds_of_halving(N, s, amplitude, queries):
    assert halving(N, s, amplitude) == queries


def test_power_sums_need_a_prime_that_numbers_the_rows():
    assert power_sums(2, 2003, 3604) == 3
    assert power_sums(125, 12_503, 576) == 251
    assert usable(2003, 2000, 20)
    assert not usable(2003, 2004, 20)
    assert not usable(2001, 2000, 20)
    assert not usable(5, 5, 5)


# -- through scikit-learn -----------------------------------------------------------------------------------

BOARDS = [
    (198, 1, 5, 2, 2, 2), (198, 2, 4, 2, 3, 3), (198, 20, 4, 2, 11, 14), (2000, 20, 5, 2, 16, 20),
    (2000, 20, 5, 1, 16, 20), (2000, 100, 4, 2, 61, 71), (2000, 100, 4, 1, 64, 77), (2000, 20, None, 2, 8, 12),
]  # fmt: skip


@pytest.mark.parametrize(("N", "wrong", "decimals", "columns", "seen", "promised"), BOARDS)
def test_every_wrong_label_is_found(N, wrong, decimals, columns, seen, promised):
    attack = build(informed(N, wrong, decimals, columns))
    assert attack.parameters.queries == promised
    labels = np.random.default_rng(N).integers(0, 2, N)
    for rows in kinds_of_wrong(N, wrong).values():
        board = Leaderboard(labels, decimals, clip=float(CLIP))
        assert (attack.knowing(spoiled(labels, rows)).recover(board) == labels).all()
        assert board.asked <= seen


def test_a_large_board():
    attack = build(informed(12_500, 125, 5))
    labels = np.random.default_rng(1).integers(0, 2, 12_500)
    board = Leaderboard(labels, 5, clip=float(CLIP))
    guess = spoiled(labels, kinds_of_wrong(12_500, 125)["random"])
    assert (attack.knowing(guess).recover(board) == labels).all()
    assert board.asked <= 95
    assert attack.parameters.queries == 116


@pytest.mark.parametrize(("N", "K", "wrong", "decimals", "most"), [(569, 3, 6, 4, 8), (2000, 3, 20, 5, 17)])
def test_more_classes(N, K, wrong, decimals, most):
    attack = build(informed(N, wrong, decimals, K, K=K))
    labels = np.random.default_rng(K).integers(0, K, N)
    for rows in kinds_of_wrong(N, wrong).values():
        board = Leaderboard(labels, decimals, clip=float(CLIP))
        assert (attack.knowing(spoiled(labels, rows, K)).recover(board) == labels).all()
        assert board.asked <= most <= attack.parameters.queries


def test_many_classes():
    attack = build(informed(300, 5, 5, 10, K=10))
    labels = np.random.default_rng(2).integers(0, 10, 300)
    for wrong in (0, 5):
        board = Leaderboard(labels, 5, clip=float(CLIP))
        guess = spoiled(labels, np.arange(wrong) * 50, 10)
        assert (attack.knowing(guess).recover(board) == labels).all()
        assert board.asked <= attack.parameters.queries


@pytest.mark.parametrize("fewer", [0, 1, 7, 19])
def test_fewer_wrong_labels_than_promised(fewer):
    attack = build(informed(500, 20, 4))
    labels = np.random.default_rng(5).integers(0, 2, 500)
    board = Leaderboard(labels, 4, clip=float(CLIP))
    guess = spoiled(labels, kinds_of_wrong(500, 20)["random"][:fewer])
    assert (attack.knowing(guess).recover(board) == labels).all()
    assert board.asked <= attack.parameters.queries


@pytest.mark.parametrize("more", [21, 40, 500])
def test_a_worse_guess_is_noticed_by_the_first_query(more):
    attack = build(informed(500, 20, 4))
    labels = np.random.default_rng(5).integers(0, 2, 500)
    board = Leaderboard(labels, 4, clip=float(CLIP))
    with pytest.raises(WorseGuess, match=f"{more} labels wrong") as found:
        attack.knowing(spoiled(labels, np.arange(more))).recover(board)
    assert (found.value.wrong, found.value.allowed, board.asked) == (more, 20, 1)


def test_a_known_number_of_ones():
    (scenario,) = loads("scenario a { N = 400; positives = 6; decimals = 5; scorer = sklearn; columns = 2 }")
    attack = build(channel_of(scenario))
    labels = np.zeros(400, dtype=int)
    labels[[3, 4, 77, 200, 201, 399]] = 1
    assert (attack.recover(Leaderboard(labels, 5, clip=None)) == labels).all()
    with pytest.raises(InconsistentScores, match="5 labels differ"):
        attack.recover(Leaderboard(np.where(np.arange(400) == 3, 0, labels), 5, clip=None))
    with pytest.raises(WorseGuess):
        attack.recover(Leaderboard(np.where(np.arange(400) == 5, 1, labels), 5, clip=None))


def test_fewer_labels_than_rows_leave_the_others_unsaid():
    attack = build(replace(informed(300, 30, 4), wanted=120))
    assert attack.parameters.labels == 120
    labels = np.random.default_rng(8).integers(0, 2, 300)
    for rows in (np.arange(30), np.arange(200, 230), np.arange(100, 130)):
        board = Leaderboard(labels, 4, clip=float(CLIP))
        found = attack.knowing(spoiled(labels, rows)).recover(board)
        assert (found[:120] == labels[:120]).all()
        assert (found[120:] == -1).all()
        assert board.asked <= attack.parameters.queries


def test_the_brier_score():
    (scenario,) = loads("scenario a { N = 300; metric = brier; guess = 97%; decimals = 5 }")
    attack = build(channel_of(scenario))
    labels = np.random.default_rng(9).integers(0, 2, 300)
    for rows in kinds_of_wrong(300, 9).values():
        asked = []

        def board(u, asked=asked):
            asked.append(u)
            return round(float(brier_score_loss(labels, u)), 5)

        assert (attack.knowing(spoiled(labels, rows)).recover(board) == labels).all()
        assert len(asked) <= attack.parameters.queries


# -- errors at the bound --------------------------------------------------------------------------------------


def losses(labels: np.ndarray, u: np.ndarray) -> float:
    chosen = np.where(labels == 1, u, 1 - u) if u.ndim == 1 else u[np.arange(len(labels)), labels]
    return math.fsum(-np.log(chosen)) / len(labels)


@pytest.mark.parametrize("noise", [None, Bounded(Real.of(Fraction(1, 10**4)))])
def test_errors_at_the_certified_bound_change_nothing(noise):
    attack = build(informed(300, 9, None if noise else 4, noise=noise))
    labels = np.random.default_rng(4).integers(0, 2, 300)
    guess = spoiled(labels, kinds_of_wrong(300, 9)["pairs"])
    coins = np.random.default_rng(6)
    board = Board(attack.channel, attack.parameters, guess, None)
    largest = float(board.tolerance * attack.parameters.unit) / 300
    for signs in (lambda: 1, lambda: -1, lambda: coins.choice([-1, 1])):
        bearable = lambda u, signs=signs: losses(labels, u) + 0.999 * signs() * largest  # noqa: E731
        assert (attack.knowing(guess).recover(bearable) == labels).all()
        too_much = lambda u, signs=signs: losses(labels, u) + 1.05 * signs() * largest  # noqa: E731
        try:
            assert (attack.knowing(guess).recover(too_much) != labels).any()
        except InconsistentScores:
            continue


class Shifted(Weighed):
    """One answer is off, by as much as a power sum modulo the prime does not show."""

    def _answer(self, weighing) -> int:
        answer = super()._answer(weighing)
        if len(self.seen) == 3:
            answer += self.parameters.prime
            self.seen[-1] = weighing, answer
        return answer


def test_the_rows_found_are_weighed_again():
    with pytest.raises(InconsistentScores, match="fits no labeling"):
        Shifted(record(60, 4, 100, 61), [3, 9, 20, 41]).wrong_rows()


def test_a_score_between_whole_units_is_refused():
    """A unit far above the error: what is a fifth of it off is no answer, though nearest to one."""
    there = informed(40, 4, 4)
    coarse = replace(record(40, 4, 8), unit=Fraction(8))
    assert certify(there, coarse).holds
    labels = np.random.default_rng(4).integers(0, 2, 40)
    attack = SplittingAttack(there, coarse).knowing(spoiled(labels, np.array([1, 2, 30])))
    assert (attack.recover(lambda u: losses(labels, u)) == labels).all()
    with pytest.raises(InconsistentScores, match="fits no labeling"):
        attack.recover(lambda u: losses(labels, u) + 0.2 * 8 / 40)


def test_whatever_comes_back_explains_every_score():
    """Scores from anywhere: labels come back only where they predict all of them within the error."""
    attack = build(informed(40, 4, 2))
    labels = np.random.default_rng(4).integers(0, 2, 40)
    guess = spoiled(labels, np.array([1, 2, 30]))
    coins, returned = np.random.default_rng(11), 0
    error = float(Board(attack.channel, attack.parameters, guess, None).tolerance * attack.parameters.unit) / 40
    for _ in range(300):
        asked = []

        def score(u, asked=asked):
            shift = 0 if len(asked) < coins.integers(1, 6) else coins.integers(-60, 60) / coins.choice([1, 1, 3, 7])
            asked.append((u, round(losses(labels, u), 2) + shift * float(attack.parameters.unit) / 40))
            return asked[-1][1]

        try:
            found = attack.knowing(guess).recover(score)
        except InconsistentScores:
            continue
        returned += 1
        assert all(abs(losses(found, u) - shown) <= error for u, shown in asked)
    assert returned


def test_noise_that_is_random():
    quiet = Gaussian(Real.of(Fraction(1, 10**5)))
    attack = build(replace(informed(300, 6, None, noise=quiet), delta=Fraction(1, 100)))
    labels, coins = np.random.default_rng(4).integers(0, 2, 300), np.random.default_rng(1)
    board = Leaderboard(labels, noise=lambda: coins.normal(0, 1e-5), clip=float(CLIP))
    guess = spoiled(labels, kinds_of_wrong(300, 6)["random"])
    assert (attack.knowing(guess).recover(board) == labels).all()


def test_random_noise_and_more_classes():
    """The design bears noise as large as all queries together are certified for."""
    quiet = Gaussian(Real.of(Fraction(1, 10**4)))
    attack = build(replace(informed(60, 5, None, 3, K=3, noise=quiet), delta=Fraction(1, 1000)))
    stages = attack.parameters.stages
    assert stages is not None
    few = ClassesOfRows("", attack.channel, stages, np.arange(2))
    listed = replace(stages, queries=stages.listed)
    assert few.tolerance > DesignAttack("", attack.channel, listed).tolerance
    labels, coins = np.random.default_rng(4).integers(0, 3, 60), np.random.default_rng(1)
    for _ in range(20):
        board = Leaderboard(labels, noise=lambda: coins.normal(0, 1e-4), clip=float(CLIP))
        guess = spoiled(labels, kinds_of_wrong(60, 5)["random"], 3)
        assert (attack.knowing(guess).recover(board) == labels).all()


def test_noise_that_grows():
    attack = build(informed(100, 5, None, noise=Multiplicative(Real.of(Fraction(1, 10**4)))))
    labels, coins = np.random.default_rng(4).integers(0, 2, 100), np.random.default_rng(1)
    guess = spoiled(labels, kinds_of_wrong(100, 5)["random"])
    noisy = lambda u: losses(labels, u) * (1 + 0.9999e-4 * coins.choice([-1, 1]))  # noqa: E731
    assert (attack.knowing(guess).recover(noisy) == labels).all()


# -- certificates ---------------------------------------------------------------------------------------------


def failing(there, parameters) -> set[str]:
    certificate = certify(there, parameters)
    return {one.name for one in certificate.inequalities if not one.holds} | {
        one.field for one in certificate.obligations if not one.holds
    }


def test_one_step_past_the_certificate_fails():
    there = informed(2000, 20, 5)
    p = build(there).parameters
    assert not failing(there, p)
    assert failing(there, replace(p, queries=p.queries - 1)) == {"queries asked >= queries that suffice"}
    assert failing(there, replace(p, radius=19)) == {"wrong labels that are told >= wrong labels of the guess"}
    assert failing(there, replace(p, unit=p.unit * Fraction(1001, 1000))) == {"W >= unit x amplitude / 2"}
    assert failing(there, replace(p, unit=p.unit * Fraction(999, 1000))) == {"unit > 2 (E + dev)"}
    assert failing(there, replace(p, amplitude=1)) == {"amplitude >= 2"}
    assert failing(there, replace(p, labels=1999)) == {"goal"}
    assert failing(replace(there, adaptive=False), p) == {"adaptive"}
    assert failing(replace(there, radius=2000), p) >= {"guess"}


PINNED = [
    (2000, 20, 5, 2, 3600),
    (2000, 20, 5, 1, 2481),
    (2000, 20, None, 2, 141729471829),
    (2000, 20, None, 1, 131855227986),
]


@pytest.mark.parametrize(("N", "wrong", "decimals", "columns", "amplitude"), PINNED)
def test_amplitudes_as_they_were_derived(N, wrong, decimals, columns, amplitude):
    assert build(informed(N, wrong, decimals, columns)).parameters.amplitude == amplitude


@pytest.mark.parametrize("columns", [1, 2])
def test_what_rows_miss_is_within_what_is_counted(columns):
    """Weights as they are realised, against those that were wanted, at the whole reach."""
    there = informed(2000, 20, 5, columns)
    with working(200):
        reached = float(reach(there))
        counted = 2 * there.metric.deviation(there, ball(Fraction(reached)), ball(20 * Fraction(reached)), 2)
    weights = -reached * (1 - np.random.default_rng(2).random(20_000) / 40)
    ones, zeros = there.metric.entries(np, weights, 1, 2, columns)
    small = 1 - ones if columns == 1 else zeros
    missed = np.sort(abs(np.log(small) - np.log(ones) - weights))
    assert missed[-20:].sum() < float(counted)
    if columns == 1:
        assert missed[-20:].sum() > float(counted) / 4


def test_power_sums_are_certified_with_their_prime():
    there = informed(2000, 2, 5)
    p = build(there).parameters
    assert p.prime == 2003
    assert failing(there, replace(p, prime=2001)) == {"rows that power sums tell >= labels"}
    assert failing(there, replace(p, prime=1999)) == {"rows that power sums tell >= labels"}
    assert failing(there, replace(p, prime=0)) == {"queries asked >= queries that suffice"}


def test_a_column_near_one_is_too_coarse_for_the_whole_reach():
    """What two columns reach is not certified for one, whose predictions near 1 are off by whole units."""
    p = build(informed(2000, 20, 5)).parameters
    assert "unit > 2 (E + dev)" in failing(informed(2000, 20, 5, 1), p)


def test_refusals_name_the_field():
    fields = {
        "adaptive": replace(informed(200, 4, 4), adaptive=False),
        "guess": channel(200, 4, columns=2, adaptive=True),
        "decimals": informed(2000, 20, 1),
    }
    for field, there in fields.items():
        reasons = consider(SplittingCounts(), there).reasons
        assert field in {one.field for one in reasons}


def test_a_budget_exposes_as_many_labels_as_fit():
    there = informed(2000, 20, 4)
    one = consider(SplittingCounts(), replace(there, budget=12))
    assert 0 < one.guess < 2000
    assert certain(one.guess, min(20, one.guess), one.certified.certificate.parameters.amplitude, 0) <= 12


def test_a_record_that_makes_no_attack_is_not_certified():
    """It was: where unit or radius make none, only the amplitude was looked at."""
    for more, theorem in ((True, SplittingCounts()), (False, PowerSumsOfRows())):
        there = replace(informed(200, 4), adaptive=more)
        one = consider(theorem, there)
        p = one.certified.certificate.parameters
        assert certify(there, p).holds
        for changed in ({"unit": Fraction(0)}, {"unit": -p.unit}, {"radius": -1}, {"radius": -1, "queries": 1}):
            assert not certify(there, replace(p, **changed)).holds


def test_power_sums_leave_settled_rows_idle():
    """Cubes modulo 11 of the rows of two open nodes, to the base 4: twice the lower digit, less the amplitude."""
    asked = PowerDigit((Node(2, 3, 1), Node(7, 2, 1)), 11, 3, 3, 0)
    cubes = {2: 8, 3: 5, 4: 9, 7: 2, 8: 6}
    expected = [2 * (cubes[row] % 4) - 3 if row in cubes else 0 for row in range(10)]
    assert asked.weights(np.arange(10)).tolist() == expected
    assert asked.back == 6


def test_products_of_residues_fit_a_word():
    """They were not counted among the decoder's integers: of 5,000,000,000 rows their powers wrapped around."""
    there = replace(informed(5 * 10**9, 3), adaptive=True)
    prime = least_prime(5 * 10**9, 3)
    p = consider(SplittingCounts(), there).certified.certificate.parameters
    assert p.prime == 0
    sums = certain(p.labels, p.radius, p.amplitude, prime)
    assert failing(there, replace(p, prime=prime, queries=sums)) == {"integers of the decoder < 2^60"}
    (refused,) = consider(PowerSumsOfRows(), there).reasons
    assert refused.need.startswith("integers of the decoder < 2^60")
    assert consider(SplittingCounts(), informed(10**9, 3)).certified.certificate.parameters.prime == 10**9 + 7
