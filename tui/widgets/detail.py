"""The selected attack, opened; or all that are refused."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static


class Detail(VerticalScroll):
    """Chain, inequalities, price; or what a refused attack would need."""

    BORDER_TITLE = "Detail"

    def __init__(self) -> None:
        super().__init__(id="detail")
        self.text = ""

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static("", id="detail-text")

    def show(self, content: Content) -> None:
        """Open a candidate, or what stands behind the fold."""
        text = self.query_one("#detail-text", Static)
        width = max(text.size.width, 1)
        taller = _lines(self.text, width) != _lines(content.plain, width)
        self.text = content.plain
        text.update(content, layout=taller)  # a layout of the whole screen is worth avoiding at each step


def _lines(text: str, width: int) -> list[int]:
    return [len(line) // width for line in text.split("\n")]
