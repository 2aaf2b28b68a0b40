"""The ceiling: known curves, the best that a few answers can tell by exhaustion, and that nothing certified is above."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import log2

import pytest

import dsl
from planner import ceiling, plan
from planner.ceiling import Carried, _under, ceiling_of, doubt, labels_on_average, percent, percent_above
from planner.channel.channel import channel_of
from planner.limits.counting import Counting
from planner.numerics.reals import ball, working
from planner.numerics.reals import log2 as log2_ball
from tests.planner.brute import labelings
from threatplan.verify import Unreadable, check

KAGGLE = "N = 12500; scorer = kaggle"


def scenario(body: str) -> dsl.Scenario:
    return dsl.loads(f"scenario board {{ {body} }}")[0]


def at(body: str) -> float:
    return ceiling_of(channel_of(scenario(body))).fraction


# -- known answers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("queries", "share"),
    [(50, 0.665), (100, 0.728), (200, 0.813), (300, 0.872), (400, 0.918), (500, 0.955), (576, 0.977)],
)
def test_the_curve_of_a_board(queries, share):
    assert at(f"{KAGGLE}; queries <= {queries}") == pytest.approx(share, abs=0.001)


@pytest.mark.parametrize(
    "more", ["queries <= 50", "queries <= 0", "queries <= 99; guess = 90%", "queries <= unlimited"]
)
def test_the_labels_alone_are_those_of_the_whole_ceiling(more):
    channel = channel_of(scenario(f"N = 300; scorer = kaggle; {more}"))
    assert labels_on_average(channel) == ceiling_of(channel).labels


@pytest.mark.parametrize(
    ("queries", "share"), [(50, 0.6720), (100, 0.7407), (200, 0.8327), (300, 0.8974), (400, 0.9460), (500, 0.9822)]
)
def test_the_curve_by_counting_alone(queries, share):
    channel = channel_of(scenario(f"{KAGGLE}; queries <= {queries}"))
    with working(128):
        carried = Counting().carried(channel, queries)
        assert carried is not None
        assert _under(channel, "I1", carried)[0] == pytest.approx(share, abs=0.001)


def test_all_labels_from_some_budget_on():
    assert at(f"{KAGGLE}; queries <= 700") == 1
    assert at(f"{KAGGLE}; queries <= 685") < 1
    assert at(KAGGLE) == 1


def test_a_guess_below_chance_is_averaged_over_the_same_labels_before_the_first_score_and_after():
    """Averages are over labelings that have 2 of 5 labels wrong, and 60 % of those are right without a query: not 50 %."""
    board = "N = 5; metric = accuracy; decimals = 1; guess = 1/5"
    unasked = plan(scenario(f"{board}; queries <= 0"))
    assert unasked.ceiling.fraction == 0.6 <= at(f"{board}; queries <= 1")
    assert unasked.ceiling.promised == 3
    assert check(json.loads(json.dumps(unasked.to_json()))).faults == ()


@pytest.mark.parametrize(
    ("queries", "share"), [(5, 0.9910), (10, 0.9920), (20, 0.9938), (40, 0.9971), (60, 0.99976), (63, 1)]
)
def test_the_curve_with_a_guess(queries, share):
    assert at(f"{KAGGLE}; guess = 99%; queries <= {queries}") == pytest.approx(share, abs=0.0001)


@pytest.mark.parametrize(
    ("known", "share"),
    [("", 1 / 2), ("guess = 99%", 0.99), ("K = 4", 1 / 4), ("guess = 30%", 1 / 2), ("positives = 10", 0.9)],
)
def test_without_a_query_the_ceiling_is_what_guessing_gives(known, share):
    assert at(f"N = 100; queries <= 0; {known}") == share


# -- by exhaustion -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("N", "K", "answers"), [(3, 2, 2), (4, 2, 2), (4, 2, 3), (4, 2, 5), (3, 3, 2), (3, 3, 3)])
@pytest.mark.parametrize("radius", [None, 1, 2])
def test_no_code_of_a_few_answers_is_above(N, K, answers, radius):
    """Whatever is asked, an answer stands for one output: the best so many outputs for all labelings there are."""
    everything = labelings(N, K)
    possible = everything if radius is None else everything[(everything != 0).sum(axis=1) == radius]
    right = (possible[:, None, :] == everything[None, :, :]).sum(axis=2)
    best = max(right[:, list(chosen)].max(axis=1).mean() for chosen in combinations(range(len(everything)), answers))
    channel = channel_of(scenario(f"N = {N}; K = {K}; decimals = 2; queries <= 1"))
    if radius is not None:
        channel = replace(channel, radius=radius, exactly=True)
    with working(128):
        share, _, _ = _under(channel, "I1", Carried(lambda: log2_ball(ball(answers))))
    assert best / N <= share + 1e-12
    assert share < 1 or log2(len(possible)) - log2(answers) < 0.01


@pytest.mark.parametrize("N", [3, 5])
def test_a_majority_question_is_above_what_can_be_promised_and_below_the_average(N):
    """One yes or no: the majority tells more than half on average, which no promise of all but r does."""
    rows = labelings(N, 2)
    majority = (rows.sum(axis=1) > N / 2).astype(int)
    mean = (rows == majority[:, None]).mean()
    channel = channel_of(scenario(f"N = {N}; decimals = 2; queries <= 1"))
    with working(128):
        share, _, _ = _under(channel, "I1", Carried(lambda: ball(1)))
    assert mean <= share


# -- what it must be ------------------------------------------------------------------------------------------


BOARDS = [
    "N = 300; scorer = sklearn; decimals = 2",
    "N = 300; scorer = sklearn; decimals = 3; adaptive = no",
    "N = 300; scorer = sklearn; noise = gaussian(0.05)",
    "N = 300; scorer = sklearn; noise = laplace(0.1); adaptive = no",
    "N = 300; scorer = sklearn; noise = uniform(-0.1, 0.2)",
    "N = 300; clip = 1e-6; noise = bounded(0.01)",
    "N = 200; K = 3; scorer = sklearn; decimals = 2",
    "N = 300; metric = brier; decimals = 2",
    "N = 300; clip = 1e-6; decimals = significant(2)",
    "N = 300; scorer = sklearn; decimals = 2; guess = 90%",
    "N = 300; scorer = sklearn; decimals = 2; positives = 30",
    "N = 300; scorer = sklearn; noise = gaussian(0.05); guess = 95%; adaptive = no",
]


@pytest.mark.parametrize("board", BOARDS)
def test_it_rises_with_the_budget_and_nothing_certified_is_above(board, one_in):
    last, promised = 0.0, 0
    budgets = (0, 1, 3, 10, 30, 100, 300)
    derived = one_in(7, budgets, board)
    for queries in budgets:
        report = plan(scenario(f"{board}; queries <= {queries}"))
        found, channel = report.ceiling, report.channel
        assert found.fraction >= last
        assert found.promised >= promised
        last, promised = found.fraction, found.promised
        known = report.exposure.labels or 0
        guessed = Fraction(channel.rows - channel.radius, channel.rows) if channel.secret.informed else 0
        rest = max(guessed, Fraction(1, channel.classes)) * (channel.rows - known)
        assert (known + rest) / channel.rows <= Fraction(found.fraction) + Fraction(1, 10**9)
        assert known <= found.promised
        assert queries not in derived or check(json.loads(json.dumps(report.to_json()))).faults == ()


@pytest.mark.parametrize("board", [BOARDS[0], BOARDS[2], BOARDS[9]])
def test_more_decimals_less_noise_and_a_better_guess_raise_it(board):
    more = board.replace("decimals = 2", "decimals = 3").replace("0.05", "0.02")
    assert at(f"{more}; queries <= 20") >= at(f"{board}; queries <= 20")
    assert at(f"{board}; queries <= 20".replace("90%", "95%")) >= at(f"{board}; queries <= 20")


def test_scores_that_are_all_the_same_tell_nothing():
    found = ceiling_of(channel_of(scenario("N = 100; metric = brier; noise = bounded(2); queries <= 10^6")))
    assert found.fraction == pytest.approx(0.5, abs=1e-6)
    assert found.by == "I1"


# -- in a report ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def entry():
    return json.loads(json.dumps(plan(scenario("N = 400; scorer = kaggle; decimals = 3; queries <= 20")).to_json()))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("fraction",), 0.8),
        (("fraction",), 1.0),
        (("labels",), 100),
        (("by",), None),
        (("by",), "I3"),
        (("promised",), 300),
        (("promised",), 399),
        (("beyond",), None),
        (("beyond", "queries"), 20),
        (("beyond", "id"), "I4"),
        (("parameters", "rate"), "1/2"),
        (("parameters", "share"), "-1"),
    ],
)
def test_the_checker_finds_a_ceiling_that_was_changed(entry, path, value):
    changed = copy.deepcopy(entry)
    place = changed["ceiling"]
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    with suppress(Unreadable):  # refused as well
        assert check(changed).faults


def test_expectations_of_a_ceiling():
    holds = "expect ceiling <= 70%; expect ceiling >= 60%; expect ceiling < 8400"
    report = plan(scenario(f"{KAGGLE}; queries <= 50; {holds}; expect ceiling <= 60%"))
    assert [one.holds for one in report.expectations] == [True, True, True, False]


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (Fraction(1), "100%"),
        (0.87185, "87.2%"),
        (Fraction(1, 2), "50.0%"),
        (Fraction(9999, 10000), "99.990%"),
        (0.99857, "99.86%"),
    ],
)
def test_shares_that_nothing_exceeds_are_rounded_up(share, text):
    assert percent_above(share) == text


def test_every_report_says_what_it_assumes():
    assert plan(scenario("N = 10; decimals = 1")).assumes == (
        "nothing is known of the labels beforehand",
        "all rows are scored",
        "each score is shown",
        "nothing else is shown that depends on the labels",
        "probabilities are charged as submitted, however near 0",
    )
    known = plan(scenario("N = 10; decimals = 1; positives = 8; queries <= 3")).assumes
    assert known[0] == "it is known that 8 of the 10 labels are 1"
    guessed = plan(scenario("N = 10; decimals = 1; guess = 90%")).assumes
    assert guessed[0] == "the attacker's guess is right on 9 of the 10 labels, and it is not known on which"


def test_boards_of_any_size():
    assert at("N = 10^12; scorer = kaggle; queries <= 10^6") < 0.51
    assert at("N = 1; scorer = kaggle; queries <= 1; decimals = 1") == 1
    assert at("N = 10; K = 4; scorer = kaggle; noise = gaussian(0.1); guess = 95%; queries <= 1") == 1


@pytest.mark.parametrize(("wrong", "classes"), [(Fraction(1, 2), 2), (Fraction(1, 3), 3), (Fraction(1, 10), 10)])
def test_what_is_not_known_of_a_label(wrong, classes):
    D = float(wrong)
    expected = -D * log2(D) - (1 - D) * log2(1 - D) + D * log2(classes - 1)
    with working(128):
        assert float(doubt(wrong, classes)) == pytest.approx(expected, rel=1e-14)


def test_a_ceiling_that_floats_found_and_nothing_proves_is_none(monkeypatch):
    monkeypatch.setattr(ceiling, "_least_errors", lambda left, classes: 0.2)
    assert at(f"{KAGGLE}; queries <= 300") == 1


def test_squares_of_any_prediction_have_no_ceiling():
    board = "N = 300; metric = brier; decimals = 1; queries <= 5"
    assert at(board) < 1
    assert at(f"{board}; checks = no") == 1
    assert plan(scenario(f"{board}; checks = no")).lower_bound.queries == 5  # of 64 bits


@pytest.mark.parametrize(("share", "text"), [
    (0, "0%"), (Fraction(1, 1001), "<0.1%"), (Fraction(1, 1000), "0.1%"), (Fraction(1, 3), "33.3%"),
    (Fraction(999, 1000), "99.9%"), (Fraction(9991, 10_000), ">99.9%"), (Fraction(24_999, 25_000), ">99.9%"), (1, "100%"),
    (1 - Fraction(1, 10**18), ">99.9%"), (1.0, "100%"), (0.0, "0%"), (Fraction(1, 10**18), "<0.1%"),
])  # fmt: skip
def test_only_none_is_0_per_cent_and_only_all_of_it_is_100(share, text):
    assert percent(share) == text
