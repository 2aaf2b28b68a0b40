"""The hidden labels as a grid that fills as they are recovered and verified."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

STATES = ("hidden", "asked", "recovered", "verified", "wrong")
GLYPHS = ("·", "▫", "▪", "■", "✗")


class LabelGrid(Widget):
    """Every cell is one label, or a run of neighbouring labels where they do not all fit."""

    COMPONENT_CLASSES: ClassVar = {f"labels--{state}" for state in STATES}

    cells = reactive(b"")

    def render_line(self, y: int) -> Strip:
        """A row of labels."""
        columns, rows = max(self.size.width // 2, 1), self.size.height
        cells = squeeze(self.cells, columns * rows)
        row = cells[y * columns : (y + 1) * columns]
        base = Style(bgcolor=self.background_colors[1].rich_color)
        strip = Strip([self._segment(state) for state in row]).simplify()
        return strip.extend_cell_length(self.size.width).apply_style(base)

    def _segment(self, state: int) -> Segment:
        return Segment(f"{GLYPHS[state]} ", self._style(STATES[state]))

    def _style(self, state: str) -> Style:
        colour = self.background_colors[1] + self.get_component_styles(f"labels--{state}").color
        return Style(color=colour.rich_color)


def squeeze(cells: bytes, room: int) -> bytes:
    """At most `room` states; neighbours that share a cell show the worst of them: nothing is flattered."""
    if len(cells) <= room or room <= 0:
        return cells
    edges = [index * len(cells) // room for index in range(room + 1)]
    return bytes(_worst(cells[start:end]) for start, end in pairwise(edges))


def _worst(states: bytes) -> int:
    """A wrong label before all, else the least advanced."""
    return max(states) if max(states) == len(STATES) - 1 else min(states)
