"""Opening, saving, exporting and leaving: nothing unsaved is lost without a question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from textual.app import App

from tui.document import Document, FileFault, rescued
from tui.screens.ask import AskText, Choose

if TYPE_CHECKING:
    from planner.report import Report

UNSAVED = (("save", "Save"), ("discard", "Discard"), ("stay", "Go back"))

OVERWRITE = (("stay", "Go back"), ("overwrite", "Overwrite"))
Then = Callable[[], None]


class Desk(Protocol):
    """The screen on which a document lies: what filing must know of it and may do to it."""

    @property
    def app(self) -> App[Any]:
        """Where dialogs are shown."""

    def text(self) -> str:
        """The text on the screen."""

    def load(self, text: str) -> None:
        """Show another text."""

    def report(self) -> Report | None:
        """The last good plan."""

    def call_after_refresh(self, callback: Callable[[], None]) -> bool:
        """Call once the screen shows what was done to it."""

    def title_changed(self) -> None:
        """The document's name, or whether it is saved, changed."""


class Filing:
    """A desk's document: opened, saved, exported, and never lost without a question."""

    def __init__(self, desk: Desk, path: Path | None) -> None:
        self._desk = desk
        self.document = Document()
        self._given_up = False
        self.greeting = (self._read_first(path) if path else None) or self._remind()

    def _read_first(self, path: Path) -> tuple[str, str] | None:
        """Read the file named at the start; a word to the user where that can't be done."""
        if not path.exists():
            self.document.path = path
            return f"{path} does not exist yet; saving makes it", "warning"
        try:
            self.document = Document.open(path)
        except FileFault as fault:
            return str(fault), "error"
        return None

    def _remind(self) -> tuple[str, str] | None:
        """Say where the unsaved changes of an earlier session are."""
        kept = rescued(self.document)
        return (f"unsaved changes of an earlier session are in {kept[-1]}", "warning") if kept else None

    def unsaved(self) -> str | None:
        """The text, where it would be lost if the explorer ended now."""
        text = self._desk.text()
        return text if not self._given_up and self.document.dirty(text) else None

    # -- opening and leaving -----------------------------------------------------------------------------

    def open(self) -> None:
        """Ask for a file, after asking about unsaved changes."""
        self._settle(lambda: self._ask_path("Open a .threat file", "", "a path", self._open))

    def leave(self) -> None:
        """Quit, after asking about unsaved changes."""
        self._settle(self._quit)

    def _quit(self) -> None:
        self._given_up = True
        self._desk.app.exit()

    def _settle(self, then: Then) -> None:
        """Do `then` at once, or after the user has said what becomes of the changes."""
        if self.unsaved() is None:
            then()
            return

        def decided(answer: str | None) -> None:
            if answer == "discard":
                then()
            elif answer == "save":
                self._save(then)

        self._desk.app.push_screen(Choose(f"{self.document.name} has unsaved changes", UNSAVED), decided)

    def _open(self, path: Path) -> None:
        try:
            opened = Document.open(path)
        except FileFault as fault:
            self._desk.app.notify(str(fault), title="Not opened", severity="error")
            return
        self.document = opened
        self._desk.load(opened.saved)
        self._desk.app.notify(f"{opened.name} opened")

    # -- saving ------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Save; ask for a name where there is none."""
        self._save(lambda: None)

    def save_as(self) -> None:
        """Save under a name that is asked for."""
        self._save_as(lambda: None)

    def _save(self, then: Then) -> None:
        path = self.document.path
        if path is None:
            self._save_as(then)
        elif self.document.changed_on_disk():
            self._ask_over(path, f"{path.name} was changed by somebody else", then)
        else:
            self._write(path, then)

    def _save_as(self, then: Then) -> None:
        def named(path: Path) -> None:
            if path.exists() and path != self.document.path:
                self._ask_over(path, f"{path.name} exists already", then)
            else:
                self._write(path, then)

        self._ask_path("Save as", str(self.document.path or self.document.name), "a path", named)

    def _ask_over(self, path: Path, title: str, then: Then) -> None:
        """Write over a file only when told so."""

        def answered(answer: str | None) -> None:
            if answer == "overwrite":
                self._write(path, then)

        self._desk.app.push_screen(Choose(title, OVERWRITE), answered)

    def _write(self, path: Path, then: Then) -> None:
        try:
            self.document.save(self._desk.text(), path)
        except FileFault as fault:
            self._desk.app.notify(str(fault), title="Not saved", severity="error")
            return
        self._desk.title_changed()
        self._desk.app.notify(f"{self.document.name} saved")
        then()

    # -- exporting ---------------------------------------------------------------------------------------

    def export(self) -> None:
        """Ask for a name and write the report, or the screen, in the format of its ending; messages are no part of it."""
        self._desk.app.clear_notifications()
        self._desk.call_after_refresh(self._offer)

    def _offer(self) -> None:
        from tui.export import ENDINGS

        report = self._desk.report()
        if report is None:
            self._desk.app.notify("there is no plan to export yet", severity="warning")
            return
        picture = self._desk.app.export_screenshot()  # taken before the dialog covers it
        offered = f"{report.scenario.name}.json"
        hint = f"the ending chooses the format: {', '.join(ENDINGS)}"
        self._ask_path("Export", offered, hint, lambda path: self._export(path, report, picture))

    def _export(self, path: Path, report: Report, picture: str) -> None:
        from tui.export import export

        try:
            export(path, report, lambda: picture)
        except FileFault as fault:
            self._desk.app.notify(str(fault), title="Not exported", severity="error")
            return
        self._desk.app.notify(f"{path.name} written")

    def _ask_path(self, title: str, offered: str, hint: str, then: Callable[[Path], None]) -> None:
        def answered(answer: str | None) -> None:
            if answer and answer.strip():
                then(Path(answer.strip()).expanduser())

        self._desk.app.push_screen(AskText(title, offered, hint), answered)
