"""Tokens to syntax tree: an LALR automaton over the tables that Lark made, with yacc's way of recovering.

A statement that cannot be read costs one diagnostic and itself; reading goes on at the next one.
"""

from __future__ import annotations

from typing import Any, Final

from dsl.actions import ACTIONS
from dsl.complaints import complaint
from dsl.diagnostics import Diagnostic
from dsl.lexer import KEYWORDS, TOKEN
from dsl.syntax import Block
from dsl.tables import END, RULES, STATES
from dsl.text import Source

MAX_FAULTS = 100  # past this many unreadable statements a file is not worth reading on
MAX_STACK = 250  # bounds nesting, and with it every recursion over a tree
MAX_TOKENS = 250  # of one value
RESETS: Final = frozenset({"NL", "SEMICOLON", "COMMA"})

Token = tuple[str, int, int]
_STEPS: Final = [(made, size, ACTIONS[action]) for made, size, action in RULES]


def parse(source: Source) -> tuple[list[Block], list[Diagnostic]]:
    """Every scenario of the text that could be read, and what is wrong with the rest."""
    parser = _Parser(source)
    text, count = source.text, 0
    for match in TOKEN.finditer(text):
        kind = match.lastgroup or ""
        start, end = match.span(kind)
        word = text[start:end]
        if kind == "NAME":
            kind = KEYWORDS.get(word, kind)
        elif kind in RESETS:
            count = 0
        count += 1
        parser.take(kind, (word, start, end), count)
        if kind == "END" or len(parser.faults) >= MAX_FAULTS:
            break
    return parser.blocks(), parser.faults


class _Parser:
    """The automaton's stacks, and what it has complained about."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.states = [0]
        self.values: list[Any] = []
        self.faults: list[Diagnostic] = []
        self.skipping: str | None = (
            None  # "statement", "header" or "file" while the rest of one is passed over
        )
        self.depth = 0  # braces opened while skipping
        self.last = "NL"  # kind of the token before
        self.brace: Token | None = None  # the brace that is still open

    def take(self, kind: str, token: Token, count: int) -> None:
        """Read one token."""
        if self.skipping and not self._resumes(kind):
            self.last = kind
            return
        if count > MAX_TOKENS or len(self.states) > MAX_STACK:
            if kind not in ("END", "RBRACE"):
                self._fault("T005", "this value is too long or nested too deeply", token, "split it up")
                self._abandon(token)
        elif not self.feed(kind, token):
            self._repair(kind, token)
        self.last = kind

    def feed(self, kind: str, token: Token) -> bool:
        """Give the automaton a token; False, and nothing shifted, if none can stand here."""
        states, values = self.states, self.values
        while not (kind == "END" and states[-1] == END):
            move = STATES[states[-1]].get(kind if kind != "END" else "$END")
            if move is None:
                return False
            if move >= 0:
                states.append(move)
                values.append(token)
                break
            made, size, action = _STEPS[~move]
            if size:
                parts = values[-size:]
                del states[-size:], values[-size:]
            else:
                parts = []
            states.append(STATES[states[-1]][made])
            values.append(action(parts))
        if kind == "LBRACE":
            self.brace = token
        elif kind == "RBRACE":
            self.brace = None
        return True

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
            made, size, _ = _STEPS[~move]
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
            self._fault(*complaint(self, kind, token))
            self._abandon(token)
            if self.skipping == "statement" and kind == "LBRACE":
                self.depth = 1
            if not self._resumes(kind):
                return
        if not self.feed(kind, token):
            self._repair(kind, token)

    def _close(self) -> None:
        """Complain about a scenario that is still open, and close it."""
        brace = self.brace or ("{", 0, 1)
        self._fault("T015", "this `{` is never closed", brace, "the scenario needs a `}` at its end")
        self.feed("RBRACE", ("}", brace[2], brace[2]))

    def _abandon(self, token: Token) -> None:
        """Put an ERROR in place of what is being read, and pass over the rest of it."""
        begun: Token = token
        while not self.accepts("ERROR"):
            self.states.pop()
            value = self.values.pop()
            begun = (value[0] if isinstance(value[0], str) else "", token[1], token[2])
        self.feed("ERROR", begun)
        self.depth = 0
        self.skipping = (
            "statement" if self.accepts("RBRACE") else "header" if self.accepts("LBRACE") else "file"
        )

    def _resumes(self, kind: str) -> bool:
        """Whether reading goes on with a token of this kind."""
        if kind == "END" or (kind == "SCENARIO" and self.last == "NL"):
            self._leave()
            return True
        if self.skipping == "statement":
            self.depth += (kind == "LBRACE") - (kind == "RBRACE" and self.depth > 0)
            resumes = kind in ("NL", "SEMICOLON") or (kind == "RBRACE" and not self.depth)
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
