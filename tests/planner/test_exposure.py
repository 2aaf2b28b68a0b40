"""What a report calls exposed: a promise about so many labels, with a certificate of its own."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from flint import ctx

import dsl
from planner import plan
from planner.attacks.block.parameters import ListedBlock
from planner.attacks.dither.parameters import DitheredSpread
from planner.attacks.spread.parameters import Spread
from planner.attacks.spread.shapes import block_of
from planner.attacks.spread.theorem import most_labels
from planner.catalogue import BY_ID
from planner.certify import certify, promise_of
from planner.channel.channel import channel_of
from planner.considering import consider, explore
from planner.designs.hadamard import orders
from planner.exposing import MOST_TRIED, _known, most_exposed
from planner.model import Candidate, Certificate, Exposure, Plan, Status
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
        assert all(one.status is not Status.FEASIBLE or mistakes(one) for one in report.candidates)
    else:
        assert_certified(report)
        assert not mistakes(report.exposure.candidate)
    assert_right(report)


def mistakes(candidate: Candidate) -> int:
    return candidate.certified.certificate.promise.wrong


def assert_right(report) -> None:
    """What is right in the end is known, guessed, or certified to be left right."""
    shown, channel = report.exposure, report.channel
    guessed = channel.rows - channel.radius if channel.secret.informed else None
    left = shown.averaged.certified.certificate.parameters if shown.averaged else None
    figures = [shown.labels, guessed, left and left.labels - left.mistakes]
    assert shown.right == max((one for one in figures if one is not None), default=None)
    assert shown.corrected == (None if guessed is None else shown.right - guessed)
    if left is not None:
        assert left.labels - left.mistakes > max(shown.labels or 0, guessed or 0)
        assert channel.budget is None or left.queries <= channel.budget
        goal = replace(channel, wanted=shown.right)
        with ctx.workprec(goal.working_bits):
            assert certify(goal, left).holds


@pytest.mark.parametrize("seed", range(20))
def test_a_larger_budget_never_exposes_fewer_labels(seed):
    scenario = cut(seed)
    budgets = sorted({1, 2, scenario.queries // 2 + 1, scenario.queries, scenario.queries + 1, 2 * scenario.queries})
    found = [plan(replace(scenario, queries=one)).exposure for one in budgets]
    for figures in ([one.labels for one in found], [one.right for one in found]):
        ranks = [-1 if labels is None else labels for labels in figures]
        assert ranks == sorted(ranks), dict(zip(budgets, figures, strict=True))


HIDDEN = "N = 1000; clip = 1e-3; noise = bounded(0.01); queries <= 50"


def test_what_no_attack_is_certified_for_is_not_known():
    """It was called 0, as if a proof said so."""
    report = plan(of("N = 1000; clip = 1e-3; noise = bounded(0.2); queries <= 50"))
    assert report.exposure.labels is None
    assert report.to_json()["exposure"] == {
        "labels": None, "fraction": None, "queries": 0, "attack": None, "certified": None,
        "right": None, "corrected": None, "averaged": None,
    }  # fmt: skip


def test_labels_of_which_some_may_be_wrong_are_right_and_not_known():
    """Errors within a bound turn at most floor(4 (E/W)^2) = 8 of the labels that 48 queries tell."""
    shown = plan(of(HIDDEN)).exposure
    assert (shown.labels, shown.right, shown.corrected) == (None, 40, None)
    assert (shown.averaged.attack, mistakes(shown.averaged)) == ("hadamard", 8)


def test_only_a_budget_of_no_query_exposes_nothing():
    assert plan(of("N = 1000; clip = 1e-15; queries <= 0")).exposure.labels == 0


@pytest.mark.parametrize("relation", ["<=", ">=", "<", ">", "=="])
def test_no_expectation_of_an_exposure_that_is_not_known_holds(relation):
    (outcome,) = plan(of(f"{HIDDEN}; expect exposure {relation} 100")).expectations
    assert not outcome.holds
    assert "not known" in outcome.actual


def test_labels_that_may_be_wrong_are_not_exposed():
    """A goal that allows wrong labels is met by averaging; they count as right, and fewer are known."""
    report = plan(of("N = 50; clip = 1e-15; noise = gaussian(2); goal = 80%; queries <= 300"))
    assert not mistakes(report.exposure.candidate)
    left = report.exposure.averaged.certified.certificate.parameters
    assert left.mistakes > 0
    assert report.exposure.labels < 40 <= report.exposure.right == left.labels - left.mistakes


# -- a guess --------------------------------------------------------------------------------------------

GUESSED = "N = 200; clip = 1e-15; decimals = 4; guess = 90%"


@pytest.mark.parametrize("queries", [0, 1, 4, 8])
def test_a_guess_is_right_without_a_query(queries):
    shown = plan(of(f"{GUESSED}; queries <= {queries}")).exposure
    assert shown.right >= 180
    assert shown.corrected == shown.right - 180
    assert shown.labels <= shown.right


def test_nothing_is_corrected_while_all_mistakes_may_lie_elsewhere():
    shown = plan(of(f"{GUESSED}; queries <= 2; noise = gaussian(0.01)")).exposure
    assert shown.labels < 180
    assert (shown.right, shown.corrected) == (180, 0)


def test_without_a_guess_nothing_is_corrected():
    assert plan(of("N = 200; clip = 1e-15; decimals = 4; queries <= 3")).exposure.corrected is None


# -- no cliffs ------------------------------------------------------------------------------------------

NOISY = "N = 2000; scorer = sklearn; columns = 2; noise = gaussian(0.005)"
CURVE = {
    3: 1, 10: 12, 20: 40, 50: 120, 100: 300, 150: 460, 200: 672, 250: 868, 300: 1184, 350: 1344, 400: 1600, 450: 1792,
    480: 1920, 503: 1984, 504: 2000,
}  # fmt: skip


def test_one_query_less_than_all_labels_take_exposes_nearly_all_of_them():
    """504 queries exposed all 2,000 labels, and 503 none."""
    found = {queries: plan(of(f"{NOISY}; queries <= {queries}")).exposure.labels for queries in (503, 504)}
    assert found == {503: 1984, 504: 2000}


def test_one_query_less_than_the_dithered_spread_takes_exposes_nearly_all():
    """864 queries expose all 2,000 labels; one less once exposed as many as there are comparisons in it."""
    text = "N = 2000; scorer = sklearn; decimals = 1; queries <= {}"
    found = {queries: plan(of(text.format(queries))).exposure for queries in (863, 864)}
    assert found[864].labels == 2000
    assert 1900 < found[863].labels < 2000
    assert found[863].attack == "dither"


def test_the_curve_of_averages():
    channel = channel_of(of(NOISY))
    small = channel.metric.smallest_usable(channel)
    with ctx.workprec(channel.working_bits):
        assert {queries: most_labels(channel, small, queries) for queries in CURVE} == CURVE


FAMILIES = {
    "spread": ("N = 60; clip = 1e-15; noise = gaussian(0.1)", range(1, 30)),
    "spread, several bases": ("N = 120; clip = 1e-15; columns = 2; noise = gaussian(0.02)", range(1, 40)),
    "spread, classes": ("N = 60; K = 3; clip = 1e-15; noise = laplace(0.1)", range(2, 70, 2)),
    "spread, uniform": ("N = 80; clip = 1e-6; noise = uniform(0, 0.2)", range(1, 60, 3)),
    "hadamard": ("N = 40; clip = 1e-15; noise = gaussian(0.5)", range(1, 45)),
    "hadamard, heavy": ("N = 40; clip = 1e-15; noise = gaussian(3)", range(200, 900, 37)),
    "dither": ("N = 120; clip = 1e-3; decimals = 1", range(6, 110, 7)),
    "dither, classes": ("N = 90; K = 3; clip = 1e-3; decimals = 1", range(10, 200, 21)),
    "threshold": ("N = 60; clip = 1e-3; decimals = 0", range(1, 70, 4)),
    "zero": ("N = 60; noise = bounded(10)", range(1, 70, 4)),
    "design": ("N = 120; clip = 1e-15; decimals = 3", range(1, 30, 2)),
}


def exposed_by(family: str, queries: int) -> Exposure:
    """What one attack alone exposes."""
    theorem, channel = BY_ID[family.partition(",")[0]], channel_of(of(FAMILIES[family][0]))
    channel = replace(channel, budget=queries)
    whole = consider(theorem, channel)
    some = [(whole.guess, lambda n: explore(theorem, replace(channel, wanted=n), True))]
    return most_exposed(channel.rows, queries, (whole,), some)


def last_step(p) -> int:
    """Labels that one step of one parameter adds: the base, the order or the rounds of a spread; one label elsewhere."""
    if not isinstance(p, Spread | DitheredSpread):
        return 1
    block, before = block_of(p.base, p.rounds), [one for one in orders(1, 2 * p.rows) if one < p.order]
    steps = [
        p.order * p.rounds,
        p.order * (block - block_of(p.base, p.rounds - 1)) if p.rounds > 1 else p.order * p.base,
    ]
    steps.append((p.order - before[-1]) * block if before else 1)
    if isinstance(p, DitheredSpread):  # the offset's own labels come together
        return max(*steps, p.offset_rows + p.order * p.base)
    return max(steps)


@pytest.mark.parametrize("family", FAMILIES)
def test_more_queries_never_expose_fewer_labels_and_no_step_is_a_cliff(family):
    before = 0
    for queries in FAMILIES[family][1]:
        shown = exposed_by(family, queries)
        labels = shown.labels or 0
        assert labels >= before, queries
        if shown.candidate is not None:
            p = shown.candidate.certified.certificate.parameters
            assert (p.labels, p.mistakes) == (labels, 0)
            assert p.queries <= queries
            apart = FAMILIES[family][1].step
            free = int(shown.fraction == 1)  # the last label follows from a count, and verifies the others
            assert labels - before <= apart * last_step(p) + free or family == "design", (queries, before, p)
        before = labels
    assert before


@pytest.mark.parametrize("family", FAMILIES)
def test_a_larger_goal_never_takes_fewer_queries(family):
    theorem, channel = BY_ID[family.partition(",")[0]], channel_of(of(FAMILIES[family][0]))
    goals = [1, 2, 5, channel.rows // 3, channel.rows // 2, channel.rows * 3 // 4, channel.rows - 1, channel.rows]
    plans = [consider(theorem, replace(channel, wanted=goal)).certified for goal in goals]
    assert all(plans), [goal for goal, one in zip(goals, plans, strict=True) if one is None]
    assert [one.queries for one in plans] == sorted(one.queries for one in plans)
    assert plans[0].queries < plans[-1].queries
    for goal, one in zip(goals, plans, strict=True):
        assert one.certificate.parameters.labels - one.certificate.parameters.mistakes >= goal


@pytest.mark.parametrize("noise", ["gaussian(0.8)", "bounded(0.2)"])
def test_what_averages_leave_right_rises_with_the_queries(noise):
    found = [plan(of(f"N = 60; clip = 1e-15; noise = {noise}; queries <= {one}")).exposure for one in range(4, 80, 9)]
    figures = [one.right or 0 for one in found]
    assert figures == sorted(figures)
    assert figures[-1] > 30
    assert all((one.labels or 0) <= (one.right or 0) for one in found)


# -- the search -----------------------------------------------------------------------------------------


def certified_up_to(most: int, tried: list[int]):
    """A theorem that is certified for no more labels than `most`."""

    def attempt(labels: int) -> Candidate | None:
        tried.append(labels)
        held = labels <= most
        channel = channel_of(of(f"N = {labels}"))
        block = ListedBlock(1, labels, ())
        certificate = Certificate(block, promise_of(channel, block), (), "always", ())
        whole = Plan(1, 1, 0, 0, 0, 0, labels, certificate)
        return Candidate("one", "", Status.FEASIBLE, None, whole, (), channel) if held else None

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


def erring(right: int, wrong: int) -> Candidate:
    """An attack that asks for nothing and leaves so many labels right, without saying which."""
    found = certified_up_to(right + wrong, [])(right + wrong)
    certificate = found.certified.certificate
    promised = replace(certificate, promise=replace(certificate.promise, wrong=wrong))
    return replace(found, certified=replace(found.certified, queries=0, certificate=promised))


@pytest.mark.parametrize(
    ("right", "guessed", "named"),
    [(9, None, False), (10, None, False), (11, None, True), (11, 11, False), (12, 11, True)],
)
def test_an_attack_that_errs_is_named_where_it_leaves_more_right_than_what_is_known_or_guessed(right, guessed, named):
    known, other = certified_up_to(10, [])(10), erring(right, 2)
    shown = most_exposed(20, 5, (known, other), (), guessed=guessed)
    assert (shown.labels, shown.candidate) == (10, known)
    assert shown.right == max(10, right, guessed or 0)
    assert shown.averaged is (other if named else None)


def test_nothing_is_exposed_where_nothing_may_be_asked():
    assert [_known(None, 5, budget).labels for budget in (0, 1, None)] == [0, None, None]
