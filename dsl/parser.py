"""Tokens to syntax tree: an LALR automaton over the tables that Lark made, with yacc's way of recovering.

A statement that cannot be read costs one diagnostic and itself; reading goes on at the next one.
"""

from __future__ import annotations

import re
from typing import Any, Final

from dsl.actions import ACTIONS
from dsl.diagnostics import Diagnostic
from dsl.lexer import KEYWORDS, TOKEN
from dsl.syntax import Block
from dsl.tables import END, RULES, STATES
from dsl.text import Source

MAX_FAULTS = 100  # past this many unreadable statements a file is not worth reading on
MAX_STATEMENTS = 1000  # of one scenario
MAX_MARKS = 10_000  # commas and semicolons of one line
MAX_STACK = 250  # bounds nesting, and with it every recursion over a tree
MAX_TOKENS = 250  # of one value
BRACE, BODY = 3, 4  # where an open scenario has them on the stack, after the file, the keyword and the header
BLOCK: Final = re.compile(r"^[ \t]*scenario\b", re.MULTILINE)
RESETS: Final = frozenset({"NL", "SEMICOLON", "COMMA"})

Token = tuple[str, int, int]
# (what a rule makes, how many parts it takes, its action); no action where it hands on its only part.
_STEPS: Final = [
    (made, size, None if action == "first" and size == 1 else ACTIONS[action]) for made, size, action in RULES
]


def parse(source: Source) -> tuple[list[Block], list[Diagnostic]]:
    """Every scenario of the text that could be read, and what is wrong with the rest."""
    parser = _Parser(source)
    at: int | None = 0
    while at is not None:
        at = _read(parser, source.text, at)
    return parser.blocks(), parser.faults


def _read(parser: _Parser, text: str, at: int) -> int | None:
    """Read on from `at`; where to read on after a jump, or None at the end."""
    keyword, count = KEYWORDS.get, 0
    for match in TOKEN.finditer(text, at):
        kind: str = match.lastgroup  # type: ignore[assignment]
        start, end = match.span(kind)
        word = text[start:end]
        if kind == "NAME":
            kind = keyword(word, kind)
        elif kind in RESETS:
            count = 0 if parser.allows(kind) else MAX_TOKENS
        count += 1
        if parser.skipping or count > MAX_TOKENS or not parser.feed(kind, (word, start, end)):
            parser.stumble(kind, (word, start, end), count > MAX_TOKENS)
            if parser.skipping and (count > MAX_TOKENS or parser.skipping == "file"):
                return parser.jump(end)
        parser.last = kind
        if kind == "END" or len(parser.faults) >= MAX_FAULTS:
            break
    return None


