"""Opening, saving, exporting and leaving: told in words, and nothing lost."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from tests.tui.conftest import SOURCE, Hands, Open
from tui.document import Document, FileFault, rescue, rescued
from tui.screens.ask import AskText, Choose

CHANGED = SOURCE.replace("decimals = 5", "decimals = 4")


async def change(hands: Hands) -> None:
    hands.main.query_one("#field-decimals").focus()
    await hands.press("left")
    assert hands.main.text() == CHANGED


async def answer(hands: Hands, name: str) -> None:
    """Press a button of the question on the screen."""
    await hands.until(lambda: isinstance(hands.app.screen, Choose), "a question")
    await hands.pilot.click(f"#answer-{name}")
    await hands.pilot.pause()


async def asked(hands: Hands) -> None:
    await hands.until(lambda: isinstance(hands.app.screen, AskText), "a question for a name")


@pytest.mark.asyncio
class TestSaving:
    async def test_save(self, explore: Open, file: Path) -> None:
        async with explore(file) as hands:
            await change(hands)
            assert hands.main.filing.unsaved() == CHANGED
            await hands.press("ctrl+s")
            assert file.read_text() == CHANGED
            assert hands.main.filing.unsaved() is None

    async def test_a_new_scenario_is_given_a_name(self, explore: Open, tmp_path: Path) -> None:
        async with explore() as hands:
            await hands.press("ctrl+s")
            await asked(hands)
            await hands.type(str(tmp_path / "new.threat"))
            assert (tmp_path / "new.threat").read_text() == hands.main.text()

    async def test_another_file_is_not_overwritten_unasked(self, explore: Open, file: Path, tmp_path: Path) -> None:
        other = tmp_path / "other.threat"
        other.write_text("precious")
        async with explore(file) as hands:
            hands.main.action_save_as()
            await asked(hands)
            await hands.type(str(other))
            await answer(hands, "stay")
            assert other.read_text() == "precious"
            hands.main.action_save_as()
            await asked(hands)
            await hands.type(str(other))
            await answer(hands, "overwrite")
            assert other.read_text() == SOURCE

    async def test_a_file_that_somebody_else_changed(self, explore: Open, file: Path) -> None:
        async with explore(file) as hands:
            await change(hands)
            file.write_text("scenario theirs { N = 1 }\n")
            await hands.press("ctrl+s")
            await answer(hands, "stay")
            assert file.read_text() == "scenario theirs { N = 1 }\n"
            assert hands.main.filing.unsaved() == CHANGED
            await hands.press("ctrl+s")
            await answer(hands, "overwrite")
            assert file.read_text() == CHANGED

    async def test_a_folder_that_cannot_be_written(
        self, explore: Open, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with explore(file) as hands:
            await change(hands)
            with unwritable(file.parent, monkeypatch):
                await hands.press("ctrl+s")
            assert "cannot write" in hands.notices()
            assert file.read_text() == SOURCE
            assert hands.main.text() == CHANGED
            assert hands.main.filing.unsaved() == CHANGED
            await hands.press("ctrl+s")
            assert file.read_text() == CHANGED


class unwritable:  # noqa: N801 - used like a function
    """A folder in which nothing can be made; root is refused by a patch, anybody else by the system."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._patch = folder, monkeypatch

    def __enter__(self) -> None:
        self._folder.chmod(0o500)
        if os.geteuid() == 0:
            self._patch.setattr("tempfile.mkstemp", _refuse)

    def __exit__(self, *_: object) -> None:
        self._folder.chmod(0o700)
        self._patch.undo()


def _refuse(*_: object, **__: object) -> tuple[int, str]:
    raise PermissionError(13, "Permission denied")


@pytest.mark.asyncio
class TestOpening:
    async def test_open(self, explore: Open, file: Path, tmp_path: Path) -> None:
        other = tmp_path / "other.threat"
        other.write_text("scenario other { N = 77 }\n")
        async with explore(file) as hands:
            await hands.press("ctrl+o")
            await asked(hands)
            await hands.type(str(other))
            report = hands.main.report()
            assert report is not None
            assert report.scenario.N == 77
            assert hands.main.filing.unsaved() is None

    async def test_a_missing_file_leaves_everything_as_it_is(self, explore: Open, file: Path) -> None:
        async with explore(file) as hands:
            await hands.press("ctrl+o")
            await asked(hands)
            await hands.type(str(file.parent / "missing.threat"))
            assert "no such file" in hands.notices()
            assert hands.main.text() == SOURCE

    async def test_a_missing_file_on_the_command_line_is_a_new_one(self, explore: Open, tmp_path: Path) -> None:
        async with explore(tmp_path / "new.threat") as hands:
            assert "does not exist yet" in hands.notices()
            await hands.press("ctrl+s")
            assert (tmp_path / "new.threat").read_text() == hands.main.text()

    async def test_a_directory_and_bytes_that_are_no_text(self, explore: Open, tmp_path: Path) -> None:
        (tmp_path / "binary.threat").write_bytes(b"\xff\xfe\x00")
        for name, words in ((".", "is a directory"), ("binary.threat", "not UTF-8")):
            async with explore(tmp_path / name) as hands:
                assert words in hands.notices()
                assert hands.main.filing.document.path is None

    async def test_a_broken_file_is_shown_with_its_faults(self, explore: Open, tmp_path: Path) -> None:
        path = tmp_path / "broken.threat"
        path.write_text("scenario one { N = }\nscenario")
        async with explore(path) as hands:
            assert hands.main.troubled
            assert hands.main.report() is None
            assert hands.main.text() == path.read_text()
            await hands.press("f4", "f5", "f6", "f7", "ctrl+r", "f8", "f9", "ctrl+e")
            assert hands.app.screen is hands.main

    async def test_unsaved_changes_are_asked_about(self, explore: Open, file: Path) -> None:
        async with explore(file) as hands:
            await change(hands)
            await hands.press("ctrl+o")
            await answer(hands, "stay")
            assert hands.main.text() == CHANGED
            await hands.press("ctrl+o")
            await answer(hands, "save")
            await asked(hands)
            assert file.read_text() == CHANGED


