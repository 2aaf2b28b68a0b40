"""What is wrong with a file: data first, text second."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from dsl.alike import ByFields
from dsl.reading.spans import Span

Severity = Literal["error", "warning"]
SHOWN = 20  # diagnostics rendered in full; the rest are counted
FIRST_WARNING = "T100"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Diagnostic(ByFields):
    """One fault, or one warning: its code, what is wrong, where, and what to do about it."""

    code: str
    message: str
    span: Span | None
    hint: str | None = None
    file: str = "<string>"
    excerpt: str = field(default="", repr=False)  # the source line, or the part of it around the fault
    shift: int = field(default=0, repr=False)  # characters of the line that the excerpt leaves out on the left

    @property
    def severity(self) -> Severity:
        """Whether the file is refused for it."""
        return "warning" if self.code >= FIRST_WARNING else "error"

    @property
    def order(self) -> tuple[str, int, int, str, str]:
        """Sorts diagnostics by their place."""
        line, column = (self.span.line, self.span.column) if self.span else (0, 0)
        return self.file, line, column, self.code, self.message

    def render(self, color: bool = False) -> str:
        """The diagnostic with its source line, a caret under the fault, and the hint."""
        from dsl.rendering import render

        return render(self, color)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        span = self.span
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "hint": self.hint,
            "file": self.file,
            "span": None
            if span is None
            else {
                "line": span.line,
                "column": span.column,
                "end_line": span.end_line,
                "end_column": span.end_column,
            },
        }


class ThreatError(Exception):
    """The one error of the language: every fault that was found, sorted by place."""

    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(sorted(diagnostics, key=lambda each: each.order))
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return self.render()

    def render(self, color: bool = False) -> str:
        """Every diagnostic as text, up to a readable number of them."""
        from dsl.rendering import render_all

        return render_all(self.diagnostics, SHOWN, color)

    def to_json(self) -> list[dict[str, Any]]:
        """Every diagnostic as plain data."""
        return [diagnostic.to_json() for diagnostic in self.diagnostics]
