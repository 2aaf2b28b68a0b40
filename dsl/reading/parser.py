"""Tokens to syntax tree: Lark's LALR parser, a token at a time, within limits on what one file may ask for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dsl.reading.language import END
from dsl.reading.recovery import Recovery, Skipped, placed_token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Token

    from dsl.diagnostics import Diagnostic
    from dsl.reading.syntax import Block
    from dsl.reading.text import Source

MAX_FAULTS = 100  # past this many unreadable statements a file is not worth reading on
MAX_STATEMENTS = 1000  # of one scenario
MAX_MARKS = 10_000  # commas and semicolons of one line
MAX_TOKENS = 250  # of one value
BLOCK: Final = re.compile(r"^[ \t]*scenario\b", re.MULTILINE)
RESETS: Final = frozenset({"NL", "SEMICOLON", "COMMA"})


def parse(source: Source) -> tuple[list[Block], list[Diagnostic]]:
    """Every scenario of the text that could be read, and what is wrong with the rest."""
    reader = _Reader(source)
    reader.read()
    return reader.blocks(), reader.faults


class _Reader(Recovery):
    """Reads a text to its end, or until too much of it is wrong."""

    def read(self) -> None:
        """Feed the parser; what it does not take is a fault, and what follows one is passed over."""
        count = 0  # tokens of the value that is being read
        for token in self._tokens():
            if token.type in RESETS:
                count = 0 if self._allows(token.type) else MAX_TOKENS
            count += 1
            long = count > MAX_TOKENS
            if self.skipping or long or not self.feed(token):
                self.stumble(token, long)
                if self.skipping and (long or self.skipping is Skipped.FILE):
                    self._jump(token)
                    count = 0
                    continue
            self.last = token.type
            if token.type == END or len(self.faults) >= MAX_FAULTS:
                break

    def _tokens(self) -> Iterator[Token]:
        """The tokens of the text, then its end for as long as it is asked for."""
        end = len(self.source.text)
        while True:
            yield from self.lark.lexer_thread.lex(self.state)  # type: ignore[no-untyped-call]
            yield placed_token(END, "", end, end)

    def _allows(self, kind: str) -> bool:
        """Count the marks of a line and the statements of a scenario; False when they are too many."""
        if kind != "NL":
            self.marks += 1
            return self.marks < MAX_MARKS
        self.marks = 0
        return self.statements() < MAX_STATEMENTS

    def _jump(self, token: Token) -> None:
        """Go on where a long stretch that is passed over may end: at the next scenario, or at the end of the line."""
        text, at = self.source.text, token.end_pos or 0
        if self.skipping is Skipped.FILE:
            found = BLOCK.search(text, at)
            goal = found.start() if found else -1
        else:
            goal = text.find("\n", at)
        lexer = self.lark.lexer_thread.state
        assert lexer is not None
        lexer.line_ctr.char_pos = goal if goal >= 0 else len(text)
        self.depth = 0
        self.last = "NL"
