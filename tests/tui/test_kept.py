"""A run in the explorer keeps to the budget, and is judged by the promise that it runs under."""

from __future__ import annotations

from dsl import loads
from planner import plan
from tui import child
from tui.simulation import UNSCORED, VERIFIED, Frame, Order, Result
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
    assert "right (100%)" in outcome(result).plain


def test_a_broken_promise_is_told_from_bad_luck() -> None:
    lucky = Result(10, 0, 3, {}, "scorer", 0)
    unlucky = Result(10, 1, 3, {}, "scorer", 0, "labels wrong: 1, allowed: 0", False)
    broken = Result(10, 1, 3, {}, "scorer", 0, "labels wrong: 1, allowed: 0", True)
    told = [outcome(one).plain for one in (lucky, unlucky, broken)]
    assert ["please report" in one for one in told] == [False, False, True]
    assert ["chance" in one for one in told] == [False, True, False]


def test_rows_that_are_not_scored_are_shown_as_such() -> None:
    for find in ("labels", "labels_and_split"):
        text = f"scenario s {{ N = 30; public = 9; clip = 1e-15; columns = 2; decimals = 3; find = {find} }}"
        report = plan(loads(text)[0])
        frames: list[Frame] = []
        assert report.best
        assert report.exposure.attack == "split-labels"
        for attack in (report.best.attack, report.exposure.attack):
            frames.clear()
            child.simulate(report, Order(text, "s", attack), frames.append)
            (result,) = [one for one in frames if isinstance(one, Result)]
            assert sorted(result.cells) == [VERIFIED] * 9 + [UNSCORED] * 21


def test_rows_are_counted_and_not_the_cells_that_stand_for_them() -> None:
    """Of 12,000 rows a run told "of 4,096 rows": as many cells are drawn at most."""
    frames: list[Frame] = []
    text = "scenario wide { N = 5_000; public = 4_990; scorer = kaggle; queries <= 3 }"
    report = plan(loads(text)[0])
    assert report.exposure.attack
    child.simulate(report, Order(text, "wide", report.exposure.attack), frames.append)
    (result,) = [one for one in frames if isinstance(one, Result)]
    assert len(result.cells) < 5_000
    assert ", of 5,000 rows" in outcome(result).plain
