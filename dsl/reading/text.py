"""A source text: where it came from, its lines, and how bytes become one."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING

from dsl.diagnostics import Diagnostic, ThreatError
from dsl.reading.spans import Span
from dsl.visible import CONTROL, called

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 8 * 1024 * 1024
CHUNK = 1024
MAX_CONTROLS = 20  # that are told one by one
WIDTH = 100  # a longer source line is shown around the fault only


class Source:
    """A text and the name of the file that it came from; turns offsets into places."""

    __slots__ = ("_counts", "file", "text")

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self._counts: list[int] = []

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of the character at `offset`."""
        counts = self._counts or self._count()
        chunk = offset // CHUNK
        line = counts[chunk] + self.text.count("\n", chunk * CHUNK, offset)
        return line + 1, offset - self.text.rfind("\n", 0, offset)

    def _count(self) -> list[int]:
        """Line ends before each chunk of the text: an index of every line would outgrow a file of blank ones."""
        total = 0
        for start in range(0, len(self.text) + 1, CHUNK):
            self._counts.append(total)
            total += self.text.count("\n", start, start + CHUNK)
        return self._counts

    def span(self, start: int, end: int) -> Span:
        """The stretch from `start` up to `end`."""
        return Span(*self.place(start), *self.place(end))

    def line(self, offset: int) -> str:
        """The text of the line that `offset` lies in, without its end."""
        end = self.text.find("\n", offset)
        return self.text[self.text.rfind("\n", 0, offset) + 1 : end if end >= 0 else len(self.text)]

    def diagnostic(self, code: str, message: str, start: int, end: int, hint: str | None = None) -> Diagnostic:
        """A diagnostic about the stretch from `start` up to `end`."""
        span = self.span(start, max(end, start))
        text = self.line(start)
        shift = 0
        if len(text) > WIDTH:
            shift = max(0, span.column - 1 - WIDTH // 2)
            text = text[shift : shift + WIDTH]
        return Diagnostic(code, message, span, hint, self.file, text, shift)


def decode(data: bytes, file: str) -> Source:
    """The text that `data` holds: UTF-8, with or without a byte-order mark, any kind of line end."""
    if len(data) > MAX_BYTES:
        message = f"the file is larger than {MAX_BYTES // 2**20} MiB"
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
    _must_be_plain(source)
    return source


def _must_be_plain(source: Source) -> None:
    """Refuse what a terminal would obey: such a text could show another than it is."""
    if source.text.isprintable():
        return
    found = islice(CONTROL.finditer(source.text), MAX_CONTROLS)
    faults = [
        source.diagnostic("T007", f"control character {called(one[0])}", one.start(), one.end(), "remove it")
        for one in found
    ]
    if faults:
        raise ThreatError(faults)


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
