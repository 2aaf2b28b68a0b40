"""What `plan harden` proposes of releases on ten boards: each setting's proof, planned again, tried, and its price.

`python -m benchmarks harden`: for each board the mildest Ladder at which recovery is impossible. It is read back from its
own text and planned again, its report is verified, what it still exposes is run, random submissions see nothing of it, and
what it costs honest participants is told in standard errors of a score.
"""

from __future__ import annotations

import json

import numpy as np

from backends.simulate import simulate
from dsl import loads, source
from dsl.scenario import LadderOf, Scenario
from planner import plan
from planner.channel.channel import channel_of
from planner.model import Verdict
from planner.report import Report
from threatplan.hardening.costs import cost_of
from threatplan.hardening.knobs import knobs
from threatplan.hardening.search import impossible, mildest, proofs
from threatplan.render.json import finite
from threatplan.verify import check

BOARDS = (
    "N = 200; clip = 1e-7; queries <= 100",
    "N = 400; clip = 1e-15; decimals = 5; queries <= 300",
    "N = 1000; scorer = sklearn; queries <= 300",
    "N = 1000; K = 3; columns = 3; renormalises = yes; clip = 1e-9; decimals = 4; queries <= 200",
    "N = 2000; clip = 1e-15; decimals = 5; queries <= 1825",
    "N = 2000; clip = 1e-15; decimals = 5; queries <= 1825; goal = 90%",
    "N = 2000; scorer = kaggle; queries <= 365; guess = 95%; goal = 99%",
    "N = 5000; clip = 1e-6; decimals = 3; queries <= 10000; accounts = 30",
    "N = 12500; clip = 1e-15; decimals = 5; queries <= 100000",
    "N = 25000; scorer = sklearn; columns = 2; renormalises = yes; queries <= 1000",
)
TRIED = 40  # random submissions that must see nothing
MOST_RUN = 20_000_000  # rows times queries of an attack that is run here


def main(argv: list[str]) -> int:
    """Print a line for each board; fail where a proposal does not hold what it says."""
    return max(_told(number, body) for number, body in enumerate(BOARDS, 1))


def _told(number: int, body: str) -> int:
    (scenario,) = loads(f"scenario board {{ {body} }}")
    before = plan(scenario)
    knob = next(one for one in knobs(before) if one.name == "release")
    found = mildest(scenario, knob, impossible, plan)
    print(f"{number:2} {body}\n   before: {before.verdict}, {before.exposure.labels} labels exposed", flush=True)
    if found is None:
        print("   no Ladder makes recovery impossible", flush=True)
        return 1
    return _kept(scenario, found.setting, found.report)


def _kept(scenario: Scenario, setting: str, report: Report) -> int:
    """Prove, plan again from its own text, verify, try."""
    (again,) = loads(source(report.scenario))
    second = plan(again)
    faults = check(json.loads(json.dumps(finite(second.to_json())))).faults
    for one in proofs(second):
        print(f"   release {setting}: {one.id} {one.title}")
        for inequality in one.inequalities:
            print(f"      {inequality.name}: {inequality.left} {inequality.relation} {inequality.right}")
    cost = cost_of(second.scenario)
    exposed = "not known" if second.exposure.labels is None else f"{second.exposure.labels} by {second.exposure.attack}"
    price = "not known" if cost is None else f"{cost.error:.4g} of {cost.score}, {cost.errors:.2f} standard errors"
    print(f"   still exposed {exposed}; ceiling {second.ceiling.fraction:.1%}; costs {price}")
    silent, wrong = _silent(scenario, report), _run(second)
    print(
        f"   {TRIED} random submissions change it {silent} times; {wrong}; verified with {len(faults)} faults",
        flush=True,
    )
    started = any(one.id == "I8" for one in proofs(second))  # the proof that says that nothing is shown
    return int(second.verdict is not Verdict.IMPOSSIBLE or bool(faults) or (started and silent > 0))


def _silent(scenario: Scenario, report: Report) -> int:
    """How often random submissions of random labels change what is shown."""
    assert isinstance(report.scenario.release, LadderOf)
    draw, machine = np.random.default_rng(7), channel_of(report.scenario).released
    labels, state, changed = draw.integers(0, scenario.K, scenario.N), machine.start(), 0
    before = machine.at_first()
    for _ in range(TRIED):
        odds = draw.normal(0, draw.choice([0.05, 0.3, 2.0]), (scenario.N, scenario.K))
        charged = np.log(np.exp(odds).sum(axis=1)) - odds[np.arange(scenario.N), labels]
        state, shown = machine.step(state, float(charged.mean()))
        changed, before = changed + (shown != before), shown
    return changed


def _run(report: Report) -> str:
    """What it still exposes, run against labels made here."""
    if report.exposure.labels in (None, 0) or report.exposure.queries * report.scenario.N > MOST_RUN:
        return "no attack to run"
    run = simulate(report, trials=1, seed=1)
    return f"{run.attack}: {run.wrong_labels} wrong labels in {run.queries} queries"
