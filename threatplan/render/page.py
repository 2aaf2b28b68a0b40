"""Where text goes: how wide it is, whether it shows colours, and which characters it can show."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TextIO

_STYLES = {
    "bold": "1",
    "dim": "2",
    "bad": "1;31",
    "good": "1;32",
    "warn": "1;33",
    "head": "1;36",
}
_COLORS = re.compile(r"\x1b\[[0-9;]*m")
PIPE_WIDTH = 100  # of a page that no terminal shows


class Page(NamedTuple):
    """A sheet of text."""

    width: int = PIPE_WIDTH
    color: bool = False
    unicode: bool = True

    @classmethod
    def of(cls, stream: TextIO, color: str = "auto", env: Mapping[str, str] = os.environ) -> Page:
        """The page that `stream` shows."""
        encoding = (getattr(stream, "encoding", None) or "ascii").lower().replace("-", "")
        return cls(_width(stream, env), _colored(stream, color, env), encoding.startswith("utf"))

    def ink(self, text: str, style: str) -> str:
        """The text in a style, where there are colours."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.color and style in _STYLES else text

    def glyph(self, pretty: str, plain: str) -> str:
        """A character, or its stand-in where it cannot be shown."""
        return pretty if self.unicode else plain

    def wrap(self, text: str, first: str = "", rest: str | None = None) -> Iterator[str]:
        """The text in lines that fit, the first and the others each with their own indent."""
        indent, rest = first, " " * display_width(first) if rest is None else rest
        line, empty = indent, True
        for word in harmless(text, self.color).split():
            if not empty and display_width(line) + 1 + display_width(word) > self.width:
                yield line
                line, empty = rest, True
            line += word if empty else f" {word}"
            empty = False
        yield line


def harmless(text: str, color: bool) -> str:
    """A text of ours with what others wrote in it made visible; our own colours, where there are any, stay."""
    from dsl.visible import visible

    if text.isascii() and text.isprintable():
        return visible(text)
    pieces, colors = (_COLORS.split(text), _COLORS.findall(text)) if color else ([text], [])
    shown = (visible(" ".join(piece.split("\n"))) for piece in pieces)
    return "".join(piece + color for piece, color in zip(shown, [*colors, ""], strict=True))


def display_width(text: str) -> int:
    """The columns that a text takes in a terminal; colours take none."""
    if "\x1b" in text:
        text = _COLORS.sub("", text)
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _width(stream: TextIO, env: Mapping[str, str]) -> int:
    told = env.get("COLUMNS", "")
    if told.isdigit() and int(told) > 0:
        return max(int(told), 20)
    try:
        return max(os.get_terminal_size(stream.fileno()).columns, 20)
    except (OSError, ValueError):
        return PIPE_WIDTH


def _colored(stream: TextIO, color: str, env: Mapping[str, str]) -> bool:
    if color in ("always", "never"):
        return color == "always"
    if env.get("NO_COLOR"):
        return False
    if env.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return env.get("TERM") != "dumb" and stream.isatty()
