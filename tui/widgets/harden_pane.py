"""What to change: settings at which recovery is impossible, ranked, as `plan harden` lists them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import DataTable, Static

from threatplan.changes import Change
from threatplan.render.options import HEAD, SPARE, rows
from threatplan.render.table import folded
from tui.hardening import Found, Sought, seek
from tui.latest import Latest
from tui.thinking import Thinker

GUIDE = (
    "At each of these no attack is sure to learn all labels. Enter writes one into the source, ctrl+z takes it back."
)
PRICE = "price: how far an honest score may move; 1 s.e. is as far as chance moves it anyhow."


CHANGE = HEAD.index("change")
NARROWEST = 18  # a change is folded to this before columns are given up
PADDING = 2  # columns of the screen that a cell takes beside its text
SCROLLBAR = 1


def fitting(cells: Sequence[tuple[str, ...]], room: int) -> tuple[list[int], int]:
    """The columns that there is room for, the least needed given up first, and the width of a change."""
    if not cells:
        return [], 0
    kept = list(range(len(HEAD)))
    while (left := room - _taken(cells, kept)) < NARROWEST and (spare := max(kept, key=_spare)) and _spare(spare):
        kept.remove(spare)
    return kept, max(min(left, wide(cells, CHANGE)), len(HEAD[CHANGE]))


def wide(cells: Sequence[tuple[str, ...]], place: int) -> int:
    """The width of a column: a table measures its titles alone."""
    return max(len(HEAD[place]), *(len(row[place]) for row in cells))


def _taken(cells: Sequence[tuple[str, ...]], kept: Sequence[int]) -> int:
    """What all other columns and the padding leave nothing of."""
    return sum(wide(cells, place) for place in kept if place != CHANGE) + PADDING * len(kept)


def _spare(place: int) -> int:
    return SPARE.get(HEAD[place], 0)


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
        self._cells: list[tuple[str, ...]] = []

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
        self._cells = list(rows(found.options, len(found.options)))
        self._say(found.said)
        self._fill()

    def on_resize(self, event: events.Resize) -> None:
        """Another width has room for other columns."""
        row = self._table.cursor_row
        self._fill()
        self._table.move_cursor(row=row, animate=False)

    def _fill(self) -> None:
        """The columns of `plan harden` that there is room for; a change that is long takes a line for each of its fields."""
        kept, width = fitting(self._cells, self.size.width - SCROLLBAR)
        if kept:
            self._say(f"{GUIDE} {PRICE}" if HEAD.index("price") in kept else GUIDE)
        self._table.clear(columns=True)
        self._table.show_header = bool(self._cells)  # no bar above nothing
        for place in kept:
            self._table.add_column(HEAD[place], width=width if place == CHANGE else wide(self._cells, place))
        for row in self._cells:
            lines = folded(row[CHANGE], width)
            cells = ["\n".join(lines) if place == CHANGE else row[place] for place in kept]
            self._table.add_row(*map(Content, cells), height=len(lines))

    def _say(self, words: str) -> None:
        self._state.update(Content(words))

    @on(DataTable.RowSelected, "#harden")
    def _choose(self, event: DataTable.RowSelected) -> None:
        event.stop()
        if self.found is not None and event.cursor_row < len(self.found.options):
            self.post_message(self.Chosen(self.found.options[event.cursor_row].changes))