class _Parser:
    """The automaton's stacks, and what it has complained about."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.states = [0]
        self.values: list[Any] = []
        self.faults: list[Diagnostic] = []
        self.skipping: str | None = None  # "statement", "header" or "file" while the rest of one is passed over
        self.depth = 0  # braces opened while skipping
        self.marks = 0  # commas and semicolons in the line
        self.torn = -1  # end of a line end that came too early
        self.last = "NL"  # kind of the token before

    def feed(self, kind: str, token: Token) -> bool:
        """Give the automaton a token; False if none can stand here, or if the stack grows too high."""
        states, values = self.states, self.values
        while True:
            move = STATES[states[-1]].get(kind)
            if move is None:
                return kind == "END" and states[-1] == END
            if move >= 0:
                states.append(move)
                values.append(token)
                return len(states) <= MAX_STACK
            made, size, action = _STEPS[~move]
            if action is None:
                states[-1] = STATES[states[-2]][made]
                continue
            parts = values[-size:] if size else []
            if size:
                del states[-size:], values[-size:]
            states.append(STATES[states[-1]][made])
            values.append(action(parts))

    def stumble(self, kind: str, token: Token, long: bool) -> None:
        """Deal with a token that was not read: it is to be passed over, or it is wrong."""
        if self.skipping:
            if self._resumes(kind) and not self.feed(kind, token):
                self._repair(kind, token)
        elif long or len(self.states) > MAX_STACK:
            self._fault("T005", "this is too long or nested too deeply", token, "split it up")
            self._abandon(token)
        else:
            self._repair(kind, token)

    def allows(self, kind: str) -> bool:
        """Count the marks of a line and the statements of a scenario; False when they are too many."""
        if kind != "NL":
            self.marks += 1
            return self.marks < MAX_MARKS
        self.marks = 0
        body = self.values[BODY] if self.inside and len(self.values) > BODY else None
        return not isinstance(body, list) or len(body) < MAX_STATEMENTS

    def jump(self, at: int) -> int:
        """Where a long stretch that is passed over may end: at the next scenario, or at the end of the line."""
        self.depth = 0
        self.last = "NL"
        if self.skipping == "file":
            found = BLOCK.search(self.source.text, at)
            return found.start() if found else len(self.source.text)
        end = self.source.text.find("\n", at)
        return end if end >= 0 else len(self.source.text)

    @property
    def inside(self) -> bool:
        """Whether a scenario's brace is open."""
        return len(self.values) > BRACE and self.values[BRACE] is not None and self.values[BRACE][0] == "{"

    def blocks(self) -> list[Block]:
        """The scenarios read so far."""
        return self.values[0] if self.values else []

    def accepts(self, kind: str) -> bool:
        """Whether a token of this kind could stand here."""
        states = list(self.states)
        while True:
            move = STATES[states[-1]].get(kind)
            if move is None or move >= 0:
                return move is not None
            made, size = _STEPS[~move][:2]
            del states[len(states) - size :]
            states.append(STATES[states[-1]][made])

    def _fault(self, code: str, message: str, token: Token, hint: str | None) -> None:
        _, start, end = token
        self.faults.append(self.source.diagnostic(code, message, start, end, hint))

    def _repair(self, kind: str, token: Token) -> None:
        """Say what is wrong with a token, then put in what is missing or give up the statement."""
        starts_block = kind == "END" or (kind == "SCENARIO" and self.last == "NL")
        if starts_block and self.accepts("RBRACE"):
            self._close()
        elif self.last == "NL" and self.accepts("LBRACE") and kind not in ("SCENARIO", "END"):
            self._fault("T015", "the scenario's `{` is missing", token, "put `{` before its first field")
            self.feed("LBRACE", ("{", token[1], token[1]))
        else:
            if not self._continues(token):
                from dsl.complaints import complaint  # most files give no cause for one

                self._fault(*complaint(self, kind, token))
            self.torn = token[2] if kind == "NL" else -1
            self._abandon(token)
            if not self._resumes(kind):
                return
        if not self.feed(kind, token):
            self._repair(kind, token)

    def _continues(self, token: Token) -> bool:
        """Whether a token goes on with a statement that was torn by the end of the line before."""
        return self.torn >= 0 and not self.source.text[self.torn : token[1]].strip(" \t")

    def _close(self) -> None:
        """Complain about a scenario that is still open, and close it."""
        brace = self.values[BRACE]
        self._fault("T015", "this `{` is never closed", brace, "the scenario needs a `}` at its end")
        self.feed("RBRACE", ("}", brace[2], brace[2]))

    def _abandon(self, token: Token) -> None:
        """Put an ERROR in place of what is being read, and pass over the rest of it."""
        begun: Token = token
        while not self.accepts("ERROR"):
            self.states.pop()
            value = self.values.pop()
            word = value[0] if isinstance(value, tuple) and isinstance(value[0], str) else ""
            begun = (word, token[1], token[2])
        self.feed("ERROR", begun)
        self.depth = 0
        self.skipping = "statement" if self.accepts("RBRACE") else "header" if self.accepts("LBRACE") else "file"

    def _resumes(self, kind: str) -> bool:
        """Whether reading goes on with a token of this kind."""
        if kind == "END" or (kind == "SCENARIO" and self.last == "NL"):
            self._leave()
            return True
        if self.skipping == "statement":
            resumes = kind in ("NL", "SEMICOLON", "RBRACE") and not self.depth
            self.depth += (kind == "LBRACE") - (kind == "RBRACE" and self.depth > 0)
        else:
            resumes = self.skipping == "header" and kind == "LBRACE"
        if resumes:
            self.skipping = None
        return resumes

    def _leave(self) -> None:
        """Stop passing over: the file ends here, or the next scenario begins."""
        if self.skipping == "header":
            del self.states[2:], self.values[1:]
        self.skipping = None