@pytest.mark.asyncio
class TestLeaving:
    async def test_nothing_changed_nothing_asked(self, explore: Open, file: Path) -> None:
        async with explore(file) as hands:
            await hands.pilot.press("ctrl+q")
            await hands.pilot.pause()
            assert not hands.app.is_running or hands.app._exit

    @pytest.mark.parametrize("decision", ["discard", "save", "stay"])
    async def test_unsaved_changes_are_asked_about(self, explore: Open, file: Path, decision: str) -> None:
        async with explore(file) as hands:
            await change(hands)
            await hands.pilot.press("ctrl+q")
            await answer(hands, decision)
            assert hands.app._exit is (decision != "stay")
            assert file.read_text() == (CHANGED if decision == "save" else SOURCE)

    async def test_saving_that_fails_does_not_quit(
        self, explore: Open, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with explore(file) as hands:
            await change(hands)
            with unwritable(file.parent, monkeypatch):
                await hands.pilot.press("ctrl+q")
                await answer(hands, "save")
            assert not hands.app._exit
            assert hands.main.filing.unsaved() == CHANGED


@pytest.mark.asyncio
class TestExporting:
    async def export(self, hands: Hands, path: Path) -> None:
        await hands.pilot.press("f10")
        await asked(hands)
        await hands.type(str(path))

    async def test_each_format(self, explore: Open, file: Path, tmp_path: Path) -> None:
        async with explore(file, planner=None) as hands:
            await self.export(hands, tmp_path / "out.json")
            await self.export(hands, tmp_path / "out.md")
            await self.export(hands, tmp_path / "out.svg")
        entry = json.loads((tmp_path / "out.json").read_text())
        assert entry["schema"] == 2
        assert entry["scenarios"][0]["name"] == "first"
        assert (tmp_path / "out.md").read_text().startswith("## first")
        picture = (tmp_path / "out.svg").read_text()
        assert picture.startswith("<svg")
        assert "Export" in picture  # the footer; the dialog is not in the picture
        assert "enter&#160;accepts" not in picture
        assert "out.md" not in picture, "a message stood there"

    async def test_an_unknown_format_or_place_is_told(self, explore: Open, file: Path, tmp_path: Path) -> None:
        async with explore(file) as hands:
            await self.export(hands, tmp_path / "out.docx")
            assert "'.docx' is no format" in hands.notices()
            await self.export(hands, tmp_path / "nowhere" / "out.svg")
            assert "cannot write" in hands.notices()


def test_saving_keeps_permissions_and_links(tmp_path: Path) -> None:
    real, link = tmp_path / "real.threat", tmp_path / "link.threat"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    document = Document.open(link)
    document.save("new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == unordered(["real.threat", "link.threat"], os.listdir(tmp_path))


def unordered(wanted: list[str], found: list[str]) -> list[str]:
    return found if sorted(wanted) == sorted(found) else wanted


def test_a_directory_is_no_place_to_save(tmp_path: Path) -> None:
    with pytest.raises(FileFault, match="is a directory"):
        Document(tmp_path).save("text")


def test_text_that_would_be_lost_is_kept_beside_its_file(tmp_path: Path) -> None:
    document = Document(tmp_path / "bo[a]rd.threat", "old")
    assert rescued(document) == []
    kept = rescue(document, "scenario φ {")
    assert kept.parent == tmp_path
    assert kept.read_text(encoding="utf-8") == "scenario φ {"
    assert rescued(document) == [kept]


@pytest.mark.asyncio
async def test_an_earlier_session_is_remembered(explore: Open, file: Path) -> None:
    kept = rescue(Document(file), "scenario")
    async with explore(file) as hands:
        assert kept.name in hands.notices()
