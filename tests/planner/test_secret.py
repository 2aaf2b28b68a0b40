"""What a guess leaves to learn: the figures of a ball of labelings against every labeling of small boards."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb, log2

import numpy as np
import pytest

import dsl
from planner import plan
from planner.attacks.guess.parameters import Guess
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.channel.secret import Secret
from planner.limits import limits_of
from planner.limits.counting import fewest_answers
from planner.model import Verdict
from planner.numerics.reals import working
from tests.planner.brute import labelings
from threatplan.verify import check

BOARDS = [(N, K, s) for N, K in ((1, 2), (2, 3), (4, 2), (5, 2), (4, 3)) for s in range(N + 1)]


def scenario(body: str) -> dsl.Scenario:
    return dsl.loads(f"scenario board {{ {body} }}")[0]


def bound(body: str, id: str) -> int:
    found = {one.id: one for one in limits_of(channel_of(scenario(body)))}
    return found[id].queries or 0


def near(N: int, K: int, s: int, exactly: bool) -> np.ndarray:
    """The labelings at a distance of at most, or just, s from all 0."""
    rows = labelings(N, K)
    distance = (rows != 0).sum(axis=1)
    return rows[distance == s if exactly else distance <= s]


# -- known answers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "counting", "listed"),
    [("N = 12500; scorer = kaggle; guess = 99%", 63, 73), ("N = 2000; scorer = kaggle; guess = 99%", 10, 11)],
)
def test_known_answers(board, counting, listed):
    assert bound(board, "I1") == counting
    assert bound(f"{board}; adaptive = no", "I3") == listed


def test_a_board_that_nobody_guesses_is_not_one_that_somebody_guesses():
    """The false comfort: 300 submissions to 12,500 labels are excluded, unless 99 % of these are known."""
    board = "N = 12500; scorer = kaggle; queries <= 300"
    assert plan(scenario(board)).verdict is Verdict.IMPOSSIBLE
    for known in ("guess = 99%", "positives = 1%", "positives = 12375"):
        report = plan(scenario(f"{board}; {known}"))
        assert report.verdict is Verdict.FEASIBLE
        assert report.best.attack == "splitting"
        assert report.best.certified.queries <= 130
        assert report.if_guessed == ()


def test_a_proof_against_those_who_know_nothing_says_what_a_guess_would_change():
    report = plan(scenario("N = 12500; scorer = kaggle; queries <= 300"))
    some, most = report.if_guessed
    assert (some.share, str(some.candidate.status)) == (Fraction(95, 100), "over_budget")
    assert (most.share, str(most.candidate.status)) == (Fraction(99, 100), "feasible")
    assert most.candidate.certified.queries <= 130
    entry = json.loads(json.dumps(report.to_json()))
    assert check(entry).faults == ()
    entry["if_guessed"][1]["guess"] = "98/100"
    assert check(entry).faults


def test_small_boards_that_a_guess_gives_away_in_a_few_queries():
    """2,000 labels, 99 % guessed, five decimals: 20 queries for certain."""
    report = plan(scenario("N = 2000; scorer = sklearn; decimals = 5; columns = 2; guess = 99%"))
    assert (report.best.attack, report.best.certified.queries) == ("splitting", 20)


# -- how many there are --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("N", "K", "s"), BOARDS)
@pytest.mark.parametrize("exactly", [False, True])
def test_bits_are_those_of_all_labelings_that_are_possible(N, K, s, exactly):
    count = len(near(N, K, s, exactly))
    with working(128):
        found = float(Secret(N, N, K, 0, s, exactly).bits())
    most = N * (K - 1) // K
    below = count if exactly or s <= most else sum(comb(N, j) * (K - 1) ** j for j in range(most + 1))
    assert found == pytest.approx(log2(count if s == N and not exactly else below), abs=1e-12)
    assert found <= log2(count) + 1e-12


@pytest.mark.parametrize(("N", "K", "s"), [(1000, 2, 300), (5000, 2, 2499), (800, 10, 700), (10**4, 3, 50)])
def test_volumes_of_large_balls_are_bounded_from_below_and_closely(N, K, s):
    volume = sum(comb(N, j) * (K - 1) ** j for j in range(s + 1))
    with working(128):
        found = float(Secret(N, N, K, 0, s, False).bits())
    assert log2(volume) - 0.6 < found <= log2(volume) + 1e-9


# -- how far apart their scores lie ----------------------------------------------------------------------------


@pytest.mark.parametrize("decimals", [0, 1])
@pytest.mark.parametrize("exactly", [False, True])
def test_no_submission_has_more_answers(decimals, exactly):
    """Charges within W = 1, ties among them, rounded half up, half down and to even."""
    draw = np.random.default_rng(decimals)
    for N, s in [(4, 1), (5, 2), (6, 1), (20, 1), (6, 3)]:
        board = f"N = {N}; metric = brier; decimals = {decimals}; phi = arbitrary"
        channel = replace(channel_of(scenario(board)), radius=s, exactly=exactly)
        with working(128):
            answers, _ = fewest_answers(channel) or (0, "")
        rows = labelings(N, 2) if N < 10 else np.vstack([np.zeros(N, dtype=int), np.eye(N, dtype=int)])
        distance = rows.sum(axis=1)
        rows = rows[distance == s if exactly else distance <= s]
        for _ in range(150):
            weights = draw.choice([-10, 10, -5, 5, 0, int(draw.integers(-10, 11))], N)  # tenths
            base = int(draw.integers(0, 20 * N))
            sums = rows @ weights + base  # of N scores, in tenths
            scores = [Fraction(int(one), 10 * N) * 10**decimals for one in sums]
            for shown in (lambda x: (2 * x + 1) // 2, lambda x: -((1 - 2 * x) // 2), round):
                assert len({int(shown(one)) for one in scores}) <= answers


def test_an_interval_of_one_unit_may_show_three_answers():
    """N = 20, one label wrong, W = 1, one decimal: .05, .10, .15 are shown as 0, .1 and .2."""
    channel = replace(channel_of(scenario("N = 20; metric = brier; decimals = 1; phi = arbitrary")), radius=1)
    with working(128):
        assert fewest_answers(channel) == (3, "1 decimal over what one submission can be scored")


@pytest.mark.parametrize(("N", "K", "s"), [(N, K, s) for N, K, s in BOARDS if s])
def test_the_variance_of_a_score_and_the_trace_of_all(N, K, s):
    draw = np.random.default_rng(N * 100 + K * 10 + s)
    for exactly in (False, True):
        secret = Secret(N, N, K, 0, s, exactly)
        rows = near(N, K, s, exactly)
        indicators = np.eye(K)[rows].reshape(len(rows), -1)
        trace = float(indicators.var(axis=0).sum())
        assert trace * (K * K // 4) / K / N <= float(secret.energy()) + 1e-12
        if exactly:
            assert trace * (K * K // 4) / K / N == pytest.approx(float(secret.energy()))
        worst = 0.0
        for _ in range(300):
            charges = draw.choice([0, 1, draw.random()], (N, K))
            sums = charges[np.arange(N), rows].sum(axis=1) / N
            worst = max(worst, float(sums.var()))
        assert worst <= float(secret.variance()) + 1e-12


@pytest.mark.parametrize(("N", "K", "s"), [(4, 2, 1), (4, 2, 2), (4, 2, 3), (5, 2, 2), (3, 3, 1), (3, 3, 2)])
@pytest.mark.parametrize("exactly", [False, True])
def test_two_labelings_that_no_answer_serves(N, K, s, exactly):
    everything = labelings(N, K)
    possible = near(N, K, s, exactly)
    for r in range(N):
        claimed = Secret(N, N, K, r, s, exactly).distance()
        apart = {
            int((a != b).sum())
            for a, b in product(possible, possible)
            if not (((everything != a).sum(axis=1) <= r) & ((everything != b).sum(axis=1) <= r)).any()
        }
        if claimed is not None:
            assert claimed in apart
            assert K > 2 or claimed == min(apart)
        elif K == 2:
            assert not apart


# -- whole limits ----------------------------------------------------------------------------------------------


def fewest(N: int, s: int, amplitude: int, exactly: bool) -> int:
    """The fewest adaptive queries that tell all labelings near 0 apart, by search: whole weights, read exactly."""
    possible = [tuple(row) for row in near(N, 2, s, exactly)]
    weights = [w for w in product(range(-amplitude, amplitude + 1), repeat=N) if any(w)]
    seen: dict[tuple[frozenset[tuple[int, ...]], int], bool] = {}

    def told(left: frozenset[tuple[int, ...]], queries: int) -> bool:
        if len(left) <= 1 or not queries:
            return len(left) <= 1
        if (left, queries) not in seen:
            seen[left, queries] = any(
                len(parts) > 1 and all(told(part, queries - 1) for part in parts)
                for parts in (_parts(left, w) for w in weights)
            )
        return seen[left, queries]

    return next(queries for queries in range(20) if told(frozenset(possible), queries))


def _parts(left: frozenset[tuple[int, ...]], weights: tuple[int, ...]) -> list[frozenset[tuple[int, ...]]]:
    parts: dict[int, list[tuple[int, ...]]] = {}
    for row in left:
        parts.setdefault(sum(a * b for a, b in zip(weights, row, strict=True)), []).append(row)
    return [frozenset(part) for part in parts.values()]


@pytest.mark.parametrize(
    ("N", "s", "amplitude"), [(3, 1, 1), (4, 1, 1), (4, 2, 1), (5, 1, 1), (5, 2, 1), (3, 2, 2), (4, 4, 1)]
)
@pytest.mark.parametrize("exactly", [False, True])
def test_no_strategy_beats_a_limit(N, s, amplitude, exactly):
    """A grid of one step for a weight of 1: W is `amplitude` steps of a sum, tau half a step less a hair."""
    tau = Fraction(499, 1000) / (amplitude * N)
    board = f"N = {N}; metric = brier; phi = arbitrary; noise = bounded({tau}); confidence = 99.9%"
    channel = replace(channel_of(scenario(board)), radius=s, exactly=exactly)
    best = fewest(N, s, amplitude, exactly)
    assert max(one.queries or 0 for one in limits_of(channel)) <= best


@pytest.mark.parametrize(
    "board",
    [
        "N = 500; scorer = sklearn; decimals = 3",
        "N = 500; scorer = sklearn; decimals = 1; adaptive = no",
        "N = 500; scorer = sklearn; noise = gaussian(0.01)",
        "N = 500; scorer = sklearn; noise = gaussian(1); goal = 99%",
        "N = 300; K = 3; scorer = sklearn; decimals = 4",
        "N = 500; scorer = sklearn; noise = laplace(0.1); adaptive = no",
        "N = 500; scorer = sklearn; noise = uniform(-0.1, 0.1)",
    ],
)
def test_a_better_guess_never_needs_more_queries(board, one_in):
    """From nothing known to everything: no limit rises, and none is above that of somebody who knows nothing."""
    shares = (Fraction(n, 100) for n in one_in(2, (35, 50, 55, 60, 70, 80, 90, 95, 98, 99), board))
    found = [plan(scenario(f"{board}; guess = {share}")).lower_bound.queries for share in shares]
    assert found == sorted(found, reverse=True)
    assert found[-1] <= plan(scenario(board)).lower_bound.queries


@pytest.mark.parametrize("guess", ["guess = 90%", "positives = 20", "positives = 185"])
@pytest.mark.parametrize(
    "board",
    [
        "decimals = 3",
        "decimals = 2; adaptive = no",
        "noise = bounded(0.2)",
        "noise = bounded(0.2); goal = 97%",
        "noise = gaussian(0.5)",
        "noise = gaussian(0.5); adaptive = no; goal = 95%",
        "noise = laplace(0.5); adaptive = no",
        "noise = uniform(-0.5, 0.5); goal = 96%",
        "noise = multiplicative(0.1); clip = 1e-6",
        "decimals = significant(2)",
        "phi = 24",
        "K = 4; decimals = 2",
        "metric = brier; decimals = 1",
        "goal = 90%",
    ],
)
def test_every_limit_is_derived_again(board, guess):
    if "K = 4" in board and "positives" in guess:
        pytest.skip("of two classes")
    settings = "" if "clip" in board or "phi" in board else "scorer = sklearn; "
    report = plan(scenario(f"N = 200; {settings}{board}; {guess}"))
    assert check(json.loads(json.dumps(report.to_json()))).faults == ()


@pytest.mark.parametrize("field", ["radius", "exactly"])
def test_a_limit_that_speaks_of_impossible_labelings_is_refused(field):
    entry = json.loads(json.dumps(plan(scenario("N = 200; scorer = kaggle; guess = 90%")).to_json()))
    limit = next(one for one in entry["limits"] if one["id"] == "I1")
    limit["parameters"][field] = 21 if field == "radius" else "no"
    with pytest.raises(ValueError, match=r"a limit speaks|neither true nor false"):
        check(entry)


# -- the guess itself ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("known", ["guess = 99%; goal = 99%", "guess = 100%", "positives = 0", "positives = 100%"])
def test_a_goal_that_the_guess_meets_takes_no_query(known):
    report = plan(scenario(f"N = 300; scorer = sklearn; noise = bounded(5); {known}"))
    assert report.verdict is Verdict.FEASIBLE
    assert report.best is not None
    assert (report.best.attack, report.best.certified.queries) == ("guess", 0)
    assert (report.lower_bound.queries, report.lower_bound.by) == (0, None)
    guess = np.arange(300) % 2
    assert (report.best.build(guess=guess).recover(lambda query: 1 / 0) == guess).all()
    assert set(report.best.build().recover(lambda query: 1 / 0)) == {1 if "100%" in known and "pos" in known else 0}
    assert check(json.loads(json.dumps(report.to_json()))).faults == ()


@pytest.mark.parametrize("known", ["goal = 99%", "guess = 98%; goal = 99%"])
def test_a_guess_that_does_not_is_refused_for_what_it_lacks(known):
    report = plan(scenario(f"N = 300; scorer = sklearn; decimals = 3; {known}"))
    guess = next(one for one in report.candidates if one.attack == "guess")
    assert [one.field for one in guess.reasons] == ["guess" if "guess" not in known else "goal"]


@pytest.mark.parametrize(
    "guess", [np.zeros(3, dtype=int), np.zeros((5, 1), dtype=int), np.full(5, 2), np.full(5, -1), np.zeros(5)]
)
def test_a_guess_that_is_none(guess):
    report = plan(scenario("N = 5; decimals = 2; guess = 100%"))
    with pytest.raises(ValueError, match="a guess holds"):
        report.best.build(guess=guess)


@pytest.mark.parametrize(
    ("s", "exactly", "doubts"), [(7, True, 3), (3, True, 3), (7, False, 7), (10, False, 10), (10, True, 0)]
)
def test_questions_that_may_all_be_open(s, exactly, doubts):
    """Pairs of rows of which just one is wrong take a wrong and a right row each."""
    secret = Secret(10, 10, 3, 0, s, exactly)
    assert (secret.doubts, secret.swapped) == (doubts, 2 if exactly else 1)


@pytest.mark.parametrize(("wrong", "settled"), [(2, False), (3, False), (4, True), (5, True)])
def test_a_guess_settles_goals_that_allow_as_many_wrong_labels(wrong, settled):
    assert Secret(300, 300, 2, wrong, 4, False).settled is settled
    least = bound(f"N = 300; scorer = kaggle; guess = 296/300; goal = {300 - wrong}/300", "I1")
    assert (least == 0) is settled


@pytest.mark.parametrize(("wrong", "holds"), [(4, False), (5, True), (6, True)])
def test_a_guess_is_certified_for_no_fewer_wrong_labels_than_it_has(wrong, holds):
    channel = channel_of(scenario("N = 100; decimals = 2; guess = 95%; goal = 90%"))
    assert certify(channel, Guess(0, 100, 2, wrong)).holds is holds
    assert not certify(channel, Guess(0, 99, 2, wrong)).holds
    assert not certify(channel, Guess(1, 100, 2, wrong)).holds


def test_a_pair_that_is_left_open_costs_one_label_and_not_two():
    """Four labels of which two are 1, one may be wrong: 45 queries suffice 9 times in 10, where I5 once asked for 56.

    Fifteen scores of each of three sign rows: just one of them tells, and its sign names a row that is surely right.
    """
    board = "N = 4; positives = 2; goal = 75%; confidence = 90%; clip = 1e-3; noise = gaussian(10); adaptive = no"
    assert bound(board, "I5") <= 45
    report = plan(scenario(f"{board}; queries <= 45"))
    assert report.verdict is not Verdict.IMPOSSIBLE
    assert report.ceiling.promised >= 3
    draw, c = np.random.default_rng(5), 1e-3
    signs = np.array([[1, 1, -1, -1], [1, -1, 1, -1], [1, -1, -1, 1]])
    ones = np.where(signs > 0, 1 - c, c)  # the prediction of class 1
    for hidden in near(4, 2, 2, exactly=True):
        scores = -np.log(np.where(hidden == 1, ones, 1 - ones)).mean(axis=1)
        seen = scores + draw.normal(0, 10 / np.sqrt(15), (4000, 3))
        tells = np.where(
            -(np.log(c) + np.log(1 - c)) / 2 - seen > 0, 1, -1
        )  # whether more ones are where the signs are +
        columns = np.vstack([signs.T, -signs.T])  # a row alone is 1, or a row alone is 0
        match = (tells[:, None, :] == columns[None]).all(axis=2).argmax(axis=1)
        answers = np.vstack([np.eye(4, dtype=int), 1 - np.eye(4, dtype=int)])[match]
        assert ((answers == hidden).sum(axis=1) >= 3).mean() > 0.89


@pytest.mark.parametrize(
    ("radius", "exactly", "variance"),
    [(3, False, Fraction(9, 100)), (5, False, Fraction(1, 4)), (3, True, Fraction(21, 900)), (7, True, Fraction(1, 4))],
)
def test_the_variance_of_a_score_is_that_of_its_interval_or_of_a_sphere(radius, exactly, variance):
    """Ten labels: a quarter of (2s/N)^2, or s (N - s)/(N^2 (N - 1)) up to half of them."""
    assert Secret(10, 10, 2, 0, radius, exactly).variance() == variance


def test_the_commoner_class_is_guessed_where_the_number_of_ones_is_known():
    told = [channel_of(scenario(f"N = 20; positives = {ones}")) for ones in (5, 10, 11, 15)]
    assert [one.commoner for one in told] == [0, 0, 1, 1]
    assert channel_of(scenario("N = 20")).commoner == 0
    assert replace(told[-1], scenario=None).commoner == 0
