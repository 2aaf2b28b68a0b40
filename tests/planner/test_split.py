"""A secret part of the rows: what refuses, what limits say of it, and how a range is read."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb, log2

import numpy as np
import pytest

from dsl import loads
from planner import plan
from planner.catalogue import BY_ID, CATALOGUE
from planner.ceiling import ceiling_of
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.channel.secret import Secret
from planner.considering import consider
from planner.limits import LIMITS, limit_of, limits_of
from planner.limits.counting import fewest_answers
from planner.limits.flat import FlatCell
from planner.limits.neighbour import Neighbour
from planner.model import Status
from threatplan.render.json import finite
from threatplan.verify import check

BOARDS = (
    "N = 20; clip = 1e-15; decimals = 3",
    "N = 20; phi = arbitrary",
    "N = 9; noise = bounded(1)",
    "N = 40; clip = 1e-15; decimals = 3; queries <= 5; adaptive = no",
    "N = 20; clip = 1e-15; noise = gaussian(0.1)",
    "N = 20; metric = brier; decimals = 3",
    "N = 20; K = 3; clip = 1e-9; decimals = 4",
    "N = 20; clip = 1e-15; decimals = 0",
)
COUNTS = tuple(f"N = 20; metric = {name}; {rest}"
    for name in ("accuracy", "f1", "roc_auc", "mcc")
    for rest in ("decimals = 2; queries <= 3", "noise = bounded(1/5)", "decimals = 1; adaptive = no; queries <= 2")
)  # fmt: skip
SILENT = "N = 9; clip = 1e-15; noise = uniform(-1/100000, 1/50000); decimals = 9; queries <= 10; adaptive = no"
PARTS = ("public = 5", "public = 8; find = labels_and_split", "public = between(3, 7)")


def scenario(text):
    return loads(f"scenario board {{ {text} }}")[0]


def channel(text):
    return channel_of(scenario(text))


def bound(limit):
    return float("inf") if limit.excludes_all else limit.queries or 0


# -- safe defaults -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("board", BOARDS)
def test_attacks_that_do_not_name_the_split_refuse_it(board, part):
    there = channel(f"{board}; {part}")
    for theorem in CATALOGUE:
        found = consider(theorem, there)
        if not theorem.scope.of_a_part:
            assert found.status is Status.REFUSED, theorem.id
            others = not theorem.scope.fits(there)  # made for other metrics, which comes first
            own = "release" if found.reasons[0].field == "release" else "metric" if others else "public"
            assert [one.field for one in found.reasons] == [own]  # a board that shows each score is no Ladder
            assert found.paper is None


def test_a_record_for_all_rows_is_refused_where_a_part_is_scored():
    """By the certifier itself, whatever a theorem proposes."""
    record = consider(BY_ID["block"], channel(BOARDS[0])).certified.certificate.parameters
    refused = {one.field for one in certify(channel(f"{BOARDS[0]}; public = 5"), record).obligations if not one.holds}
    assert "public" in refused


@pytest.mark.parametrize("board", BOARDS)
def test_a_guess_and_a_split_are_refused_by_everything(board):
    there = replace(channel(f"{board}; public = 5"), radius=2)
    assert there.unknown == ("public",)
    for theorem in CATALOGUE:
        assert consider(theorem, there).status is Status.REFUSED, theorem.id
    for limit in limits_of(there):
        assert bound(limit) == 0, limit.id
    assert ceiling_of(replace(there, budget=3)).fraction == 1


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("board", [*BOARDS, *COUNTS, SILENT])
def test_reports_on_a_part_are_verified(board, part):
    entry = json.loads(json.dumps(finite(plan(scenario(f"{board}; {part}")).to_json())))
    assert check(entry).faults == ()


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("board", COUNTS)
def test_scores_that_count_are_refused_on_a_part(board, part):
    there = channel(f"{board}; {part}")
    assert there.unknown == ("public",)
    assert all(consider(theorem, there).status is Status.REFUSED for theorem in CATALOGUE)
    assert all(bound(limit) == 0 for limit in limits_of(there))


@pytest.mark.parametrize("every", ["public = N", "public = 100%", "public = between(N, N)", "find = labels_and_split"])
@pytest.mark.parametrize("board", BOARDS[:4])
def test_all_rows_is_all_rows_however_it_is_said(board, every):
    plain, said = (plan(scenario(text)).to_json() for text in (board, f"{board}; {every}"))
    for one in (plain, said):
        del one["channel"]["sources"], one["scenario"]["find"]
        for candidate in one["candidates"]:
            candidate["reasons"] = [{**reason, "line": None} for reason in candidate["reasons"]]
    assert plain == said


# -- what a goal comes to --------------------------------------------------------------------------------------


def test_rows_that_are_not_told_may_all_be_scored():
    there = channel("N = 100; public = 30; goal = 90%")
    assert (there.wanted, there.wrong_allowed, there.secret.wrong) == (97, 3, 3)
    wide = channel("N = 100; public = between(30, 60); goal = 90%")
    assert (wide.wanted, wide.secret.scored, wide.secret.wrong) == (97, 30, 6)


def test_a_share_is_taken_to_the_nearest_row():
    assert [scenario(f"N = {N}; public = 30%").scored[0] for N in (5, 10, 15, 25)] == [2, 3, 5, 8]


def test_what_is_assumed_says_how_many_rows_are_scored():
    report = plan(scenario("N = 506; public = 30%; clip = 1e-9; decimals = 3"))
    assert report.assumes[1].startswith("152 of the 506 rows are scored")
    ranged = plan(scenario("N = 506; public = between(100, 150); clip = 1e-9; decimals = 3"))
    assert ranged.assumes[1].startswith("100 to 150 of the 506 rows are scored")


# -- limits ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", [*BOARDS, "N = 20; clip = 1e-3; noise = laplace(1); adaptive = no"])
def test_labels_of_a_part_are_those_of_a_board_of_that_part(board):
    """Whoever is told which rows are scored has such a board before him."""
    small = channel(board.replace(board.split(";")[0], "N = 7"))
    there = channel(f"{board}; public = 7")
    for theorem in LIMITS:
        assert bound(limit_of(theorem, there)) == bound(limit_of(theorem, small)), theorem.id


@pytest.mark.parametrize("find", ["labels", "labels_and_split"])
@pytest.mark.parametrize("board", BOARDS)
def test_a_range_is_as_hard_as_its_easiest_number(board, find):
    ranged = channel(f"{board}; public = between(3, 7); find = {find}")
    for theorem in LIMITS:
        least = min(bound(limit_of(theorem, channel(f"{board}; public = {n}; find = {find}"))) for n in range(3, 8))
        assert bound(limit_of(theorem, ranged)) <= least, theorem.id


@pytest.mark.parametrize("goal", ["60%", "80%", "99%"])
def test_a_range_lets_as_many_labels_be_wrong_as_any_number_in_it(goal):
    board = f"N = 60; clip = 1e-3; decimals = 2; goal = {goal}; adaptive = no"
    ranged = channel(f"{board}; public = between(4, 40)")
    for theorem in LIMITS:
        least = min(bound(limit_of(theorem, channel(f"{board}; public = {n}"))) for n in range(4, 41))
        assert bound(limit_of(theorem, ranged)) <= least, theorem.id


def test_bits_of_labels_and_split():
    """Every part of every size of a range has at least as many labelings as is said."""
    for N, K, low, high in ((9, 2, 3, 3), (9, 3, 1, 8), (6, 2, 5, 6), (12, 4, 2, 11)):
        found = float(Secret(N, low, K, 0, N, uncertain=high - low, membership=True).bits())
        assert found == pytest.approx(min(log2(comb(N, n) * K**n) for n in range(low, high + 1)))


def charges(draw, N, K, reach):
    """Charges of rows, each class anywhere between 0 and `reach`; at the ends, as often as not."""
    return reach * np.where(draw.random((N, K)) < 0.5, draw.integers(0, 2, (N, K)), draw.random((N, K)))


def secrets(N, n, K):
    for rows in combinations(range(N), n):
        for labels in product(range(K), repeat=n):
            yield rows, labels


@pytest.mark.parametrize(("N", "n", "K"), [(5, 2, 2), (6, 1, 2), (5, 4, 2), (4, 2, 3), (4, 4, 2)])
def test_the_variance_of_one_score_and_the_energy_of_all(N, n, K):
    """The largest variance of a mean over a random part, and the trace of what is unknown times the largest charges."""
    secret = Secret(N, n, K, 0, N, membership=True)
    draw = np.random.default_rng(N * n + K)
    found = list(secrets(N, n, K))
    worst = 0.0
    tables = [charges(draw, N, K, 1.0) for _ in range(60)] + [np.repeat(np.arange(N)[:, None] % 2, K, axis=1) * 1.0]
    for table in tables:
        scores = [sum(table[i, k] for i, k in zip(rows, labels, strict=True)) / n for rows, labels in found]
        worst = max(worst, float(np.var(scores)))
    assert worst <= float(secret.variance()) + 1e-12
    indicators = np.zeros((len(found), N * K))
    for place, (rows, labels) in enumerate(found):
        indicators[place, [i * K + k for i, k in zip(rows, labels, strict=True)]] = 1
    trace = float(indicators.var(axis=0).sum())
    # Charges about the middle of their range: squares of at most 1/4 each, N K of them; a score is an n-th of the sum.
    assert trace * N * K / 4 / n**2 == pytest.approx(float(secret.energy()))
    assert worst <= float(secret.energy()) + 1e-12


@pytest.mark.parametrize(("N", "n", "K"), [(5, 2, 2), (4, 2, 3), (6, 3, 2)])
@pytest.mark.parametrize("decimals", [0, 1])
def test_no_submission_has_more_answers_than_are_counted(N, n, K, decimals):
    """Rows of any kind, some not normalised: unscored rows move all charges."""
    there = channel(
        f"N = {N}; K = {K}; columns = {K}; public = {n}; find = labels_and_split; clip = 1e-3; renormalises = yes; "
        f"decimals = {decimals}"
    )
    answers, _ = fewest_answers(there)
    draw, most = np.random.default_rng(5), 0
    for _ in range(80):
        rows = np.clip(draw.choice([1e-3, 0.03, 0.5, 0.999], size=(N, K)), 1e-3, 1 - 1e-3)
        table = -np.log(rows / rows.sum(axis=1, keepdims=True))
        shown = {
            round(float(np.mean([table[i, k] for i, k in zip(part, labels, strict=True)])), decimals)
            for part, labels in secrets(N, n, K)
        }
        most = max(most, len(shown))
    assert most <= answers


def test_several_classes_need_the_range_of_all_rows():
    """K = 3, one row scored: nine answers are seen, where the largest difference within a row allows eight."""
    there = channel("N = 9; K = 3; columns = 3; public = 1; clip = 1e-3; decimals = 0; renormalises = yes")
    assert fewest_answers(there)[0] <= 8
    assert fewest_answers(replace(there, membership=True))[0] >= 9


# -- a limit and an attack -----------------------------------------------------------------------------------------


def test_certified_queries_are_never_below_a_limit():
    draw = np.random.default_rng(11)
    for _ in range(40):
        N = int(draw.integers(2, 200))
        board = (
            f"N = {N}; public = {int(draw.integers(1, N + 1))}; decimals = {int(draw.integers(0, 7))}; columns = 2; "
            f"clip = {draw.choice(['1e-3', '1e-9', '1e-15'])}; adaptive = {draw.choice(['yes', 'no'])}; "
            f"find = {draw.choice(['labels', 'labels_and_split'])}"
        )
        plan(scenario(board))  # raises a Contradiction otherwise


def test_exposure_speaks_of_labels_whatever_is_wanted():
    alone = plan(scenario("N = 506; public = 198; clip = 1e-15; decimals = 5; columns = 2; queries <= 20"))
    both = plan(
        scenario(
            "N = 506; public = 198; clip = 1e-15; decimals = 5; columns = 2; queries <= 20; find = labels_and_split"
        )
    )
    assert alone.exposure.labels == both.exposure.labels > 200
    assert alone.exposure.attack == both.exposure.attack == "split-labels"
    assert alone.ceiling == both.ceiling


def test_the_ceiling_counts_labels_of_scored_rows():
    report = plan(scenario("N = 400; public = 200; clip = 1e-3; decimals = 1; queries <= 4"))
    small = plan(scenario("N = 200; clip = 1e-3; decimals = 1; queries <= 4"))
    assert (report.ceiling.labels, report.ceiling.promised) == (small.ceiling.labels, small.ceiling.promised)
    assert report.ceiling.fraction == small.ceiling.fraction < 1


def test_an_expected_ceiling_is_a_share_of_scored_rows():
    board = "N = 400; public = 200; clip = 1e-3; decimals = 1; queries <= 4"
    share = plan(scenario(board)).ceiling.fraction
    for percent, holds in ((Fraction(share) * 100 + 1, True), (Fraction(share) * 100 - 1, False)):
        (outcome,) = plan(scenario(f"{board}; expect ceiling <= {float(percent)}%")).expectations
        assert outcome.holds is holds


def test_cells_and_pairs_say_nothing_of_a_range():
    """Fewer rows leave the cell about 1/2 more often, and two labelings of fewer rows lie farther apart."""
    cell = channel("N = 400; metric = accuracy; decimals = 1; adaptive = no; abstain = no")
    pair = channel("N = 40; metric = f1; noise = bounded(1/10)")
    assert FlatCell().apply(cell).queries > 1
    assert Neighbour().apply(pair).excludes_all
    assert bound(FlatCell().apply(replace(cell, uncertain=9))) == 0
    assert bound(Neighbour().apply(replace(pair, uncertain=9))) == 0
