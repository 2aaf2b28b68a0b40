"""A planner whose answers are plain to see, and a simulation that takes as long as it is told to."""

from __future__ import annotations

import sys
import time
from fractions import Fraction
from typing import Any, cast

from dsl.scenario import Decimals, Scenario
from planner.channel.channel import channel_of
from planner.model import (
    Candidate,
    Certificate,
    Claim,
    Exposure,
    Limit,
    LowerBound,
    Plan,
    Refusal,
    Status,
    Step,
    Verdict,
)
from planner.numerics.inequality import Bound, Inequality
from planner.report import Report
from tui.child import _private_output, _sender
from tui.simulation import ASKED, HIDDEN, RECOVERED, VERIFIED, Progress, Result

BLOCK_LABELS = 10


def fake_plan(scenario: Scenario) -> Report:
    """Feasible when ten labels a query fit the budget; fewer than two decimals are called impossible."""
    digits = scenario.shown.digits if isinstance(scenario.shown, Decimals) else 16
    hopeless = digits < 2
    queries = -(-scenario.N // BLOCK_LABELS)
    fits = scenario.queries is None or queries <= scenario.queries
    affordable = queries if fits else cast(int, scenario.queries)
    labels = min(affordable * BLOCK_LABELS, scenario.N)
    block = _block(queries, Status.FEASIBLE if fits else Status.OVER_BUDGET, labels)
    limit = Limit("I1", "counting", 7, hopeless, "scores hold too few bits")
    verdict = Verdict.IMPOSSIBLE if hopeless else Verdict.FEASIBLE if fits else Verdict.UNKNOWN
    return Report(
        scenario=scenario,
        channel=channel_of(scenario),
        verdict=verdict,
        why=f"{digits} decimals, {queries} queries",
        best=block if verdict is Verdict.FEASIBLE else None,
        exposure=Exposure(labels, labels / scenario.N, affordable, "block"),
        lower_bound=LowerBound(7, "I1"),
        candidates=(_primes(), _block(queries, Status.REFUSED, 0) if hopeless else block),
        limits=(limit,),
        expectations=(),
    )


def _block(queries: int, status: Status, exposure: int) -> Candidate:
    if status is Status.REFUSED:
        reason = Refusal("decimals", "at least 2", "fewer", 4, "section 3")
        return Candidate("block", "block attack", status, Claim(5, 2 * queries), None, (reason,))
    inequality = Inequality("W > 2E", Bound("34.53", "34.54"), ">", Bound("0.1", "0.1"), True)
    certificate = Certificate(cast(Any, None), cast(Any, None), (), "every label, for every labeling", (inequality,))
    chain = (Step("decimals", "rounding is an error of 5e-6"), Step("block", "ten labels a query"))
    plan = Plan(Fraction(BLOCK_LABELS), queries, 17, 52, 10**6, 8 * 10**4, exposure, certificate, chain)
    return Candidate("block", "block attack", status, Claim(5, 2 * queries), plan)


def _primes() -> Candidate:
    reason = Refusal("phi", "arbitrary precision", "float64", 3, "Theorem 1")
    return Candidate("primes-apa", "Theorem 1", Status.REFUSED, Claim(1000, 1, "E-P"), None, (reason,))


def broken_plan(scenario: Scenario) -> Report:
    """A planner with a defect."""
    raise RuntimeError("a defect")


def main() -> int:
    """A child that asks queries until it is stopped, or comes to an end for seed 1."""
    import pickle

    send = _sender(_private_output())
    order = pickle.load(sys.stdin.buffer)
    for done in range(1, 2 if order.seed == 1 else 10**6):
        send(Progress("asking queries", done, 10**6, bytes([ASKED, HIDDEN]) * 50))
        time.sleep(0.02)
    send(Progress("verifying", 1, 1, bytes([RECOVERED]) * 100))
    send(
        Result(100, 0, 1, {"encode": 0.1, "score": 0.2, "decode": 0.3}, "kaggle", 1, "", False, bytes([VERIFIED]) * 100)
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
