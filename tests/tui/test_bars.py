"""The lines of fixed size: what was expected, the keys, how far a run has come."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import wrap

import pytest

from dsl import loads
from dsl.scenario import Scenario
from planner import plan
from planner.model import Outcome
from planner.report import Report
from tests.tui.conftest import Open
from tests.tui.fakes import fake_plan
from tui.prose import _heat, bounds, expectations
from tui.widgets.key_bar import KeyBar
from tui.widgets.plot_view import PlotView
from tui.widgets.run_bar import RunBar
from tui.widgets.theory_graph import TheoryGraph
from tui.widgets.verdict_bar import VerdictBar


def expecting(scenario: Scenario) -> Report:
    outcomes = (Outcome("feasible", 3, True, "feasible"), Outcome("queries <= 9", 4, False, "100"))
    return replace(fake_plan(scenario), expectations=outcomes)


@pytest.mark.parametrize("width", [30, 46, 80, 200])
def test_no_line_ends_between_a_word_and_its_figure(width: int) -> None:
    """`paper` stood at the end of one line and `1*` on the next."""
    (board,) = loads("scenario s { N = 198; scorer = kaggle; queries <= 21 }")
    lines = bounds(plan(board), width).plain.split("\n")
    assert all(len(line) <= width for line in lines)
    assert "  ".join(lines) == "queries: needed ≥ 10 (I1)  certified 12  paper 1*  budget 21"


def test_few_exposed_labels_are_green_only_where_the_verdict_is() -> None:
    assert [_heat(0.01, safe) for safe in (True, False)] == ["$success", "$warning"]
    assert _heat(0.9, True) == "$error"


@pytest.mark.asyncio
class TestOnTheScreen:
    async def test_failed_expectations_stand_first_beside_the_verdict(self, explore: Open, file: Path) -> None:
        async with explore(file, planner=expecting) as hands:
            report, bar = hands.main.report(), hands.main.query_one(VerdictBar)
            assert report
            assert expectations(report).plain == "expected ✗ FAIL queries <= 9: 100 (line 4)  ✓ feasible  "
            assert "✗ FAIL queries <= 9: 100 (line 4)" in bar.render().plain
            assert bar.has_class("-expects")

    @pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
    async def test_nothing_of_the_verdict_is_cut(self, explore: Open, file: Path, size: tuple[int, int]) -> None:
        """The ceiling stood on a line that was not on the screen."""
        file.write_text(
            "scenario s { N = 500_000; scorer = kaggle; queries <= 300; expect impossible; expect exposure >= 3_000 }"
        )
        async with explore(file, planner=plan, size=size) as hands:
            bar = hands.main.query_one(VerdictBar)
            lines = [line for one in bar.render().plain.split("\n") for line in wrap(one, bar.content_size.width)]
            assert len(lines) <= bar.content_size.height
            assert "ceiling 56.3%  queries: needed" in bar.render().plain
            report = hands.main.report()
            assert report is not None
            assert "FAIL exposure >= 3_000: 2,229 of 500,000 labels (0.4%) are exposed" in expectations(report).plain

    @pytest.mark.parametrize("theme", ["threatplan-dark", "threatplan-light"])
    async def test_the_axes_of_a_frontier_are_seen_in_either_theme(self, explore: Open, file: Path, theme: str) -> None:
        """They were white on white in the light one."""
        async with explore(file) as hands:
            hands.app.theme = theme
            await hands.press("f5")
            style = hands.main.query_one(PlotView)._style("axis")
            assert style.color is not None
            assert style.bgcolor is not None
            ink, paper = style.color.get_truecolor(), style.bgcolor.get_truecolor()
            assert max(abs(one - other) for one, other in zip(ink, paper, strict=True)) > 80

    async def test_a_scenario_that_expects_nothing_has_no_such_line(self, explore: Open, file: Path) -> None:
        async with explore(file) as hands:
            bar = hands.main.query_one(VerdictBar)
            assert "expected" not in bar.render().plain
            assert not bar.has_class("-expects")

    @pytest.mark.parametrize("width", [80, 140])
    async def test_only_whole_keys_are_shown(self, explore: Open, file: Path, width: int) -> None:
        async with explore(file, size=(width, 24)) as hands:
            line = hands.main.query_one(KeyBar).render().plain
            assert line.endswith((" Quit", " Sidebar"))
            assert len(line) <= width

    async def test_a_click_presses_the_key(self, explore: Open, file: Path) -> None:
        async with explore(file) as hands:
            bar = hands.main.query_one(KeyBar)
            await hands.pilot.click(bar, offset=(bar.render().plain.index("Sidebar"), 0))
            await hands.until(lambda: not hands.main.query_one("#sidebar").display, "the sidebar is hidden")

    async def test_the_hint_of_a_field_is_shown(self, explore: Open, file: Path) -> None:
        async with explore(file) as hands:
            hands.main.query_one("#field-level").focus()
            await hands.until(
                lambda: hands.main.query_one("Controls").border_subtitle == "scale of the noise", "the hint"
            )

    async def test_notes_beyond_the_edge_are_in_reach(self, explore: Open, file: Path) -> None:
        async with explore(file, size=(80, 24)) as hands:
            await hands.press("f6")
            graph = hands.main.query_one(TheoryGraph)
            await hands.until(lambda: graph.map and graph.has_focus, "the graph")
            await hands.press("enter")  # unfolded, notes are longer than a small screen is wide
            assert graph.map
            last = len(graph.map.columns) - 1
            graph.cursor = graph.map.columns[last][0].id
            await hands.press("right")
            scroll = hands.main.query_one("#theory-scroll")
            await hands.until(lambda: scroll.scroll_x == min(graph.map.start(last), scroll.max_scroll_x), "the note")
            assert scroll.scroll_x > 0


def test_a_run_tells_its_share_and_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([100.0, 130.0])
    monkeypatch.setattr("tui.widgets.run_bar.time.monotonic", lambda: next(clock))
    bar = RunBar()
    bar.begin()
    assert bar.words() == ""
    bar.come(1, 4)
    assert bar.words() == "25%, 1:30 left"
    bar.come(4, 4)
    assert bar.words() == "100%"
