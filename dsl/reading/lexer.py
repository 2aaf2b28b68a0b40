"""A forgiving reading of `.threat` text: enough to colour it and to edit one field, even while it is broken.

The parser is another: nothing here decides what a text means.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

KEYWORDS = frozenset({"scenario", "sweep", "expect", "step", "log"})
VERDICTS = frozenset({"feasible", "impossible", "unknown"})
ALIASES = {"φ": "phi"}
AT_MOST = ("<=", "=<", "≤")
RELATIONS = ("=", "==", "<", ">", ">=", "=>", "≥", *AT_MOST)

_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
      | (?P<string>"(?:[^"\\\n]|\\.)*"?)
      | (?P<number>\d[\d_]*(?:\.(?!\.)\d*)?(?:[eE][+-]?\d+)?%?)
      | (?P<word>[^\W\d]\w*²?)
      | (?P<newline>\n)
      | (?P<operator><=|=<|>=|=>|==|\.\.|\*\*|[…≤≥=<>+\-−*×·/÷^,:;(){}\[\]])""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A lexeme and where it stands; `kind` is a group of the token pattern."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """`field = value` (or `<=`), or a sweep of a field; offsets into the text."""

    field: str
    start: int
    operator_end: int
    value_start: int
    end: int
    sweep: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """One scenario: its name, where it begins, the offset after `{`, the offset of `}` and the statements between."""

    name: str
    start: int
    opened: int
    closed: int
    statements: tuple[Statement, ...]


def tokens(text: str) -> Iterator[Token]:
    """The lexemes of `text`; what is no lexeme is skipped."""
    for match in _TOKEN.finditer(text):
        yield Token(match.lastgroup or "", match.group(), match.start(), match.end())


def blocks(text: str) -> list[Block]:
    """The scenarios of `text`, as far as their braces match."""
    found: list[Block] = []
    stream = [token for token in tokens(text) if token.kind != "comment"]
    at = 0
    while at < len(stream):
        if stream[at].text == "scenario" and at + 1 < len(stream) and stream[at + 1].kind == "word":
            at, block = _block(stream, at)
            if block:
                found.append(block)
        else:
            at += 1
    return found


def _block(stream: list[Token], at: int) -> tuple[int, Block | None]:
    """Read the block whose `scenario` stands at `at`; also where to go on."""
    name, start = stream[at + 1].text, stream[at].start
    at += 2
    while at < len(stream) and stream[at].text not in ("{", "scenario"):
        at += 1
    if at == len(stream) or stream[at].text == "scenario":
        return at, None
    first = at + 1
    last = first
    while last < len(stream) and stream[last].text not in ("}", "scenario"):
        last += 1
    closed = stream[last].start if last < len(stream) else stream[-1].end
    body = stream[first:last]
    return last, Block(name, start, stream[at].end, closed, tuple(_statements(body)))


def _statements(body: list[Token]) -> Iterator[Statement]:
    line: list[Token] = []
    depth = 0
    for token in [*body, Token("newline", "\n", 0, 0)]:
        depth += (token.text == "(") - (token.text == ")")
        if token.text == ";" or (token.kind == "newline" and depth <= 0):
            statement = _statement(line)
            if statement:
                yield statement
            line = []
        elif token.kind != "newline":
            line.append(token)


def _statement(line: list[Token]) -> Statement | None:
    sweep = len(line) > 1 and line[0].text == "sweep"
    words = line[1:] if sweep else line
    if len(words) < 2 or words[0].kind != "word" or words[1].text not in ("=", *AT_MOST):
        return None
    field = ALIASES.get(words[0].text, words[0].text)
    value = words[2].start if len(words) > 2 else words[1].end
    return Statement(field, line[0].start, words[1].end, value, line[-1].end, sweep)


# -- colours -----------------------------------------------------------------------------------------


def colours(text: str) -> list[Token]:
    """The lexemes to colour; a word's kind tells keyword, field, verdict, name, call and value apart."""
    coloured: list[Token] = []
    stream = list(tokens(text))
    for index, token in enumerate(stream):
        if token.kind == "word":
            before = stream[index - 1].text if index else "\n"
            after = stream[index + 1].text if index + 1 < len(stream) else "\n"
            token = Token(_word(token.text, before, after), token.text, token.start, token.end)
        if token.kind != "newline":
            coloured.append(token)
    return coloured


def _word(word: str, before: str, after: str) -> str:
    if before in ("scenario", ":"):
        return "name"
    if word in KEYWORDS:
        return "keyword"
    if after in RELATIONS:
        return "field"
    if word in VERDICTS:
        return "verdict"
    return "call" if after == "(" else "value"


class Lines:
    """Offsets of a text as (row, column) pairs, counted from zero."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        """The row and column of `offset`."""
        row = bisect_right(self._starts, offset) - 1
        return row, offset - self._starts[row]
