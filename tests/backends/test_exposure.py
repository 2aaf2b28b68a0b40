"""What a report calls exposed can be shown, label by label, within the budget."""

from __future__ import annotations

import pytest

import dsl
from backends.simulate import NothingToRun, simulate
from planner import plan
from planner.model import Verdict

SHORT = {
    "rounded": "N = 300; clip = 1e-15; decimals = 4; queries <= 7",
    "one_query": "N = 300; clip = 1e-15; decimals = 5; queries <= 1",
    "classes": "N = 120; K = 10; clip = 1e-15; decimals = 4; queries <= 9",
    "noisy": "N = 100; clip = 1e-15; noise = bounded(0.01); queries <= 5",
    "not_adaptive": "N = 60; clip = 1e-15; decimals = 3; adaptive = no; queries <= 3",
    "fixed": "N = 60; phi = 24; queries <= 3",
    "unclipped": "N = 100; noise = bounded(10); queries <= 30",
    "compared": "N = 200; clip = 1e-3; decimals = 1; queries <= 40",
    "compared_in_noise": "N = 200; clip = 1e-3; decimals = 1; noise = bounded(1e-6); queries <= 40",
    "goal": "N = 300; clip = 1e-15; decimals = 4; goal = 90%; queries <= 7",
    "averaged": "N = 200; clip = 1e-15; noise = laplace(0.02); queries <= 50",
    "averaged_classes": "N = 200; K = 3; clip = 1e-6; noise = gaussian(0.01); queries <= 60",
    "averaged_and_repeated": "N = 60; clip = 1e-15; noise = gaussian(2); queries <= 370",
    "dithered": "N = 300; clip = 1e-3; decimals = 1; queries <= 200",
    "dithered_classes": "N = 300; K = 3; clip = 1e-6; decimals = 1; queries <= 300",
    "offset": "N = 60; clip = 1e-3; decimals = 0; queries <= 50",
}


@pytest.mark.parametrize("name", SHORT)
def test_as_many_labels_as_are_exposed_come_out_within_the_budget(name):
    (scenario,) = dsl.loads(f"scenario {name} {{ {SHORT[name]} }}")
    report = plan(scenario)
    assert report.verdict is not Verdict.FEASIBLE
    assert 0 < report.exposure.labels < scenario.N
    chosen = report.exposure.candidate
    assert chosen is not None
    assert chosen.attack == report.exposure.attack
    run = simulate(report, trials=3, seed=1)
    assert (run.attack, run.labels, run.whole) == (chosen.attack, scenario.N, False)
    assert run.failures == ()
    assert (run.exact_trials, run.total_labels) == (3, 3 * report.exposure.labels)
    assert run.queries <= scenario.queries


@pytest.mark.parametrize("noise", ["gaussian(0.8)", "bounded(0.3)"])
def test_as_many_labels_come_out_right_as_averages_leave_right(noise):
    (scenario,) = dsl.loads(f"scenario doubtful {{ N = 60; clip = 1e-15; noise = {noise}; queries <= 44 }}")
    report = plan(scenario)
    left = report.exposure.averaged
    assert left is not None
    p = left.certified.certificate.parameters
    run = simulate(left, trials=5, seed=1)
    assert run.failures == ()
    assert run.total_labels == 5 * p.labels
    assert run.most_wrong <= p.wrong == p.labels - report.exposure.right
    assert run.queries <= scenario.queries


def test_nothing_exposed_is_nothing_to_run():
    (scenario,) = dsl.loads("scenario hidden { N = 1000; clip = 1e-3; noise = bounded(0.2); queries <= 50 }")
    report = plan(scenario)
    assert report.exposure.labels is None
    with pytest.raises(NothingToRun):
        simulate(report)
