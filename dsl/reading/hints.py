"""What may have been meant by a token that cannot stand where it does."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from lark import Token

from dsl.reading.suggest import nearest

BESIDE: Final = "one field a line, or `;` between them"
VERDICT: Final = "a verdict stands alone: `expect impossible`, `expect feasible` or `expect unknown`"
ONE_VALUE: Final = (
    "scores that come back together are `several(accuracy, f1)`; a list is swept: `sweep decimals = [2, 4]`"
)
_BEFORE: Final = re.compile(r"[^\n;{}]*\Z")  # what stands in the same statement
_RELATION: Final = re.compile(r"\s*[=<>≤≥]")


class Situation(NamedTuple):
    """Where reading stands when a token turns out to be wrong."""

    accepts: set[str]  # kinds of token that could stand there
    last: str  # kind of the token before
    inside: bool  # whether a scenario's brace is open
    text: str

    def before(self, token: Token) -> str:
        """What stands before a token in its statement."""
        found = _BEFORE.search(self.text, 0, token.start_pos or 0)
        return found[0].strip() if found else ""

    def begins(self, token: Token) -> bool:
        """Whether the token begins another statement, by what follows it."""
        keyword = token.type in ("SWEEP", "EXPECT")
        return keyword or (token.type == "NAME" and bool(_RELATION.match(self.text, token.end_pos or 0)))


def hint(here: Situation, token: Token) -> str | None:
    """What to write instead, where that can be guessed."""
    return _in_statement(here, token) or _elsewhere(here, token)


def _in_statement(here: Situation, token: Token) -> str | None:
    """Of a token behind a value or a field's name."""
    accepts, kind, text = here.accepts, token.type, token.value
    if here.last == "NUMBER" and (kind == "NUMBER" or (kind == "COMMA" and "NL" in accepts)):
        return "digits are grouped with `_`: `25_000`"
    if "NL" in accepts and (kind == "COMMA" or (kind == "NAME" and text in ("and", "or") and here.last == "NAME")):
        return ONE_VALUE
    if here.inside and "NL" in accepts and here.begins(token):
        return BESIDE
    if kind in ("NAME", "STRING") and here.last in ("NUMBER", "PERCENT") and "NL" in accepts:
        return _units(here.before(token))
    if "EQ" in accepts and here.last == "NAME":
        return _unset(here.before(token), kind, text)
    return None


def _units(statement: str) -> str:
    budget = statement.removeprefix("expect ").startswith("queries")
    example = "; five submissions a day for sixty days are `queries <= 5*60`" if budget else f": `{statement}`"
    return f"numbers have no units{example}"


def _unset(statement: str, kind: str, text: str) -> str | None:
    """Of a field without its sign, and of a verdict with a word before it."""
    if kind == "NAME" and statement.startswith("expect"):
        return VERDICT
    if statement.startswith("sweep ") and kind in ("NUMBER", "NAME", "LBRACKET"):
        return f"write `{statement} = …`: values between commas, or a range such as `2..6`"
    if kind in ("NUMBER", "NAME"):
        sign = "<=" if statement.endswith("queries") or statement.startswith("expect") else "="
        return f"write `{statement} {sign} {text}`"
    return "a field is set with `=`" if kind == "COLON" else None


def _elsewhere(here: Situation, token: Token) -> str | None:
    """Of a token anywhere else."""
    accepts, kind, text = here.accepts, token.type, token.value
    if kind == "MINUS" and "LBRACE" in accepts:
        return "a name holds letters, digits and `_`"
    if kind == "NAME" and here.last == "NAME" and "LBRACE" in accepts:
        return 'a title stands between quotes: "…"'
    if kind == "NL" and "NUMBER" in accepts:
        return "a statement stands on one line"
    if kind == "LBRACKET" and "NUMBER" in accepts:
        listed = "a list holds whole values: `sweep noise = [gaussian(0.01), gaussian(0.1)]`"
        return listed if here.last == "LPAR" else ONE_VALUE
    if kind == "RPAR":
        return "no `(` is open"
    if "SCENARIO" in accepts:
        return nearest(text, ["scenario"]) or "a file holds scenarios: `scenario name { N = 25_000 }`"
    if "RPAR" in accepts and "NL" not in accepts:
        return "a `(` is still open"
    return None
