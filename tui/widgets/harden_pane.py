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
from threatplan.render.options import HEAD, rows
from tui.hardening import Found, Sought, seek
from tui.latest import Latest
from tui.thinking import Thinker

GUIDE = (
    "At each of these nobody can count on all labels. Enter writes one into the source, ctrl+z takes it back. "
    "s.e.: standard errors of an honest score."
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
        self._fill(list(rows(found.options, len(found.options))))
        self._say(found.said or GUIDE)

    def _fill(self, cells: list[tuple[str, ...]]) -> None:
        """The columns of `plan harden`, as wide as what they hold: a table measures its titles alone."""
        self._table.clear(columns=True)
        for place, title in enumerate(HEAD if cells else ()):
            self._table.add_column(title, width=max(len(title), *(len(row[place]) for row in cells)))
        for row in cells:
            self._table.add_row(*map(Content, row))

    def _say(self, words: str) -> None:
        self._state.update(Content(words))

    @on(DataTable.RowSelected, "#harden")
    def _choose(self, event: DataTable.RowSelected) -> None:
        event.stop()
        if self.found is not None and event.cursor_row < len(self.found.options):
            self.post_message(self.Chosen(self.found.options[event.cursor_row].changes))
