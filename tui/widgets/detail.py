"""The selected attack, opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from tui.prose import detail

if TYPE_CHECKING:
    from planner.model import Candidate
    from planner.report import Report


class Detail(VerticalScroll):
    """Chain, inequalities, price; or what a refused attack would need."""

    BORDER_TITLE = "Detail"

    def __init__(self) -> None:
        super().__init__(id="detail")
        self.text = ""

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static("", id="detail-text")

    def show(self, candidate: Candidate, report: Report) -> None:
        """Open a candidate."""
        content = detail(candidate, report)
        text = self.query_one("#detail-text", Static)
        width = max(text.size.width, 1)
        taller = _lines(self.text, width) != _lines(content.plain, width)
        self.text = content.plain
        text.update(content, layout=taller)  # a layout of the whole screen is worth avoiding at each step


def _lines(text: str, width: int) -> list[int]:
    return [len(line) // width for line in text.split("\n")]
