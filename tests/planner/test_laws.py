"""Laws of the planner over random scenarios: monotone verdicts, proofs behind verdicts, certificates that check again."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import pytest
from flint import ctx
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dsl import loads
from dsl.scenario import Ieee, Scenario
from planner import plan
from planner.attacks.parameters import parameters_from_json
from planner.certify import certify
from planner.model import Status, Verdict
from planner.report import Report
from tests.planner.scenarios import HARDER, less_precise, less_precise_score, longer_sum, more_labels, random_scenario

RANK = {Verdict.IMPOSSIBLE: 0, Verdict.UNKNOWN: 1, Verdict.FEASIBLE: 2}
SEEDS = st.integers(0, 10**9)
FACTORS = st.sampled_from([Fraction(101, 100), Fraction(3, 2), Fraction(2), Fraction(10)])
quick = settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@lru_cache(maxsize=256)
def planned(scenario: Scenario) -> Report:
    return plan(scenario)


def scenario_of(seed: int) -> Scenario:
    return random_scenario(random.Random(seed))


# A coarser or longer floating-point sum is no function of the finer one: its own rounding may tell something, so a
# proof may get weaker by it. Longer sums of more labels are such sums, too.
WEAKER_PROOFS = (less_precise, less_precise_score, longer_sum, more_labels)


@pytest.mark.parametrize("harder", HARDER, ids=lambda one: one.__name__)
@quick
@given(seed=SEEDS, factor=FACTORS)
def test_verdicts_are_monotone(harder, seed, factor):
    easy = scenario_of(seed)
    hard = harder(easy, factor)
    assume(hard != easy)
    before, after = RANK[planned(easy).verdict], RANK[planned(hard).verdict]
    if harder in WEAKER_PROOFS and isinstance(easy.phi, Ieee):
        assert after <= max(before, RANK[Verdict.UNKNOWN]), (easy, hard)
    else:
        assert after <= before, (easy, hard)


@quick
@given(seed=SEEDS, factor=FACTORS)
def test_more_labels_never_take_fewer_queries(seed, factor):
    easy = replace(scenario_of(seed), shown=None)
    hard = more_labels(easy, factor)
    assume(hard != easy)
    few, many = planned(easy).best, planned(hard).best
    assume(few is not None and many is not None)
    assert many.certified.queries >= few.certified.queries, (easy, hard)


@quick
@given(seed=SEEDS, budget=st.integers(1, 400), more=st.integers(0, 400))
def test_exposure_grows_with_the_budget_and_never_exceeds_N(seed, budget, more):
    scenario = scenario_of(seed)
    small, large = (planned(replace(scenario, queries=one)).exposure for one in (budget, budget + more))
    whole = planned(replace(scenario, queries=None)).exposure
    labels = [-1 if one.labels is None else one.labels for one in (small, large, whole)]  # not known is below all
    assert labels == sorted(labels)
    assert labels[-1] <= scenario.N
    assert small.queries <= budget


@quick
@given(seed=SEEDS)
def test_verdicts_rest_on_a_plan_or_a_proof(seed):
    report = planned(scenario_of(seed))
    budget = report.scenario.queries
    assert (report.verdict is Verdict.FEASIBLE) == (report.best is not None)
    excluded = any(one.excludes_all or (one.queries or 0) > (budget if budget is not None else 10**30)
                   for one in report.limits)  # fmt: skip
    assert (report.verdict is Verdict.IMPOSSIBLE) == (excluded and report.best is None)
    assert not (excluded and report.best is not None)
    if report.best is not None:
        assert report.best.certified.queries >= report.lower_bound.queries
        assert budget is None or report.best.certified.queries <= budget


@quick
@given(seed=SEEDS)
def test_every_candidate_has_a_certificate_or_a_reason(seed):
    from planner.catalogue import CATALOGUE

    report = planned(scenario_of(seed))
    assert [one.attack for one in report.candidates] == [one.id for one in CATALOGUE]
    for candidate in report.candidates:
        if candidate.certified is None:
            assert candidate.status is Status.REFUSED
            assert candidate.reasons
            assert all(one.field and one.need and one.have and one.cite for one in candidate.reasons)
        else:
            assert candidate.certified.certificate.holds
            within = candidate.certified.exposure
            assert (within is None) == (candidate.status is Status.OVER_BUDGET)
            assert within is None or within <= report.scenario.N


@quick
@given(seed=SEEDS)
def test_certificates_check_again_from_their_json(seed):
    report = planned(scenario_of(seed))
    for candidate, shown in zip(report.candidates, report.to_json()["candidates"], strict=True):
        if candidate.certified is None:
            continue
        data = json.loads(json.dumps(shown["certified"]["parameters"]))
        parameters = parameters_from_json(data)
        assert parameters == candidate.certified.certificate.parameters
        with ctx.workprec(report.channel.working_bits):  # figures are printed as sharp as they were computed
            again = certify(report.channel, parameters)
        assert again.holds
        assert again == candidate.certified.certificate


@quick
@given(seed=SEEDS)
def test_a_certificate_of_a_quieter_channel_is_not_taken_over(seed):
    """The certifier looks at the channel: what it accepts for an exact score it refuses under noise larger than W."""
    from dsl.numbers import Real
    from dsl.scenario import Bounded
    from tests.planner.scenarios import CLIP

    quiet = replace(scenario_of(seed), clip=CLIP, queries=None)
    assume(not planned(quiet).channel.random)
    loud = replace(quiet, noise=Bounded(Real.of(100)))
    report, channel = planned(quiet), planned(loud).channel
    for candidate in report.candidates:
        if candidate.certified is not None and candidate.attack != "hadamard":
            assert not certify(channel, candidate.certified.certificate.parameters).holds, candidate.attack


# -- one meaning, several spellings --------------------------------------------------------------------

SPELLINGS = [
    (
        "scenario a { N = 25_000; K = 2; phi = float64; noise = none; queries <= N/5; time = polynomial }",
        "scenario a { N = 25000; φ = float64\n queries <= 5_000 }",
    ),
    (
        "scenario a { N = 1000; noise = bounded(1/1000); clip = 1e-15; decimals = 4; confidence = 95% }",
        "scenario a { confidence = 19/20; decimals = 2 + 2; clip = 10^-15; noise = bounded(0.1%); N = 10^3 }",
    ),
    (
        "scenario a { N = 100; phi = 64; adaptive = no; goal = 90% }",
        "scenario b { N = 100; phi = 64; goal = 9/10 }\nscenario a : b { adaptive = no }",
    ),
]


@pytest.mark.parametrize(("first", "second"), SPELLINGS)
def test_equal_scenarios_plan_equally(first, second):
    one, other = loads(first)[-1], loads(second)[-1]
    assert one == other
    assert strip(plan(one)) == strip(plan(other))


def strip(report: Report) -> str:
    """The report but for lines and files."""
    data = report.to_json()
    for candidate in data["candidates"]:
        for reason in candidate["reasons"]:
            del reason["line"]
    data["channel"].pop("sources")
    data.pop("file")
    return json.dumps(data, sort_keys=True)
