"""The planner against an implementation that shares no code with it, over random scenarios; and its plans, run."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction

import pytest
from flint import ctx
from mpmath import mp, mpf

from backends.resources import Limits, ResourceRefusal
from backends.simulate import simulate
from dsl.scenario import (
    Bounded,
    Decimals,
    Multiplicative,
    Scenario,
)
from planner import plan
from planner.channel.channel import channel_of
from planner.limits import LIMITS
from planner.model import Limit
from planner.numerics.reals import ball, midpoint
from planner.report import Report
from tests.planner import oracle
from tests.planner.scenarios import random_scenario
from threatplan.verify.verdict import limit_faults

SAMPLES = range(150)
REPORTS = range(60)


def near(ball_value, exact: mpf) -> bool:
    """Whether the planner's ball holds the number, and little else."""
    if not mp.isfinite(exact):
        return not ball_value.is_finite()
    middle = oracle.number(midpoint(ball_value))
    return abs(middle - exact) <= abs(exact) * mpf(10) ** -25 + mpf(10) ** -60


@pytest.mark.parametrize("seed", SAMPLES)
def test_reach_and_error(seed):
    draw = random.Random(seed)
    scenario = random_scenario(draw, 10**9)
    channel = channel_of(scenario)
    queries, loss = draw.randint(1, 10**6), Fraction(draw.randint(1, 10**6), 10**4)
    with ctx.workprec(256):
        reach, error = channel.reach(), channel.errors(queries).sum_error(ball(loss))
    assert channel.bounded is reach.is_finite() is (oracle.W(scenario) is not None)
    assert near(reach, oracle.W(scenario)) if channel.bounded else reach > 10**300
    assert near(error, scenario.N * oracle.score_error(scenario, queries, oracle.number(loss)))


# -- lower bounds --------------------------------------------------------------------------------------


def whole(value: mpf) -> int:
    return max(0, int(mp.ceil(value - mpf(10) ** -40)))


def agree(limit: Limit, expected: int | None, exact: bool) -> None:
    """The planner may claim less than the formula where its own bound on V is coarser, never more."""
    claimed = 0 if limit.queries is None else limit.queries
    wanted = expected or 0
    assert claimed <= wanted, limit
    assert not exact or claimed == wanted, limit


def check_counting(report: Report, exact: bool) -> None:
    scenario, limit = report.scenario, report.limits[0]
    answers = oracle.answers(scenario)
    if answers == 1:
        assert limit.excludes_all or not exact
        return
    need = oracle.Need.of(scenario).counting()
    agree(limit, None if answers is None else whole(need / mp.log(answers, 2)), exact)


def check_neighbour(report: Report) -> None:
    scenario, limit = report.scenario, report.limits[1]
    applies = (
        isinstance(scenario.noise, Bounded) and oracle.has_reach(scenario) and scenario.confidence > Fraction(1, 2)
    )
    distance = 2 * oracle.Need.of(scenario).wrong + 1
    if not applies or distance > scenario.N:
        assert not limit.excludes_all
        return
    spread = distance * oracle.most(scenario) + 2 * scenario.N * oracle.slack(scenario)
    assert limit.excludes_all == (2 * scenario.N * oracle.number(scenario.noise.tau) >= spread)


def check_entropy(report: Report, exact: bool) -> None:
    scenario, limit = report.scenario, report.limits[2]
    step = oracle.grid(scenario)
    if scenario.adaptive or step is None or not oracle.has_reach(scenario) or scenario.confidence <= Fraction(1, 2):
        assert limit.queries is None
        return
    if mp.isfinite(oracle.slack(scenario)):
        bits = oracle.entropy_bits(scenario, step)
        agree(limit, whole(oracle.Need.of(scenario).fano() / bits), exact)


def check_random(report: Report, exact: bool) -> None:
    scenario, fano, neighbour = report.scenario, report.limits[3], report.limits[4]
    if not report.channel.random or not oracle.has_reach(scenario):
        assert fano.queries is None
        assert neighbour.queries is None
        return
    if not mp.isfinite(oracle.slack(scenario)):
        return
    agree(fano, whole(oracle.Need.of(scenario).fano() / oracle.capacity(scenario)), exact)
    if neighbour.queries is not None and "point" not in dict(neighbour.parameters):
        assert oracle.label_error(scenario, neighbour.queries - 1) > oracle.tolerated(scenario)


def check_free(report: Report) -> None:
    """Whatever rate or point was found, the checker derives the same figures from it, or larger ones."""
    for record in report.to_json()["limits"]:
        if record["id"] in ("I5", "I6"):
            faults = list(limit_faults(oracle.channel(report.scenario), json.loads(json.dumps(record))))
            assert faults == [], report.scenario


@pytest.mark.parametrize("seed", REPORTS)
def test_lower_bounds(seed):
    draw = random.Random(1000 + seed)
    scenario = replace(random_scenario(draw, 2000), queries=None)
    if draw.random() < 0.8:
        scenario = replace(scenario, goal=Fraction(1))
    report = plan(scenario)
    exact = scenario.goal == 1
    assert [one.id for one in report.limits] == [one.id for one in LIMITS]
    check_counting(report, exact)
    check_neighbour(report)
    check_entropy(report, exact)
    check_random(report, exact)
    check_free(report)


# -- plans, run ----------------------------------------------------------------------------------------


def block_labels(scenario: Scenario) -> int:
    """The block's m from W and E alone: the most powers of two with gap 2E, the largest at most W."""
    m = 0
    while m < scenario.N:
        queries = -(-scenario.N // (m + 1))
        W = oracle.W(scenario)
        loss = mp.log(2) + 2 * W / scenario.N
        if not 2 * scenario.N * oracle.score_error(scenario, queries, loss) * mpf(2) ** m < W:
            break
        m += 1
    return m


@pytest.mark.parametrize("seed", range(40))
def test_block_labels(seed):
    """Within one of the formula: the planner's loss is the block's own, and weights lie on the format's grid."""
    draw = random.Random(2000 + seed)
    scenario = random_scenario(draw, 2000)
    scenario = replace(
        scenario, K=2, columns=draw.choice([1, 2]), goal=Fraction(1), shown=draw.choice([None, Decimals(4)])
    )
    if oracle.W(scenario) is None or isinstance(scenario.noise, Multiplicative):
        return
    block = next(one for one in plan(scenario).candidates if one.attack == "block").certified
    found = 0 if block is None else int(block.labels_per_query)
    assert block_labels(scenario) - 1 <= found <= block_labels(scenario) + 1


@pytest.mark.parametrize("seed", range(60))
def test_feasible_plans_recover_the_labels(seed):
    draw = random.Random(3000 + seed)
    scenario = replace(random_scenario(draw, 200), confidence=1 - Fraction(1, 10**9))
    report = plan(scenario)
    if report.best is None:
        return
    try:
        run = simulate(report, seed=seed, limits=Limits(bytes=2**28, seconds=2.0))
    except ResourceRefusal:
        return
    assert run.exact_trials == 1
    assert run.queries <= report.best.certified.queries
