"""Ten boards, and what keeps them: each proposal is proved, planned again, tried, and has its price."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import log

import numpy as np
import pytest

from benchmarks.harden import BOARDS
from dsl import loads
from dsl.numbers import Real
from dsl.scenario import LadderOf
from planner import plan
from planner.channel.channel import channel_of
from planner.model import Verdict
from threatplan.hardening.advice import Advice, Turned, quiet_of
from threatplan.hardening.costs import cost_of
from threatplan.hardening.knobs import knobs
from threatplan.hardening.options import ranked
from threatplan.hardening.search import impossible, mildest, proofs
from threatplan.render.hardening import remarks


def scenario(body: str):
    (found,) = loads(f"scenario board {{ {body} }}")
    return found


def knob_of(one, name: str):
    return next(knob for knob in knobs(_Now(one)) if knob.name == name)


class _Now:
    """As much of a report as knobs look at."""

    def __init__(self, scenario) -> None:
        self.scenario, self.best = scenario, None


@pytest.mark.parametrize(
    ("name", "body"), [*(("release", body) for body in BOARDS), *(("response", body) for body in BOARDS[::4])]
)
def test_a_defence_is_found_proved_and_has_its_price(name, body):
    one = scenario(body)
    found = mildest(one, knob_of(one, name), impossible, plan)
    assert found is not None
    assert found.report.verdict is Verdict.IMPOSSIBLE
    assert proofs(found.report)
    cost = cost_of(found.report.scenario)
    assert cost is not None
    if name == "release" and one.guess is None:
        assert cost.small  # a step that nobody notices who came for a score
        if one.K == 2:
            _blind(one, found.knob)
    advice = Advice(found.report, Fraction(1, 20), [Turned(found.knob, found, None)], [], None)
    said = [line for _, lines in remarks(advice) for line in lines]
    assert any(f"{name} {found.setting}: {proofs(found.report)[0].id}" in line for line in said)
    assert any("standard error" in line and found.setting in line for line in said)


def _blind(one, knob) -> None:
    """The step ln(M/δ)/N: random submissions of weak and strong odds, against random labels, and nothing is ever shown."""
    rule = log(one.queries / 0.01) / one.N
    ladder = next(held for held in knob.settings if isinstance(held, LadderOf) and held.eta.lo > rule + 1e-4)
    draw, machine = np.random.default_rng(7), channel_of(replace(one, release=ladder)).released
    labels, state = draw.integers(0, 2, one.N), machine.start()
    for _ in range(40):
        odds = draw.choice([-1, 1], one.N) * draw.choice([0.05, 0.3, 2.0])
        state, shown = machine.step(state, float(np.log1p(np.exp(np.where(labels == 1, -odds, odds))).mean()))
        assert shown == machine.at_first()


def test_the_step_that_keeps_a_board_silent_is_among_the_settings():
    """ln(M/δ)/N, and what the start is rounded up by: 100,000 queries show anything with probability 1 % at most."""
    one = scenario("N = 2000; clip = 1e-15; queries <= 100000")
    steps = [held.eta.lo for held in knob_of(one, "release").settings if isinstance(held, LadderOf)]
    rule = log(100_000 / 0.01) / 2000
    near = min((step for step in steps if step >= rule), default=None)
    assert near is not None
    assert rule < float(near) < rule + 3e-4
    assert steps == sorted(steps)


def test_costs_are_in_standard_errors():
    """0.0143 is the standard error of a log-loss of 2,000 rows by a model that is right on 95 %; 0.0049 of its accuracy."""
    board = replace(scenario("N = 2000"), release=LadderOf(Real.of(Fraction(1, 100)), Real.of(Fraction(7, 10))))
    assert cost_of(board).errors == pytest.approx(0.01 / 0.01435, rel=1e-3)
    flipped = replace(scenario("N = 2000"), response=Real.of(Fraction(3)))
    assert (cost_of(flipped).error, cost_of(flipped).small) == (pytest.approx(0.0053, rel=0.02), False)
    assert cost_of(scenario("N = 2000")) is None


def test_a_ladder_whose_steps_chance_does_not_climb_is_proposed_beside_the_mildest() -> None:
    """The mildest Ladder that keeps some label hidden still shows hundreds of others; for a fraction of a standard error more
    nothing at all is shown."""
    board = scenario("N = 2000; scorer = kaggle; queries <= 1825")
    knob = knob_of(board, "release")
    mild = mildest(board, knob, impossible, plan)
    assert mild is not None
    (quiet,) = quiet_of(board, [Turned(knob, mild, None)], plan)
    first, second = ranked(plan(board), [mild.report, quiet])
    assert (first.lines, second.lines) == ("release = ladder(0.0062, 0.6932)", "release = ladder(0.002, 0.6932)")
    assert second.price < first.price < 0.5
    assert first.report.ceiling.fraction < 0.54 < 0.94 < second.report.ceiling.fraction
    assert quiet_of(board, [Turned(knob, replace(mild, report=quiet), None)], plan) == []
