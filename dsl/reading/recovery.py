"""How reading goes on after a fault, in yacc's way, on top of Lark's interactive parser.

A statement that cannot be read costs one diagnostic and itself; reading goes on at the next one.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from lark import Token, UnexpectedToken

from dsl.reading.language import END, language

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic
    from dsl.reading.syntax import Block
    from dsl.reading.text import Source

MAX_STACK = 250  # bounds nesting, and with it every recursion over a tree
BRACE, BODY = 3, 4  # where an open scenario has them on the stack, after the file, the keyword and the header


class Skipped(Enum):
    """What the rest of is being passed over."""

    STATEMENT = "statement"
    HEADER = "header"
    FILE = "file"


class Recovery:
    """Lark's parser in the middle of a text, and what was wrong with it so far."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lark = language().parse_interactive(source.text)
        self.state = self.lark.parser_state
        self.faults: list[Diagnostic] = []
        self.skipping: Skipped | None = None
        self.depth = 0  # braces opened while skipping
        self.marks = 0  # commas and semicolons in the line
        self.torn = -1  # end of a line end that came too early
        self.last = "NL"  # kind of the token before

    # -- where the parser stands ---------------------------------------------------------------------

    def feed(self, token: Token) -> bool:
        """Give the parser a token; False if none can stand here, or if the stack grows too high."""
        try:
            self.state.feed_token(token, token.type == END)
        except UnexpectedToken:
            return False
        return len(self.state.state_stack) <= MAX_STACK

    def accepts(self) -> set[str]:
        """The kinds of token that could stand here."""
        return set(self.lark.accepts())  # type: ignore[no-untyped-call]

    def blocks(self) -> list[Block]:
        """The scenarios read so far."""
        return self.state.value_stack[0] if self.state.value_stack else []

    def brace(self) -> Token | None:
        """The brace of the scenario that is open."""
        found = self.state.value_stack[BRACE] if len(self.state.value_stack) > BRACE else None
        return found if isinstance(found, Token) and found.type == "LBRACE" else None

    def statements(self) -> int:
        """How many statements of the open scenario were read."""
        body = self.state.value_stack[BODY] if self.brace() and len(self.state.value_stack) > BODY else None
        return len(body) if isinstance(body, list) else 0

    # -- a token that was not read -------------------------------------------------------------------

    def stumble(self, token: Token, long: bool) -> None:
        """Deal with a token that was not read: it is to be passed over, or it is wrong."""
        if self.skipping:
            if self._resumes(token.type) and not self.feed(token):
                self._repair(token)
        elif long or len(self.state.state_stack) > MAX_STACK:
            self._fault("T005", "this is too long or nested too deeply", token, "split it up")
            self._abandon(token)
        else:
            self._repair(token)

    def _fault(self, code: str, message: str, token: Token, hint: str | None) -> None:
        start, end = token.start_pos, token.end_pos
        assert start is not None
        assert end is not None
        self.faults.append(self.source.diagnostic(code, message, start, end, hint))

    def _repair(self, token: Token) -> None:
        """Say what is wrong with a token, then put in what is missing or give up the statement."""
        accepted = self.accepts()
        if self._starts_block(token.type) and "RBRACE" in accepted:
            self._close()
        elif self.last == "NL" and "LBRACE" in accepted and token.type not in ("SCENARIO", END):
            self._fault("T015", "the scenario's `{` is missing", token, "put `{` before its first field")
            self.feed(placed_token("LBRACE", "{", token.start_pos, token.start_pos))
        else:
            if not self._continues(token):
                self._complain(token, accepted)
            self.torn = (token.end_pos or 0) if token.type == "NL" else -1
            self._abandon(token)
            if not self._resumes(token.type):
                return
        if not self.feed(token):
            self._repair(token)

    def _complain(self, token: Token, accepted: set[str]) -> None:
        from dsl.reading.complaints import complaint  # most files give no cause for one
        from dsl.reading.hints import Situation

        here = Situation(accepted, self.last, self.brace() is not None, self.source.text)
        self._fault(*complaint(here, token))

    def _continues(self, token: Token) -> bool:
        """Whether a token goes on with a statement that was torn by the end of the line before."""
        return self.torn >= 0 and not self.source.text[self.torn : token.start_pos].strip(" \t")

    def _close(self) -> None:
        """Complain about a scenario that is still open, and close it."""
        brace = self.brace()
        assert brace is not None
        self._fault("T015", "this `{` is never closed", brace, "the scenario needs a `}` at its end")
        self.feed(placed_token("RBRACE", "}", brace.end_pos, brace.end_pos))

    def _abandon(self, token: Token) -> None:
        """Put an ERROR in place of what is being read, and pass over the rest of it."""
        begun: object = token
        while "ERROR" not in self.lark.choices():  # type: ignore[no-untyped-call]
            self.state.state_stack.pop()
            begun = self.state.value_stack.pop()
        word = begun.value if isinstance(begun, Token) else ""
        self.feed(placed_token("ERROR", word, token.start_pos, token.end_pos))
        self.depth = 0
        accepted = self.accepts()
        statement = Skipped.STATEMENT if "RBRACE" in accepted else None
        self.skipping = statement or (Skipped.HEADER if "LBRACE" in accepted else Skipped.FILE)

    # -- where reading goes on -----------------------------------------------------------------------

    def _starts_block(self, kind: str) -> bool:
        """Whether a token of this kind begins a scenario, or ends the text: nothing is read over it."""
        return kind == END or (kind == "SCENARIO" and self.last == "NL")

    def _resumes(self, kind: str) -> bool:
        """Whether reading goes on with a token of this kind."""
        if self._starts_block(kind):
            self._leave()
            return True
        if self.skipping is Skipped.STATEMENT:
            resumes = kind in ("NL", "SEMICOLON", "RBRACE") and not self.depth
            self.depth += (kind == "LBRACE") - (kind == "RBRACE" and self.depth > 0)
        else:
            resumes = self.skipping is Skipped.HEADER and kind == "LBRACE"
        if resumes:
            self.skipping = None
        return resumes

    def _leave(self) -> None:
        """Stop passing over: the text ends here, or the next scenario begins."""
        if self.skipping is Skipped.HEADER:  # all of a scenario that there is
            del self.state.state_stack[2:], self.state.value_stack[1:]
            self.feed(placed_token("ERROR", "", 0, 0))
        self.skipping = None


def placed_token(kind: str, text: str, start: int | None, end: int | None) -> Token:
    """A token that stands from `start` up to `end`."""
    return Token(kind, text, start_pos=start, end_pos=end)
