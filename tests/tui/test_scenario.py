"""Fields and source: two views of one text, faults in place, undo of the last change."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import OptionList

from dsl.writing.edits import Change
from tests.tui.conftest import SOURCE, Open
from tests.tui.fakes import broken_plan
from tui.fields import FIELDS
from tui.widgets.field_control import FieldControl
from tui.widgets.verdict_bar import VerdictBar

pytestmark = pytest.mark.asyncio


def control(hands, name: str) -> FieldControl:  # type: ignore[no-untyped-def]
    return hands.main.query_one(f"#field-{name}", FieldControl)


async def test_every_field_is_a_control_that_shows_the_scenario(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        shown = {one.field.name: one.value for one in hands.main.query(FieldControl)}
        assert list(shown) == [field.name for field in FIELDS]
        assert shown["N"] == "1000"
        assert shown["decimals"] == "5"
        assert shown["queries"] == "200"
        assert shown["noise"] == "none"
        assert control(hands, "N").origin == "written"
        assert control(hands, "K").origin == "default"


STEPS = [
    ("N", "right", "N        = 2000"),
    ("N", "left", "N        = 500"),
    ("K", "right", "K        = 3"),
    ("phi", "right", "phi      = arbitrary"),
    ("phi", "left", "phi      = float32"),
    ("noise", "right", "noise    = bounded(1e-5)"),
    ("level", "right", "noise    = bounded(1e-5)"),
    ("decimals", "left", "decimals = 4"),
    ("clip", "right", "clip     = 1e-18"),
    ("scorer", "right", "scorer   = sklearn"),
    ("queries", "right", "queries <= 500"),
    ("time", "right", "time     = exponential"),
    ("adaptive", "left", "adaptive = no"),
    ("goal", "left", "goal     = 99.9%"),
    ("confidence", "right", "confidence = 99.9%"),
]


async def test_a_step_of_each_field_writes_the_source_and_is_planned(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        for name, key, line in STEPS:
            control(hands, name).focus()
            before = control(hands, name).value
            await hands.press(key)
            assert f"    {line}\n" in hands.main.text()
            assert control(hands, name).value != before, name
            assert hands.planned_text() == hands.main.text(), name
            await hands.press("ctrl+z")
            assert hands.main.text() == SOURCE
            assert control(hands, name).value == before, name


async def test_quick_steps_all_count(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        control(hands, "decimals").focus()
        await hands.press("left", "left", "left", "left")
        assert "decimals = 1\n" in hands.main.text()
        assert hands.verdict == "impossible"


async def test_past_the_end_of_a_ladder_nothing_changes(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        control(hands, "K").focus()
        await hands.press("left")
        assert hands.main.text() == SOURCE


async def test_a_value_can_be_typed_and_the_escape_key_thinks_better_of_it(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        control(hands, "queries").focus()
        await hands.press("enter")
        await hands.type("N/2")
        assert "queries <= N/2\n" in hands.main.text()
        assert control(hands, "queries").value == "500"
        await hands.press("enter", "escape")
        assert "queries <= N/2\n" in hands.main.text()


async def test_a_typed_level_keeps_the_law(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        control(hands, "level").focus()
        await hands.press("enter")
        await hands.type("3e-4")
        assert "noise    = bounded(3e-4)\n" in hands.main.text()


async def test_the_mouse_steps_and_types(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        decimals = control(hands, "decimals")
        await hands.pilot.click(decimals, offset=(decimals.size.width - 2, 0))
        await hands.settled()
        assert "decimals = 6\n" in hands.main.text()
        await hands.pilot.click(decimals, offset=(13, 0))
        await hands.settled()
        assert "decimals = 5\n" in hands.main.text()
        await hands.pilot.click(decimals, offset=(17, 0))
        await hands.type("2")
        assert "decimals = 2\n" in hands.main.text()


async def test_an_edit_of_the_source_shows_in_the_controls(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        await hands.press("f3")
        hands.main.editor.text = SOURCE.replace("1000", "5_000")
        await hands.settled()
        assert control(hands, "N").value == "5000"
        assert hands.verdict == "unknown"


async def test_faults_stand_in_place_and_the_last_good_plan_stays(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        good = hands.main.report()
        wrong = SOURCE.replace("decimals = 5", "decimals = -5").replace("queries", "quries")
        hands.main.editor.apply(Change(0, len(SOURCE), wrong))
        await hands.settled()
        faults = hands.main.query_one("#faults", OptionList)
        listed = [str(option.prompt) for option in faults.options]
        assert faults.display
        assert any("quries" in line and "queries" in line for line in listed), listed
        assert hands.main.report() is good
        assert hands.main.query_one(VerdictBar).stale
        assert control(hands, "decimals").faulty
        assert not control(hands, "N").faulty

        faults.focus()
        await hands.press("home", "enter")
        await hands.until(lambda: hands.main.editor.has_focus, "the editor")
        assert hands.main.editor.cursor_location[0] == 3

        await hands.press("ctrl+z")
        assert not faults.display
        assert not hands.main.query_one(VerdictBar).stale


async def test_a_field_can_be_set_while_another_is_at_fault(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        hands.main.editor.text = SOURCE.replace("phi      = float64", "phi      = flaot64")
        await hands.settled()
        control(hands, "decimals").focus()
        await hands.press("left")
        assert "decimals = 4\n" in hands.main.text()


async def test_a_defect_of_the_planner_is_told_and_the_text_kept(explore: Open, file: Path) -> None:
    async with explore(file, planner=broken_plan) as hands:
        assert "RuntimeError: a defect" in str(hands.main.query_one("#faults", OptionList).options[0].prompt)
        assert hands.main.text() == SOURCE


async def test_undo_takes_back_a_step_and_redo_makes_it_again(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        control(hands, "decimals").focus()
        await hands.press("left")
        await hands.press("left")
        await hands.press("ctrl+z")
        assert "decimals = 4\n" in hands.main.text()
        await hands.press("ctrl+z")
        assert hands.main.text() == SOURCE
        await hands.press("ctrl+y")
        assert "decimals = 4\n" in hands.main.text()


async def test_the_next_scenario_of_the_file(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        await hands.press("f8")
        assert control(hands, "decimals").value == "3"
        assert control(hands, "N").origin == "inherited"
        control(hands, "decimals").focus()
        await hands.press("left")
        assert hands.main.text() == SOURCE.replace("decimals = 3", "decimals = 2")
        await hands.press("f8")
        assert control(hands, "decimals").value == "5"


async def test_a_swept_field_becomes_a_plain_one_when_it_is_stepped(explore: Open, tmp_path: Path) -> None:
    path = tmp_path / "swept.threat"
    path.write_text("scenario one {\n    N = 100\n    sweep decimals = 2..6\n}\n")
    async with explore(path) as hands:
        assert control(hands, "decimals").value == "2"
        control(hands, "decimals").focus()
        await hands.press("right")
        assert hands.main.text() == "scenario one {\n    N = 100\n    decimals = 3\n}\n"


async def test_the_source_can_be_formatted(explore: Open, tmp_path: Path) -> None:
    path = tmp_path / "untidy.threat"
    path.write_text("scenario one {N=100;decimals=5}")
    async with explore(path) as hands:
        hands.main.action_format()
        await hands.settled()
        assert "    decimals = 5\n" in hands.main.text()
        hands.main.editor.text = "scenario {"
        await hands.settled()
        hands.main.action_format()
        assert hands.main.text() == "scenario {"
