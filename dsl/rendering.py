"""Diagnostics as text: the source line, a caret, a hint; in colour or plain."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dsl.visible import visible

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic

COLORS = {"error": "\033[1;31m", "warning": "\033[1;33m", "frame": "\033[1;34m", "bold": "\033[1m"}
RESET = "\033[0m"


def render_all(diagnostics: Sequence[Diagnostic], most: int, color: bool) -> str:
    """The first diagnostics in full, and how many more there are."""
    shown = [render(each, color) for each in diagnostics[:most]]
    if len(diagnostics) > most:
        shown.append(f"and {len(diagnostics) - most} more\n")
    return "\n".join(shown)


def render(diagnostic: Diagnostic, color: bool) -> str:
    """One diagnostic, ending with a line end."""

    def paint(text: str, name: str) -> str:
        return f"{COLORS[name]}{text}{RESET}" if color else text

    head = paint(f"{diagnostic.severity}[{diagnostic.code}]", diagnostic.severity)
    title = f"{head}{paint(': ' + visible(diagnostic.message), 'bold')}"
    span = diagnostic.span
    hint = visible(diagnostic.hint) if diagnostic.hint else ""
    if span is None:
        return f"{title}\n" + (f"  {paint('= hint:', 'frame')} {hint}\n" if hint else "")
    margin = " " * (len(str(span.line)) + 1)
    before, marked, carets = _excerpt(diagnostic)
    caret = paint(carets + (f" {hint}" if hint else ""), diagnostic.severity)
    bar = paint(f"{margin} |", "frame")
    lines = [
        title,
        f"{margin}{paint('-->', 'frame')} {visible(diagnostic.file)}:{span.line}:{span.column}",
        bar,
        f"{paint(f' {span.line} |', 'frame')} {before}{marked}".rstrip(),
        f"{bar} {' ' * width(before)}{caret}",
    ]
    return "\n".join(lines) + "\n"


def _excerpt(diagnostic: Diagnostic) -> tuple[str, str, str]:
    """The line up to the fault, the line from there on, and the carets below the fault."""
    span = diagnostic.span
    assert span is not None
    text = diagnostic.excerpt
    start = span.column - 1 - diagnostic.shift
    end = span.end_column - 1 - diagnostic.shift if span.end_line == span.line else len(text)
    fault = _flat(text[start:end])
    left = "… " if diagnostic.shift else ""
    return left + _flat(text[:start]), _flat(text[start:]), "^" * max(1, width(fault))


def _flat(text: str) -> str:
    """The text as it is seen, with tabs as spaces: carets stand below it."""
    return visible(text).replace("\t", "    ")


def width(text: str) -> int:
    """How many cells of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)
