"""Files, names and pasted text that want to be obeyed: the explorer shows them and does not."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from textual.widgets import OptionList, Static

from tests.threatplan.test_hostile_text import BOARD
from tests.tui.conftest import Hands, Open
from tui.widgets.run_pane import RunPane

NAME = "\x1b]0;PWNED\x07\x9b31m\u202e[red]a[@click=app.quit]b.threat"
SHOWN = r"\x1b]0;PWNED\x07\x9b31m\u202e[red]a[@click=app.quit]b.threat"


def screen(hands: Hands) -> str:
    """What is sent to the terminal as text, line by line."""
    strips = hands.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def must_be_harmless(hands: Hands) -> str:
    shown = screen(hands)
    assert shown.replace("\n", "").isprintable(), ascii(shown)
    ElementTree.fromstring(hands.app.export_screenshot())
    return shown


@pytest.mark.asyncio
async def test_a_hostile_file(explore: Open, tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_text(BOARD, encoding="utf-8")
    async with explore(path) as hands:
        assert SHOWN in must_be_harmless(hands), "the title bar"
        faults = hands.app.screen.query_one("#faults", OptionList)
        assert "U+202E (right-to-left override) cannot be seen" in str(faults.get_option_at_index(0).prompt)
        for key in ("f5", "f6", "f7", "ctrl+r"):
            await hands.press(key)
            must_be_harmless(hands)
        await hands.press("ctrl+s")
        assert hands.notices() == f"{SHOWN} saved"
        assert all(not one.markup for one in hands.app._notifications)
        await hands.press("ctrl+o")
        must_be_harmless(hands)


@pytest.mark.asyncio
async def test_a_file_with_control_characters_is_not_opened(explore: Open, tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_text("scenario s {\n N = 5 # \x1b]52;c;UFdO\x07\n}\n", encoding="utf-8")
    async with explore(path) as hands:
        assert "control character U+001B in line 2" in hands.notices()
        assert "\x1b" not in hands.main.text()
        must_be_harmless(hands)


@pytest.mark.asyncio
async def test_pasted_sequences_reach_neither_terminal_nor_picture(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        hands.main.editor.focus()
        hands.main.editor.insert("# \x1b]0;PWNED\x07 \x9b31m \u202e \ufffe\n", (0, 0))
        await hands.settled()
        assert "PWNED" in must_be_harmless(hands)
        assert hands.main.troubled


@pytest.mark.asyncio
async def test_a_run_that_fails_with_sequences(explore: Open, file: Path) -> None:
    from tui.simulation import Failure, Result

    async with explore(file) as hands:
        await hands.press("f7")
        pane = hands.app.screen.query_one(RunPane)
        for frame in (Failure(NAME), Result(5, 1, 1, {}, "exact", 0, NAME)):
            pane._show(frame)
            await hands.settled()
            assert SHOWN in str(pane.query_one("#run-state", Static).content)
            must_be_harmless(hands)
