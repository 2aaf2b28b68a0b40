"""A run in the explorer keeps to the budget, and is judged by the promise that it runs under."""

from __future__ import annotations

from dsl import loads
from planner import plan
from tui import child
from tui.simulation import Frame, Order, Result
from tui.widgets.run_pane import outcome

TEXT = "scenario s { N = 60; scorer = kaggle; queries <= 2 }"


def test_a_run_asks_no_more_than_the_budget_allows() -> None:
    report = plan(loads(TEXT)[0])
    assert report.best is None
    frames: list[Frame] = []
    assert report.exposure.attack
    child.simulate(report, Order(TEXT, "s", report.exposure.attack), frames.append)
    (result,) = [one for one in frames if isinstance(one, Result)]
    assert result.queries <= 2
    assert result.labels == report.exposure.labels
    assert not result.shortfall
    assert "right (100.00%)" in outcome(result).plain


def test_a_broken_promise_is_told_from_bad_luck() -> None:
    lucky = Result(10, 0, 3, {}, "scorer", 0)
    unlucky = Result(10, 1, 3, {}, "scorer", 0, "1 labels wrong, 0 allowed", False)
    broken = Result(10, 1, 3, {}, "scorer", 0, "1 labels wrong, 0 allowed", True)
    told = [outcome(one).plain for one in (lucky, unlucky, broken)]
    assert ["please report" in one for one in told] == [False, False, True]
    assert ["chance" in one for one in told] == [False, True, False]
