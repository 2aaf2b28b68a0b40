"""Quick fixes: what a hint says was meant, written in its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic
    from dsl.reading.spans import Span

_MEANT = re.compile(r"did you mean `([^`]+)`\?")


class Fix(NamedTuple):
    """What was found, where, and the word to write instead."""

    code: str
    span: Span
    word: str

    @property
    def title(self) -> str:
        """As an editor offers it."""
        return f"Change to `{self.word}`"


def fixes(text: str) -> list[Fix]:
    """Every fault with a hint that names what was meant, if writing that does away with the fault."""
    found = []
    for one in diagnostics(text):
        meant = _MEANT.search(one.hint or "")
        if meant and one.span is not None and one.span.line == one.span.end_line:
            fix = Fix(one.code, one.span, meant[1])
            if _helps(text, fix):
                found.append(fix)
    return found


def fixed(text: str, fix: Fix) -> str:
    """The text with the word in its place."""
    lines = text.splitlines(keepends=True)
    line, start, end = fix.span.line - 1, fix.span.column - 1, fix.span.end_column - 1
    lines[line] = lines[line][:start] + fix.word + lines[line][end:]
    return "".join(lines)


def diagnostics(text: str, file: str = "<editor>") -> tuple[Diagnostic, ...]:
    """What is wrong with a text, or surely meant otherwise."""
    from dsl import ThreatError, check

    try:
        return tuple(check(text, file).warnings)
    except ThreatError as error:
        return tuple(error.diagnostics)


def _helps(text: str, fix: Fix) -> bool:
    """A hint is a guess, and may stand for more than the marked place: what is offered was tried."""
    there = [one for one in diagnostics(fixed(text, fix)) if one.span and one.span.line == fix.span.line]
    return all(one.severity == "warning" and one.code != fix.code for one in there)
