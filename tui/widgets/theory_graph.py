"""The theory's graph on the screen, with a cursor that walks from node to node."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from tui.theory_map import FOLDS, Piece, TheoryMap

STYLES = {"lit": "bold $text-accent", "plain": "$foreground", "dim": "$foreground 45%"}
CURSOR = " reverse"
START = "channel"
NOTE_STEP = 20  # columns


class TheoryGraph(Widget, can_focus=True):
    """Arrow keys move the cursor; the node under it is told; enter unfolds what has no part in the plan."""

    BINDINGS: ClassVar = [
        Binding("up,k", "move(0, -1)", "Up", show=False),
        Binding("down,j", "move(0, 1)", "Down", show=False),
        Binding("left,h", "move(-1, 0)", "Left", show=False),
        Binding("right,l", "move(1, 0)", "Right", show=False),
        Binding("enter,space", "unfold", "Fold", show=False),
    ]

    map: reactive[TheoryMap | None] = reactive(None, layout=True)
    cursor = reactive(START)

    _placed = START

    class Visited(Message):
        """The cursor came to a node."""

        def __init__(self, node: str) -> None:
            super().__init__()
            self.node = node

    class Toggled(Message):
        """Show what is folded away, or fold it again."""

    def action_unfold(self) -> None:
        """Fold or unfold."""
        self.post_message(self.Toggled())

    def render(self) -> Content:
        """Every row, the cursor's node reversed."""
        if self.map is None:
            return Content("planning…")
        return Content("\n").join(self._row(pieces) for pieces in self.map.lines())

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """As wide as the longest row: notes are read whole, by scrolling."""
        return self.map.width if self.map else container.width

    def _row(self, pieces: list[Piece]) -> Content:
        here = self.cursor if self.has_focus else None
        styled = ((text, STYLES[tone] + CURSOR * (node == here)) for text, tone, node in pieces)
        return Content.assemble(*styled)

    def show(self, drawing: TheoryMap) -> None:
        """Another drawing; the cursor stays where the user put it, or goes to the end of the lit path."""
        moved = self.cursor not in (START, self._placed)
        self.map = drawing
        if not moved or self.place is None:
            self._placed = self.cursor = drawing.goal
        self.call_after_refresh(self._see_cursor)

    def watch_cursor(self, cursor: str) -> None:
        """Tell which node it is on, and keep it in sight."""
        if self.map is not None:
            self.post_message(self.Visited(cursor))
            self._see_cursor()

    def _see_cursor(self) -> None:
        """Scroll so that the cursor's node can be seen, with some of what is around it."""
        place = self.place
        if place and self.map and isinstance(self.parent, Widget):
            row = self.map.row(*place)
            start = 0
            for text, _, node in self.map.lines()[row]:
                if node == self.cursor:
                    around = Region(start - len(text), row - 2, 2 * len(text), 5)
                    self.parent.scroll_to_region(around, animate=False)
                start += len(text)

    @property
    def place(self) -> tuple[int, int] | None:
        """The cursor's column and index there."""
        columns = self.map.columns if self.map else ()
        for column, nodes in enumerate(columns):
            for index, node in enumerate(nodes):
                if node.id == self.cursor:
                    return column, index
        return None

    def action_move(self, across: int, down: int) -> None:
        """Go to the neighbour in a direction; into the nearest row of another column."""
        if self.map is None:
            return
        column, index = self.place or (len(self.map.columns) - 2, 0)
        target = min(max(column + across, 0), len(self.map.columns) - 1)
        if target == column and across:
            self._read_on(across)
            return
        row = self.map.row(column, index) + down - self.map.row(target, 0)
        nodes = self.map.columns[target]
        self.cursor = nodes[min(max(row, 0), len(nodes) - 1)].id

    def _read_on(self, across: int) -> None:
        """Beyond the last column are its notes: bring that column to the left edge, then go on along them."""
        if self.map is None or not isinstance(self.parent, Widget):
            return
        edge = self.map.start(len(self.map.columns) - 1)
        here = self.parent.scroll_x
        self.parent.scroll_to(x=edge if here < edge and across > 0 else here + across * NOTE_STEP, animate=False)

    def on_click(self, event: events.Click) -> None:
        """Go to the node that was clicked."""
        if self.map is None or not 0 <= event.y < self.map.height:
            return
        at = 0
        for text, _, node in self.map.lines()[event.y]:
            at += len(text)
            if event.x < at:
                self.cursor = node or self.cursor
                if node in FOLDS:
                    self.action_unfold()
                return
