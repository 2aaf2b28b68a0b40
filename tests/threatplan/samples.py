"""Reports made by hand, so that renderers are tested on every shape a report can take."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from dsl.scenario import Scenario
from planner.attacks.parameters import Parameters
from planner.attacks.promise import Promise
from planner.channel.channel import channel_of
from planner.model import (
    Candidate,
    Certificate,
    Claim,
    Exposure,
    Limit,
    LowerBound,
    Outcome,
    Plan,
    Refusal,
    Status,
    Step,
    Verdict,
)
from planner.numerics.inequality import Bound, Inequality
from planner.report import Report

SEPARATED = Inequality("g > 2(E + dev)", Bound("2.70e-3", "2.71e-3"), ">", Bound("2.50e-3", "2.51e-3"), True)
PROMISE = Promise(1000, 2, 84, False, 0, False, Fraction(0), "nothing", ())


def plan_of(labels: Fraction, queries: int, exposure: int) -> Plan:
    certificate = Certificate(cast(Parameters, None), PROMISE, (), "every labeling, every error within E", (SEPARATED,))
    chain = (
        Step("R-decimals", "5 decimals: an error of at most 0.000005"),
        Step("block", "powers of two"),
    )
    return Plan(labels, queries, 20, 53, 25_000, 200_000, exposure, certificate, chain)


def report(verdict: Verdict = Verdict.FEASIBLE) -> Report:
    """A Kaggle-like leaderboard; feasible, impossible or unknown."""
    scenario = Scenario("kaggle", N=1000, title="A public leaderboard, φ = float64", file="kaggle.threat")
    block = Candidate("block", "B", Status.FEASIBLE, Claim(5, 200, "E-alg3"), plan_of(Fraction(12), 84, 1000))
    butterfly = Candidate("butterfly", "F", Status.OVER_BUDGET, None, plan_of(Fraction(1000, 69), 69, 990))
    need = Refusal("phi", "arbitrary precision", "float64", 4, "Thm 1")
    primes = Candidate("primes", "Thm 1", Status.REFUSED, Claim(1000, 1), None, (need,))
    feasible = verdict is Verdict.FEASIBLE
    counting = Limit(
        "I1",
        "counting",
        47,
        False,
        "47 answers of 21.7 bits are the least that tell 2^1000 labelings apart",
        (Inequality("M log2 A >= N", Bound("1019.9", "1020.0"), ">=", Bound("1000", "1000"), True),),
        "MATH",
    )
    return Report(
        scenario=scenario,
        channel=channel_of(scenario),
        verdict=verdict,
        why="block recovers all 1,000 labels in 84 queries" if feasible else "no attack is certified",
        best=block if feasible else None,
        exposure=Exposure(1000, 1.0, 84, "block") if feasible else Exposure(0, 0.0, 0, None),
        lower_bound=LowerBound(47, "I1"),
        candidates=(block, butterfly, primes) if feasible else (primes,),
        limits=(counting,),
        expectations=(
            Outcome("expect feasible", 9, feasible, str(verdict)),
            Outcome("expect queries <= 50", 10, False, "84"),
        ),
    )
