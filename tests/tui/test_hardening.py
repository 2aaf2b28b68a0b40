"""What to change, as a view: it shows how far it is, blocks nothing, and writes what is chosen into the source."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from textual.widgets import DataTable, Static, TabbedContent

from dsl.scenario import Scenario
from planner import plan
from planner.report import Report
from tests.tui.conftest import Hands, Open
from threatplan.render.options import HEAD
from threatplan.render.table import folded
from tui.hardening import Found, Sought, answer, seek
from tui.thinking import Thinker
from tui.widgets.harden_pane import CHANGE, PADDING, HardenPane, fitting, wide

BOARD = "scenario small { N = 8; decimals = 3; clip = 0.01; queries <= 4 }\n"


def pane(hands: Hands) -> HardenPane:
    return hands.main.query_one(HardenPane)


def said(hands: Hands) -> str:
    return str(hands.main.query_one("#harden-state", Static).content)


def test_settings_are_counted_and_the_last_word_is_the_list() -> None:
    told = list(seek(Thinker(plan), Sought(BOARD, "small")))
    assert [one.settings for one in told[:-1]] == list(range(1, len(told)))
    assert told[-1].done
    assert {one.report.verdict for one in told[-1].options} == {"impossible"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("scenario small { N = 8; queries <= 0 }", "Impossible already: "),
        ("scenario small { N = ; }", "expected"),
    ],
)
def test_where_there_is_no_list_a_sentence_stands(text: str, words: str) -> None:
    last = list(seek(Thinker(plan), Sought(text, "small")))[-1]
    assert (last.done, last.options) == (True, ())
    assert words in last.said


def test_a_failure_of_the_planner_is_said() -> None:
    def broken(one: Scenario) -> Report:
        raise ZeroDivisionError("by accident")

    last = list(seek(Thinker(broken), Sought(BOARD, "small")))[-1]
    assert last == Found(1, said="ZeroDivisionError: by accident", done=True)


def test_a_search_that_nobody_waits_for_ends() -> None:
    """At the next setting, without a word."""
    asked, go, ended = Event(), Event(), Event()
    planned = []

    def slow(one: Scenario) -> Report:
        planned.append(one)
        asked.set()
        assert go.wait(60)
        ended.set()
        return plan(one)

    steps: Iterator[Found] = seek(Thinker(slow), Sought(BOARD, "small"))
    assert next(steps).settings == 1
    assert asked.wait(60)
    steps.close()  # type: ignore[attr-defined]
    go.set()
    assert ended.wait(60)
    assert len(planned) == 1


@pytest.mark.asyncio
async def test_the_list_is_that_of_the_command_and_enter_writes_a_line(explore: Open, tmp_path: Path) -> None:
    file = tmp_path / "small.threat"
    file.write_text(BOARD)
    async with explore(file, planner=plan) as hands:
        await hands.press("ctrl+t")
        assert hands.main.query_one(TabbedContent).active == "harden-view"
        await hands.until(lambda: pane(hands).found and not pane(hands).busy, "the list")
        table = hands.main.query_one("#harden", DataTable)
        found = answer(hands.main.report().scenario, plan).options  # type: ignore[union-attr]
        row, best = next((row, one) for row, one in enumerate(found) if len(one.changes) > 1)
        assert str(table.get_row_at(0)[1]) == found[0].lines
        await hands.press(*["down"] * row)
        assert "no attack is sure to learn all labels" in said(hands)
        assert table.ordered_columns[1].width >= len(best.lines), "no change is cut"
        before = hands.main.text()
        await hands.press("enter")
        await hands.until(lambda: best.changes[-1].new in hands.main.text() != before, "the source")
        await hands.until(lambda: "Impossible already" in said(hands), "planned again")
        assert hands.main.report().verdict == "impossible"  # type: ignore[union-attr]
        await hands.press("ctrl+z")
        await hands.until(lambda: hands.main.text() == before, "taken back")


@pytest.mark.asyncio
async def test_the_screen_lives_while_settings_are_planned(explore: Open, tmp_path: Path) -> None:
    """The planner stands still at the third setting: keys are answered, and the count is on the screen."""
    file, go = tmp_path / "small.threat", Event()
    file.write_text(BOARD)
    asked = []

    def slow(one: Scenario) -> Report:
        asked.append(one)
        assert len(asked) < 4 or go.wait(60)
        return plan(one)

    async with explore(file, planner=slow) as hands:
        await hands.press("ctrl+t")
        await hands.until(lambda: "planned ..." in said(hands), "progress")
        await hands.pilot.press("f4")
        await hands.until(lambda: hands.main.query_one(TabbedContent).active == "attacks-view", "another view")
        assert pane(hands).busy
        go.set()
        await hands.until(lambda: not pane(hands).busy, "the end")


LONG = ("7", "release = ladder(1e-4, 0.6932), queries <= 20", "< 0.01 s.e.", "not known", "99.909%", "I1, I6")


@pytest.mark.parametrize(("room", "columns"), [(48, 4), (73, 4), (74, 5), (110, 6), (147, 6)])
def test_no_cell_is_cut_at_any_size(room: int, columns: int) -> None:
    """At 120 columns of the screen "still exposes" was, and at 80 nothing but the change was seen."""
    kept, width = fitting([LONG], room)
    assert len(kept) >= columns
    assert {HEAD.index("still exposes"), HEAD.index("ceiling")} <= {*kept}
    assert sum(width if place == CHANGE else wide([LONG], place) for place in kept) + PADDING * len(kept) <= room
    lines = folded(LONG[CHANGE], width)
    assert max(map(len, lines)) <= width
    assert " ".join(lines) == LONG[CHANGE]
