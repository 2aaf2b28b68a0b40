"""The hidden labels as a grid that fills as they are recovered and verified."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

STATES = ("hidden", "asked", "recovered", "verified", "not scored", "wrong")
GLYPHS = ("·", "▫", "▪", "■", "○", "✗")
CELL = 2  # columns a cell takes


class LabelGrid(Widget):
    """Every cell is one label, or a run of neighbouring labels where they do not all fit."""

    COMPONENT_CLASSES: ClassVar = {f"labels--{state.replace(' ', '-')}" for state in STATES}

    cells = reactive(b"")

    def __init__(self) -> None:
        super().__init__()
        self._drawn: list[Strip] = []
        self._key: object = None

    @property
    def room(self) -> int:
        """How many cells there is room for."""
        return max(self.size.width // CELL, 1) * self.size.height

    def render_line(self, y: int) -> Strip:
        """A row of labels; all rows are drawn together, once for each new state."""
        key = (self.cells, self.size, self.app.theme)
        if key != self._key:
            self._drawn, self._key = self._draw(), key
        return self._drawn[y] if y < len(self._drawn) else Strip.blank(self.size.width)

    def _draw(self) -> list[Strip]:
        columns, rows = max(self.size.width // CELL, 1), self.size.height
        cells = squeeze(self.cells, columns * rows)
        back = self.background_colors[1]
        base = Style(bgcolor=back.rich_color)
        looks = [self.get_component_styles(f"labels--{state.replace(' ', '-')}").color for state in STATES]
        styles = [Style(color=(back + look).rich_color, bgcolor=back.rich_color) for look in looks]
        lines = [cells[start : start + columns] for start in range(0, columns * rows, columns)]
        strips = [Strip(_segments(line, styles), CELL * len(line)) for line in lines]
        return [strip.extend_cell_length(self.size.width, base) for strip in strips]


def _segments(line: bytes, styles: Sequence[Style]) -> list[Segment]:
    """Neighbours of one state as one segment: a whole grid is drawn at each frame of a run."""
    runs = ((state, sum(1 for _ in run)) for state, run in groupby(line))
    return [Segment(f"{GLYPHS[state]} " * length, styles[state]) for state, length in runs]


def squeeze(cells: bytes, room: int) -> bytes:
    """At most `room` states; neighbours that share a cell show the worst of them: nothing is flattered."""
    if len(cells) <= room or room <= 0:
        return cells
    if cells.count(cells[0]) == len(cells):
        return cells[:room]
    edges = [index * len(cells) // room for index in range(room + 1)]
    return bytes(_worst(cells[start:end]) for start, end in pairwise(edges))


def _worst(states: bytes) -> int:
    """A wrong label before all, else the least advanced."""
    return max(states) if max(states) == len(STATES) - 1 else min(states)
