"""The last thing before the terminal: nothing on the screen but what has a shape."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter


class Harmless(LineFilter):
    """Widgets show what others wrote by `visible`; what they forget, and what the editor holds as it is, ends here.

    A terminal obeys control characters, and bidi marks reorder its lines. Widths stay: layouts have been made.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments without characters that are obeyed."""
        if all(segment.text.isprintable() for segment in segments):
            return segments
        return [Segment(_shaped(text), style, control) for text, style, control in segments]


def _shaped(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else (" " if c.isspace() else "\ufffd") * cell_len(c) for c in text)
