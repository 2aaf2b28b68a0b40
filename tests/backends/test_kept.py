"""One idea of a kept promise, and runs that are the ones that were promised."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from backends.oracle import SPENT, BudgetSpentError, Oracle
from backends.promises import Shortfall, by_chance, shortfall
from backends.run import Run
from backends.simulate import NothingToRun, choose_within, simulate
from dsl import loads
from planner import plan
from planner.attacks.promise import COINS, NOISE, NOTHING, Promise
from planner.model import Status
from planner.report import Report


def planned(body: str) -> Report:
    return plan(loads("scenario s {\n" + body.replace("; ", "\n") + "\n}\n")[0])


def promised(report: Report) -> Promise:
    assert report.best
    assert report.best.certified
    return report.best.certified.certificate.promise


@pytest.mark.parametrize("scorer", ["kaggle", "sklearn", "keras", "xgboost", "lightgbm", "torch_bce"])
def test_a_candidate_is_run_against_the_scorer_of_its_report(scorer: str) -> None:
    report = planned(f"N = 12; scorer = {scorer}; noise = bounded(1e-5)")
    assert report.best
    of_report, of_candidate = (replace(simulate(one), seconds=None) for one in (report, report.best))  # type: ignore[arg-type]
    assert of_report == of_candidate
    assert scorer in of_candidate.scorer


def finished() -> tuple[Run, Promise]:
    report = planned("N = 12; scorer = kaggle")
    return simulate(report, trials=2), promised(report)


def test_what_falls_short_of_a_promise() -> None:
    run, promise = finished()
    assert shortfall(run, promise) is None
    assert shortfall(replace(run, failures=("no",)), promise) == Shortfall("no", False)
    assert shortfall(replace(run, most_wrong=1), promise) == Shortfall("labels wrong: 1, allowed: 0", False)
    assert shortfall(replace(run, most_wrong=1), replace(promise, wrong=1)) is None
    fewer = shortfall(replace(run, fewest_labels=11), promise)
    assert fewer == Shortfall("labels told: 11 of 12 promised", False)
    more = shortfall(replace(run, queries=promise.queries + 1), promise)
    assert more
    assert "queries asked" in more.text
    assert not more.by_chance


def test_a_wrong_label_of_one_trial_is_not_made_up_for_by_another() -> None:
    """Two trials may err in one label each, but one of them not in two."""
    run, promise = finished()
    uneven = replace(run, wrong_labels=2, most_wrong=2)
    assert shortfall(uneven, replace(promise, wrong=1)) is not None


def test_chance_excuses_what_the_promise_leaves_to_it_and_nothing_else() -> None:
    run, promise = finished()
    wrong, slow = replace(run, most_wrong=1), replace(run, queries=promise.queries + 1)
    rare = Fraction(1, 20)
    noisy, tossed = (replace(promise, chance=rare, over=over) for over in (NOISE, COINS))
    assert [shortfall(one, noisy).by_chance for one in (wrong, slow)] == [True, False]  # type: ignore[union-attr]
    assert [shortfall(one, tossed).by_chance for one in (wrong, slow)] == [False, True]  # type: ignore[union-attr]
    assert not by_chance(replace(noisy, chance=Fraction(1, 10**9)))
    assert not by_chance(replace(noisy, over=NOTHING))


def test_coins_excuse_a_run_that_was_cut_short_and_no_labels_that_are_wrong() -> None:
    """A wrong label was excused wherever some trial had used all its queries."""
    run, promise = finished()
    tossed = replace(promise, chance=Fraction(1, 20), over=COINS)
    spent = f"{SPENT} the {promise.queries} that are answered"
    cut = replace(run, exact_trials=1, most_wrong=12, wrong_labels=12, failures=(spent,))
    assert shortfall(cut, tossed) == Shortfall(spent, by_chance=True)
    assert shortfall(cut, replace(promise, over=NOTHING)) == Shortfall(spent, by_chance=False)
    for other in (
        replace(cut, failures=(spent, "a score fits no labeling"), exact_trials=0),
        replace(cut, failures=("a score fits no labeling",)),
        replace(cut, exact_trials=0, wrong_labels=13),  # the other trial came out wrong, and nobody noticed
    ):
        found = shortfall(other, tossed)
        assert found
        assert not found.by_chance


def test_a_board_that_answers_no_more_says_so() -> None:
    oracle = Oracle(np.zeros(3, dtype=np.int64), lambda labels, u: 0.5, budget=1)
    assert oracle(np.full(3, 0.5)) == 0.5
    with pytest.raises(BudgetSpentError, match=f"{SPENT} the 1 that are answered"):
        oracle(np.full(3, 0.5))


def test_chance_is_read_from_the_promise_and_not_from_its_words() -> None:
    """Averages leave a chance under Gaussian noise; without noise there is none, whatever words are used."""
    noisy, quiet = (
        {one.attack: one.certified.certificate for one in planned(body).candidates if one.certified}
        for body in ("N = 16; clip = 1e-6; noise = gaussian(0.02)", "N = 16; scorer = kaggle")
    )
    assert by_chance(noisy["hadamard"].promise)
    assert by_chance(replace(noisy["hadamard"], guarantee="every labeling").promise)
    assert not by_chance(replace(quiet["block"], guarantee="with probability 1").promise)


def test_a_run_within_the_budget_is_what_the_budget_exposes() -> None:
    report = planned("N = 60; scorer = kaggle; queries <= 2")
    attack = report.exposure.attack
    assert attack
    assert next(one for one in report.candidates if one.attack == attack).status is Status.OVER_BUDGET
    _, chosen, certified = choose_within(report, attack)
    assert certified.queries <= 2
    assert chosen is report.exposure.candidate
    with pytest.raises(NothingToRun, match=r"one-label takes 60 queries, 2 are allowed"):
        choose_within(report, "one-label")


@pytest.mark.parametrize(
    ("known", "how", "strayed"),
    [
        ("guess = 95%", {"guess": 5}, 0),
        ("guess = 95%", {"guess": 6}, 1),
        ("guess = 95%", {"guess": 0}, 0),
        ("positives = 5", {}, 0),
        ("positives = 5", {"labels": "zeros"}, 1),
        ("positives = 95", {"labels": "counts(5, 95)"}, 0),
        ("", {"labels": "zeros"}, 0),
    ],
)
def test_nothing_is_promised_of_labels_and_guesses_that_stray(known, how, strayed):
    """What the scenario says of the labels is assumed, and an attack that notices better breaks nothing."""
    report = plan(loads(f"scenario s {{ N = 100; scorer = kaggle; decimals = 4; {known} }}")[0])
    run = simulate(report, **how)
    assert run.strayed == strayed
    assert shortfall(run, report.best.certified.certificate.promise) is None
    assert run.exact_trials == 1 - strayed


def test_a_part_that_is_all_rows_leaves_none_out() -> None:
    """An attack that rightly said so was taken for one that says nothing of which rows are scored."""
    report = planned("N = 7; clip = 1e-9; decimals = 3; columns = 2; public = between(2, 7); find = labels_and_split")
    assert promised(report).membership
    run = simulate(report, public=np.ones(7, dtype=int))
    assert run.misplaced is None
    assert shortfall(run, promised(report)) is None
    told = replace(run, total_labels=5)  # two of the rows are not scored, and it did not say so
    assert shortfall(told, promised(report)) == Shortfall("rows wrongly said to be scored or not: 2", False)
