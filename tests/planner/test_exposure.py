"""What a report calls exposed: a promise about so many labels, with a certificate of its own."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from flint import ctx

import dsl
from planner import plan
from planner.attacks.block.parameters import ListedBlock
from planner.certify import certify, promise_of
from planner.channel.channel import channel_of
from planner.exposing import MOST_TRIED, most_exposed
from planner.model import Candidate, Certificate, Plan, Status
from tests.planner.scenarios import random_scenario

OVERSTATED = {
    "batches": "N = 333; K = 4; scorer = sklearn; noise = multiplicative(1.36e-07); queries <= 24",
    "few classes": "N = 100; K = 10; scorer = kaggle; noise = laplace(1.25e-05); queries <= 6",
    "two queries": "N = 50; K = 10; clip = 1e-9; noise = gaussian(1.85e-07); queries <= 2",
    "many classes": "N = 1000; K = 30; scorer = kaggle; noise = laplace(4.34e-06); queries <= 92",
    "decimals": "N = 1000; K = 10; clip = 1e-15; decimals = 3; noise = multiplicative(1.65e-06); queries <= 107",
}
"""Budgets whose exposure was a design's capacity at the amplitude of another design, certified for nobody."""


def of(text: str):
    (scenario,) = dsl.loads(f"scenario x {{ {text} }}")
    return scenario


def assert_certified(report) -> None:
    """The exposure is the promise of a certificate that holds, for as many labels, within the budget."""
    shown, budget = report.exposure, report.scenario.queries
    found = shown.candidate
    parameters = found.certified.certificate.parameters
    assert (shown.attack, shown.queries) == (found.attack, found.certified.queries)
    assert shown.labels == parameters.labels - parameters.mistakes
    assert budget is None or shown.queries <= budget
    goal = replace(report.channel, wanted=shown.labels)
    with ctx.workprec(goal.working_bits):
        assert certify(goal, parameters).holds


@pytest.mark.parametrize("text", OVERSTATED.values(), ids=OVERSTATED)
def test_an_exposure_is_certified_for_as_many_labels(text):
    """It was overstated by up to 15 labels, and could not be run."""
    report = plan(of(text))
    assert 0 < report.exposure.labels < report.scenario.N
    assert_certified(report)


def cut(seed: int):
    """A random scenario of moderate size with a budget that is too small for most attacks."""
    draw = random.Random(seed)
    scenario = random_scenario(draw, most=400)
    return replace(scenario, queries=draw.randint(1, max(2, scenario.N // draw.choice([2, 4, 8, 16]))))


@pytest.mark.parametrize("seed", range(25))
def test_exposures_of_cut_budgets_are_certified_or_not_known(seed):
    report = plan(cut(seed))
    if report.exposure.labels is None:
        assert (report.exposure.fraction, report.exposure.attack, report.exposure.candidate) == (None, None, None)
        assert all(one.status is not Status.FEASIBLE for one in report.candidates)
    else:
        assert_certified(report)


@pytest.mark.parametrize("seed", range(20))
def test_a_larger_budget_never_exposes_fewer_labels(seed):
    scenario = cut(seed)
    budgets = sorted({1, 2, scenario.queries // 2 + 1, scenario.queries, scenario.queries + 1, 2 * scenario.queries})
    found = [plan(replace(scenario, queries=one)).exposure.labels for one in budgets]
    ranks = [-1 if labels is None else labels for labels in found]
    assert ranks == sorted(ranks), dict(zip(budgets, found, strict=True))


HIDDEN = "N = 1000; clip = 1e-3; noise = bounded(0.01); queries <= 50"


def test_what_no_attack_is_certified_for_is_not_known():
    """It was called 0, as if a proof said so."""
    report = plan(of(HIDDEN))
    assert report.exposure.labels is None
    assert report.to_json()["exposure"] == {
        "labels": None, "fraction": None, "queries": 0, "attack": None, "certified": None
    }  # fmt: skip


def test_only_a_budget_of_no_query_exposes_nothing():
    assert plan(of("N = 1000; clip = 1e-15; queries <= 0")).exposure.labels == 0


@pytest.mark.parametrize("relation", ["<=", ">=", "<", ">", "=="])
def test_no_expectation_of_an_exposure_that_is_not_known_holds(relation):
    (outcome,) = plan(of(f"{HIDDEN}; expect exposure {relation} 100")).expectations
    assert not outcome.holds
    assert "not known" in outcome.actual


def test_labels_that_may_be_wrong_are_not_exposed():
    """A goal that allows wrong labels is met by averaging; only the labels that are right count."""
    report = plan(of("N = 50; clip = 1e-15; noise = gaussian(2); goal = 80%; queries <= 300"))
    shown = report.exposure.candidate.certified.certificate.parameters
    assert shown.mistakes > 0
    assert report.exposure.labels == shown.labels - shown.mistakes


# -- the search -----------------------------------------------------------------------------------------


def certified_up_to(most: int, tried: list[int]):
    """A theorem that is certified for no more labels than `most`."""

    def attempt(labels: int) -> Candidate:
        tried.append(labels)
        held = labels <= most
        channel = channel_of(of(f"N = {labels}"))
        block = ListedBlock(1, labels, ())
        certificate = Certificate(block, promise_of(channel, block), (), "always", ())
        whole = Plan(1, 1, 0, 0, 0, 0, labels, certificate)
        return Candidate(
            "one", "", Status.FEASIBLE if held else Status.REFUSED, None, whole if held else None, (), channel
        )

    return attempt


@pytest.mark.parametrize("most", [0, 1, 2, 7, 499, 500, 501, 513, 998, 999, 1000])
@pytest.mark.parametrize("guess", [0, 1, 490, 500, 510, 1000])
def test_the_most_labels_are_found_from_any_guess_in_few_steps(most, guess):
    tried: list[int] = []
    found = most_exposed(1000, 5, (), [(guess, certified_up_to(most, tried))])
    assert found.labels == (most or None)
    assert len(tried) <= MOST_TRIED
    assert len(tried) <= 3 or guess != most


def test_others_are_asked_only_whether_they_do_better():
    first, second = [], []
    others = [(10, certified_up_to(500, second)), (600, certified_up_to(600, first))]
    assert most_exposed(1000, 5, (), others).labels == 600
    assert second == [601]
