"""Attacks, frontier, run, help, palette, themes, sizes."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numpy as np
import pytest
from textual.command import CommandPalette
from textual.widgets import Static, TabbedContent

from tests.tui.conftest import Hands, Open
from tui.child import Watch
from tui.plot import Share
from tui.simulation import ASKED, HIDDEN, VERIFIED
from tui.widgets.attack_table import AttackTable
from tui.widgets.detail import Detail
from tui.widgets.frontier_pane import FrontierPane
from tui.widgets.label_grid import LabelGrid, squeeze
from tui.widgets.plot_view import PlotView
from tui.widgets.run_pane import RunPane
from tui.widgets.verdict_bar import VerdictBar

pytestmark = pytest.mark.asyncio


def words(hands: Hands, selector: str) -> str:
    return str(hands.main.query_one(selector, Static).content)


async def test_the_verdict_says_what_and_why_and_how_much(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        said = hands.main.query_one(VerdictBar).render().plain
        assert "FEASIBLE" in said
        assert "5 decimals, 100 queries" in said
        assert "1,000 of 1,000 labels (100%) in 100 queries (attack block)" in said
        assert "queries: needed ≥ 7 (I1)  certified 100  paper 1*  budget 200" in said
        hands.main.query_one("#field-queries").focus()
        await hands.press("left", "left")
        said = hands.main.query_one(VerdictBar).render().plain
        assert "UNKNOWN" in said
        assert "500 of 1,000 labels (50.0%)" in said


def shown(table: AttackTable) -> list[list[str]]:
    return [[cell.plain.strip() for cell in table.get_row_at(index)] for index in range(table.row_count)]


async def test_attacks_stand_best_first_and_refused_ones_are_folded(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        table = hands.main.query_one(AttackTable)
        best = ["★", "block", "100", "200", "10", "5", "17", "feasible"]
        assert shown(table) == [best, ["▸", "1 refused", "", "", "", "", "", "enter shows"]]
        assert table.selected == "block"
        await hands.press("f4", "down")
        detail = hands.main.query_one(Detail)
        await hands.until(lambda: "1 attack refused" in detail.text, "why they are refused")
        assert "primes-apa  phi: needs arbitrary precision; here: float64" in detail.text
        assert table.selected is None
        await hands.press("enter")
        assert shown(table)[1:] == [
            ["▾", "1 refused", "", "", "", "", "", "enter folds"],
            ["○", "primes-apa", "–", "1*", "–", "1,000*", "–", "refused"],
        ]
        await hands.press("enter")
        assert len(shown(table)) == 2


async def test_where_all_are_refused_there_is_nothing_to_fold(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        hands.main.query_one("#field-decimals").focus()
        await hands.press("left", "left", "left", "left")
        assert [row[1] for row in shown(hands.main.query_one(AttackTable))] == ["2 refused", "primes-apa", "block"]


@pytest.mark.parametrize(
    ("width", "titles"), [(80, "attack queries paper m status"), (140, "attack queries paper m paper m bits status")]
)
async def test_the_table_gives_up_columns_before_it_is_cut(explore: Open, file: Path, width: int, titles: str) -> None:
    async with explore(file, size=(width, 24)) as hands:
        table = hands.main.query_one(AttackTable)
        await hands.until(
            lambda: " ".join(str(one.label).strip() for one in table.ordered_columns).strip() == titles, titles
        )
        assert table.max_scroll_x == 0


async def test_the_selected_attack_opens_below(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        detail = hands.main.query_one(Detail)
        assert "rounding is an error of 5e-6" in detail.text
        assert "[34.53, 34.54] > 0.1" in detail.text
        await hands.press("f4", "down", "enter", "down")
        await hands.until(lambda: "Theorem 1" in detail.text, "the other attack")
        assert "phi (line 3) needs arbitrary precision; here: float64" in detail.text
        assert "erratum E-P" in detail.text
        hands.main.query_one("#field-N").focus()
        await hands.press("right")
        assert hands.main.query_one(AttackTable).selected == "primes-apa", "the cursor stays where it was put"


async def test_no_colour_says_safe_while_a_third_is_exposed(explore: Open, file: Path) -> None:
    """The fake board is impossible at one decimal, and all its labels are exposed there."""
    async with explore(file) as hands:
        hands.main.query_one("#field-decimals").focus()
        await hands.press("left", "left", "left", "left")
        bar = hands.main.query_one(VerdictBar)
        assert "IMPOSSIBLE" in bar.render().plain
        assert (bar.has_class("-good"), bar.has_class("-warn")) == (False, True)


async def test_copying(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        await hands.press("f9")
        assert "Chain of reductions" in hands.app.clipboard
        hands.main.action_copy_source()
        assert hands.app.clipboard == hands.main.text()


async def test_the_present_value_and_the_axis_share_a_line_wherever_it_stands(explore: Open, file: Path) -> None:
    """`▲ now` covered the name of the axis where the present value stood near its end."""
    file.write_text("scenario s { N = 10_000; decimals = 4; queries <= 20_000 }")
    async with explore(file, size=(80, 24)) as hands:
        plot = hands.main.query_one(PlotView)
        await hands.press("f5", *["right"] * 5)
        await hands.until(lambda: plot.frontier and plot.frontier.sweep.axis == "queries", "the frontier")
        assert plot.frontier is not None
        line = "".join(one.text for one in plot._marker(plot.frontier))
        assert "now ▲" in line
        assert len(line) == plot.size.width


async def test_the_frontier_follows_field_and_scenario(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        plot = hands.main.query_one(PlotView)
        await hands.press("f5")
        await hands.until(lambda: plot.frontier and plot.frontier.sweep.axis == "decimals", "the frontier")
        assert plot.frontier is not None
        await hands.until(lambda: all(one.planned for one in plot.frontier.points), "all of it")
        assert [one.label for one in plot.frontier.points if one.present] == ["5"]
        assert {one.label for one in plot.frontier.points if one.best is None} == {"0", "1"}
        assert plot.frontier.budget == 200

        await hands.press("right")
        await hands.until(lambda: plot.frontier and plot.frontier.sweep.axis == "noise", "noise")
        assert [one.label for one in plot.frontier.points if one.present] == ["none"]

        hands.main.query_one(FrontierPane).choose("N")
        await hands.until(lambda: plot.frontier and plot.frontier.sweep.axis == "N", "N")
        await hands.until(lambda: all(one.planned for one in plot.frontier.points), "all of it")
        best = [one.best for one in plot.frontier.points]
        assert best == sorted(best)

        hands.main.query_one(FrontierPane).choose("queries")
        await hands.until(lambda: plot.frontier and plot.frontier.sweep.axis == "queries", "queries")
        await hands.until(lambda: all(one.planned for one in plot.frontier.points), "all of it")
        assert [one.label for one in plot.frontier.points if one.present] == ["200"]
        assert all(isinstance(one, Share) for one in plot.frontier.points)
        hands.main.query_one(FrontierPane).choose("N")

        hands.main.query_one("#field-N").focus()
        await hands.press("right")
        await hands.until(
            lambda: plot.frontier and [one.label for one in plot.frontier.points if one.present] == ["2e3"],
            "the present value moves",
        )


async def test_a_run_shows_its_progress_and_how_it_ended(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        pane, grid = hands.main.query_one(RunPane), hands.main.query_one(LabelGrid)
        await hands.press("ctrl+r")
        assert hands.main.query_one(TabbedContent).active == "run-view"
        await hands.until(lambda: ASKED in grid.cells, "labels are asked about")
        assert "asking queries" in words(hands, "#run-state")
        assert HIDDEN in grid.cells
        await hands.press("ctrl+r")
        await hands.until(lambda: not pane.running, "cancelled")
        await hands.until(lambda: "cancelled" in words(hands, "#run-state"), "told so")
        assert pane.simulation is not None
        assert not alive(pane.simulation.pid)

        await hands.press("ctrl+r")  # the next seed comes to an end
        await hands.until(lambda: not pane.running, "finished")
        assert words(hands, "#run-title").endswith(" · a cell: a row")
        assert "100 of 100 labels right (100%), 1 query used" in words(hands, "#run-state")
        assert set(grid.cells) == {VERIFIED}


async def test_a_run_cancelled_at_once_never_begins(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        pane = hands.main.query_one(RunPane)
        assert hands.main._views is not None
        hands.main._views.toggle_run()
        hands.main._views.toggle_run()
        await hands.until(lambda: not pane.running, "cancelled")
        assert "cancelled" in words(hands, "#run-state")
        assert pane.simulation is not None
        assert not alive(pane.simulation.pid)


def alive(pid: int | None) -> bool:
    try:
        os.kill(pid or 0, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_run_whose_process_is_killed_says_so(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        pane = hands.main.query_one(RunPane)
        await hands.press("ctrl+r")
        await hands.until(lambda: "asking" in words(hands, "#run-state"), "under way")
        assert pane.simulation is not None
        assert pane.simulation.pid is not None
        os.kill(pane.simulation.pid, signal.SIGKILL)
        await hands.until(lambda: not pane.running, "ended")
        assert "ended by itself" in words(hands, "#run-state")
        assert not pane.query_one("#run-start").disabled


async def test_resizing_and_editing_during_a_run(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        pane, grid = hands.main.query_one(RunPane), hands.main.query_one(LabelGrid)
        await hands.press("ctrl+r")
        await hands.until(lambda: ASKED in grid.cells, "under way")
        for size in ((80, 24), (200, 60)):  # each waits a second, since a run leaves no moment idle
            await hands.pilot.resize_terminal(*size)
        hands.main.query_one("#field-decimals").focus()
        await hands.press("left")
        assert pane.running
        assert hands.verdict == "feasible"
        await hands.pilot.click("#run-cancel")
        await hands.until(lambda: not pane.running, "cancelled by the mouse")


async def test_quitting_ends_the_run(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        pane = hands.main.query_one(RunPane)
        await hands.press("ctrl+r")
        await hands.until(lambda: "asking" in words(hands, "#run-state"), "under way")
        assert pane.simulation is not None
        pid = pane.simulation.pid
        await hands.pilot.press("ctrl+r", "ctrl+q")  # the run ends while the screen is taken down
    assert not alive(pid)


async def test_help_palette_and_themes(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        for key in ("f1", "question_mark"):
            await hands.press(key)
            assert type(hands.app.screen).__name__ == "HelpScreen", key
            await hands.press("escape")
        await hands.press("ctrl+p")
        assert isinstance(hands.app.screen, CommandPalette)
        await hands.press("escape")
        titles = [command.title for command in hands.app.get_system_commands(hands.main)]
        assert {"Open", "Save as", "Export", "Run", "Frontier", "Theme", "Quit"} <= set(titles)
        for theme in list(hands.app.available_themes)[::4]:
            hands.app.theme = theme
            await hands.pilot.pause()


async def test_a_command_of_the_palette_is_carried_out(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        await hands.press("ctrl+p")
        await hands.pilot.press(*"frontier")
        await hands.until(lambda: hands.app.screen.query_one("CommandList").option_count, "found")  # type: ignore[attr-defined]
        await hands.pilot.press("enter")
        await hands.until(lambda: hands.main.query_one(TabbedContent).active == "frontier-view", "opened")


async def test_keys_work_while_text_is_typed_and_leave_it_alone(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        await hands.press("f3")
        assert hands.main.editor.has_focus
        before = hands.main.text()
        for key, view in (("f5", "frontier"), ("f6", "theory"), ("f7", "run"), ("f4", "attacks")):
            hands.main.editor.focus()
            await hands.press(key)
            assert hands.main.query_one(TabbedContent).active == f"{view}-view"
        assert hands.main.text() == before


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 42), (200, 60)])
async def test_every_view_has_room(explore: Open, file: Path, size: tuple[int, int], thorough: bool) -> None:
    if not thorough and size[0] in (100, 140):
        pytest.skip("between the smallest and the largest: --thorough")
    async with explore(file, size=size) as hands:
        for key, selector in (
            ("f2", "#field-N"),
            ("f3", "#source"),
            ("f4", "#attacks"),
            ("f5", "#plot"),
            ("f7", "LabelGrid"),
        ):
            await hands.press(key)
            widget = hands.main.query_one(selector)
            await hands.until(lambda widget=widget: widget.region.width > 20 and widget.region.height >= 1, selector)
            assert hands.main.region.contains_region(widget.region), selector
        assert hands.main.query_one(VerdictBar).region.height >= 5
        await hands.press("ctrl+b")
        assert not hands.main.query_one("#sidebar").display
        await hands.press("f2")
        assert hands.main.query_one("#sidebar").display


async def test_rows_that_a_query_leaves_alone_are_not_asked() -> None:
    """Idle rows of a board that scores a part of them are at a corner, not uniform: all seemed to be asked."""
    hidden = np.zeros(8, dtype=np.int64)
    for query in (
        np.array([0.999, 0.999, 0.999, 0.999, 0.999, 0.999, 0.3, 0.2]),
        np.array([0.5, 0.5, 0.5, 0.1, 0.5, 0.5, 0.3, 0.5]),
        np.array([[0.5, 0.5]] * 6 + [[0.1, 0.9]] * 2),
        np.array([1, 1, 1, 1, 1, 0, 0, 1]),
    ):
        watch = Watch(hidden, None, 1, lambda frame: None)
        watch.asked(query)
        assert sorted(watch.cells()) == [HIDDEN] * 6 + [ASKED] * 2


async def test_cells_that_share_a_place_show_the_worst() -> None:
    assert squeeze(bytes([3, 3, 3, 0]), 2) == bytes([3, 0])
    assert squeeze(bytes([3, 3, 5, 0]), 2) == bytes([3, 5])
    assert squeeze(bytes([3, 4, 4, 4]), 2) == bytes([3, 4])
    assert squeeze(bytes([1, 2]), 10) == bytes([1, 2])
