"""The scenario's source, coloured by the language's own words, faults underlined where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from rich.text import Text
from textual.widgets import TextArea

from dsl.reading.lexer import Lines, Token, colours
from dsl.writing.edits import Change

if TYPE_CHECKING:
    from dsl.reading.spans import Span

KINDS = ("comment", "string", "number", "keyword", "field", "verdict", "name", "call", "value", "operator")
LONGEST_COLOURED = 2000  # characters of a line; the rest is shown plain


class SourceEditor(TextArea):
    """A text area that knows the language's colours and where its faults are."""

    COMPONENT_CLASSES: ClassVar = {*(f"source--{kind}" for kind in KINDS), "source--fault"}

    def __init__(self, text: str) -> None:
        super().__init__(text, id="source", show_line_numbers=True, tab_behavior="indent")
        self._faults: dict[int, list[tuple[int, int]]] = {}

    def get_line(self, line_index: int) -> Text:
        """The line with its colours."""
        line = super().get_line(line_index)
        for token in _coloured(line.plain[:LONGEST_COLOURED]):
            line.stylize(self._style(f"source--{token.kind}"), token.start, token.end)
        for start, end in self._faults.get(line_index, ()):
            line.stylize(self._style("source--fault"), start, max(end, start + 1))
        return line

    def _style(self, name: str) -> Style:
        """The class's own colour, mixed with the background that it lets through; that stays the line's."""
        styles = self.get_component_styles(name)
        colour = (self.background_colors[1] + styles.color).rich_color
        return Style(color=colour) + Style(
            bold=styles.text_style.bold, italic=styles.text_style.italic, underline=styles.text_style.underline
        )

    def mark(self, spans: Sequence[Span]) -> None:
        """Underline the faults at these places, and no others."""
        faults: dict[int, list[tuple[int, int]]] = {}
        for span in spans:
            last = span.end_column - 1 if span.end_line == span.line else 10**6
            faults.setdefault(span.line - 1, []).append((span.column - 1, last))
        if faults != self._faults:
            self._faults = faults
            self._line_cache.clear()
            self.refresh()

    def apply(self, change: Change) -> None:
        """Make a change as one step that can be undone."""
        lines = Lines(self.text)
        self.history.checkpoint()
        self.replace(
            change.replacement,
            lines.place(change.start),
            lines.place(change.end),
            maintain_selection_offset=True,
        )
        self.history.checkpoint()

    def go_to(self, span: Span) -> None:
        """Put the cursor on a place."""
        self.focus()
        self.move_cursor((span.line - 1, span.column - 1), center=True)


@lru_cache(4096)
def _coloured(line: str) -> list[Token]:
    """The lexemes of one line; none of them goes on to the next."""
    return colours(line)
