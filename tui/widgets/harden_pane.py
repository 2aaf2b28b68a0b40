"""What to change: settings at which recovery is impossible, ranked, as `plan harden` lists them."""

from __future__ import annotations

from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import DataTable, Static

from threatplan.changes import Change
from threatplan.render.options import HEAD, TITLE, rows
from tui.hardening import Found, Sought, seek
from tui.latest import Latest
from tui.thinking import Thinker

GUIDE = (
    "Enter writes a line into the source, ctrl+z takes it back. s.e.: standard errors that an honest score has anyhow."
)


class HardenPane(Vertical):
    """A line that says how far it is, and the list; sought only while the view is open."""

    class Chosen(Message):
        """A line of the list is to be written into the source."""

        def __init__(self, changes: tuple[Change, ...]) -> None:
            super().__init__()
            self.changes = changes

    def __init__(self, thinker: Thinker) -> None:
        super().__init__(id="harden-pane")
        self._latest = Latest(partial(seek, thinker), self._come)
        self._state = Static("", id="harden-state")
        self._table: DataTable[Content] = DataTable(id="harden", cursor_type="row", zebra_stripes=True)
        self.found: Found | None = None

    def compose(self) -> ComposeResult:
        """How far it is, then the list."""
        yield from (self._state, self._table)

    def on_mount(self) -> None:
        """The columns of `plan harden`."""
        self._table.add_columns(*HEAD)

    @property
    def busy(self) -> bool:
        """Whether settings are being planned."""
        return self._latest.busy

    def show(self, text: str, scenario: str) -> None:
        """Seek what hardens a scenario; whatever was sought before is given up."""
        self._latest.ask(Sought(text, scenario), partial(self.run_worker, group="harden"))

    def _come(self, sought: Sought, found: Found) -> None:
        if not found.done:
            self._say(f"looking for settings that hold out: {found.settings:,} planned ...")
            return
        self.found = found
        self._table.clear()
        for row in rows(found.options, len(found.options)):
            self._table.add_row(*map(Content, row))
        self._say(found.said or f"{TITLE}.\n{GUIDE}")

    def _say(self, words: str) -> None:
        self._state.update(Content(words))

    @on(DataTable.RowSelected, "#harden")
    def _choose(self, event: DataTable.RowSelected) -> None:
        event.stop()
        if self.found is not None and event.cursor_row < len(self.found.options):
            self.post_message(self.Chosen(self.found.options[event.cursor_row].changes))
