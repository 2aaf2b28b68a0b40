"""A source text: where it came from, its lines, and how bytes become one."""

from __future__ import annotations

import sys
from bisect import bisect_right
from typing import TYPE_CHECKING

from dsl.diagnostics import Diagnostic, ThreatError
from dsl.spans import Span

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 8 * 1024 * 1024
WIDTH = 100  # a longer source line is shown around the fault only


class Source:
    """A text and the name of the file that it came from; turns offsets into places."""

    __slots__ = ("file", "starts", "text")

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.starts: list[int] = [0]
        find, at = text.find, text.find("\n")
        while at >= 0:
            self.starts.append(at + 1)
            at = find("\n", at + 1)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of the character at `offset`."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The stretch from `start` up to `end`."""
        return Span(*self.place(start), *self.place(end))

    def line(self, number: int) -> str:
        """The text of line `number`, without its end."""
        start = self.starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]

    def diagnostic(
        self, code: str, message: str, start: int, end: int, hint: str | None = None
    ) -> Diagnostic:
        """A diagnostic about the stretch from `start` up to `end`."""
        span = self.span(start, max(end, start))
        text = self.line(span.line)
        shift = 0
        if len(text) > WIDTH:
            shift = max(0, span.column - 1 - WIDTH // 2)
            text = text[shift : shift + WIDTH]
        return Diagnostic(code, message, span, hint, self.file, text, shift)


def decode(data: bytes, file: str) -> Source:
    """The text that `data` holds: UTF-8, with or without a byte-order mark, any kind of line end."""
    if len(data) > MAX_BYTES:
        message = f"the file holds {len(data):,} bytes; the limit is {MAX_BYTES:,}"
        raise _refusal("T004", message, file, "split it into several files")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = data.decode("utf-8-sig", errors="replace")
        source = Source(_plain_ends(text), file)
        start = len(_plain_ends(data[: error.start].decode("utf-8-sig", errors="replace")))
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        fault = source.diagnostic("T002", message, start, start + 1, "save the file as UTF-8")
        raise ThreatError([fault]) from None
    source = Source(_plain_ends(text), file)
    nul = source.text.find("\0")
    if nul >= 0:
        hint = "this looks like a binary file, or text in UTF-16"
        raise ThreatError([source.diagnostic("T003", "a NUL byte in the text", nul, nul + 1, hint)])
    return source


def _plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read(path: str | Path) -> Source:
    """The text of the file at `path`, or of standard input where that is `-`."""
    name = str(path)
    if name == "-":
        return decode(sys.stdin.buffer.read(MAX_BYTES + 1), "<stdin>")
    try:
        with open(path, "rb") as stream:
            return decode(stream.read(MAX_BYTES + 1), name)
    except IsADirectoryError:
        raise _refusal("T001", f"`{name}` is a directory", name, "give the file itself") from None
    except FileNotFoundError:
        raise _refusal("T001", f"no such file: `{name}`", name, None) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _refusal("T001", f"`{name}` cannot be read: {reason}", name, None) from None


def _refusal(code: str, message: str, file: str, hint: str | None) -> ThreatError:
    return ThreatError([Diagnostic(code, message, None, hint, file)])
