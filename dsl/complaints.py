"""What to say about a token that cannot stand where it does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dsl.suggest import nearest
from dsl.visible import called

if TYPE_CHECKING:
    from dsl.parser import Token, _Parser

Complaint = tuple[str, str, "Token", str | None]

# Kinds of token, as a person would call them, in the order in which they are offered.
FRIENDLY: Final = {
    "SCENARIO": "`scenario`",
    "NUMBER": "a value",
    "NAME": "a name",
    "COLON": "`:`",
    "LBRACE": "`{`",
    "LPAR": "`(`",
    "EQ": "`=` or `<=`",
    "COMMA": "`,`",
    "RBRACKET": "`]`",
    "RPAR": "`)`",
    "NL": "the end of the line",
    "RBRACE": "`}`",
}
# Not worth offering beside others: they could continue almost anything.
QUIET: Final = {
    "RBRACE": ("NL",),
    "NAME": ("NUMBER",),
    "LPAR": ("NUMBER",),
    "COLON": ("LBRACE",),
    "NL": ("LBRACE", "SCENARIO"),
}
MINUSES: Final = "\u2010\u2011\u2012\u2013\u2014\u2212"  # hyphens, dashes and the minus sign
CHARACTER_HINTS: Final = {
    "'": 'a string stands between double quotes: "…"',
    "“": 'a string stands between straight quotes: "…"',
    "”": 'a string stands between straight quotes: "…"',
    "$": None,
    "&": "one field a line, or `;` between them",
    "|": "one field a line, or `;` between them",
    "!": "there is no `!=`: an expectation is `==`, `<=`, `>=`, `<` or `>`",
    ".": "a range is written `2..6`, a decimal `0.5`",
    "\\": "a statement stands on one line",
}


def complaint(parser: _Parser, kind: str, token: Token) -> Complaint:
    """Code, message, place and hint for a token of this kind in the parser's present state."""
    text, start, end = token
    if kind == "JUNK":
        return "T010", f"unexpected character {_character(text)}", token, CHARACTER_HINTS.get(text)
    if kind == "BAD_NUMBER":
        return "T014", f"`{_short(text)}` is not a number", token, _number_hint(text, parser.source.text[end : end + 1])
    if kind == "BAD_STRING":
        return (
            "T013",
            "the string is not closed",
            (text, start, start + 1),
            'put `"` at its end, on the same line',
        )
    if kind == "RBRACE" and not parser.inside:
        return "T015", "this `}` closes nothing", token, "remove it, or look for a `}` too many above"
    found = _found(kind, text)
    expected = expectation(parser)
    return "T011", f"expected {expected}, found {found}", _where(kind, token), _hint(parser, kind, text)


def expectation(parser: _Parser) -> str:
    """What could stand here, in words."""
    kinds = [kind for kind in FRIENDLY if parser.accepts(kind)]
    kept = [FRIENDLY[kind] for kind in kinds if not any(louder in kinds for louder in QUIET.get(kind, ()))]
    if parser.accepts("EXPECT"):
        kept = ["a field, `sweep`, `expect` or `}`"]
    if not kept:
        return "something else"
    return kept[0] if len(kept) == 1 else f"{', '.join(kept[:-1])} or {kept[-1]}"


def _found(kind: str, text: str) -> str:
    names = {"NL": "the end of the line", "END": "the end of the file"}
    if kind in ("SCENARIO", "SWEEP", "EXPECT"):
        return f"the keyword `{text}`"
    return names.get(kind) or f"`{_short(text)}`"


def _where(kind: str, token: Token) -> Token:
    """A line end is pointed at as one place, not as all the blank lines it spans."""
    text, start, _ = token
    return (text, start, start) if kind in ("NL", "END") else token


def _hint(parser: _Parser, kind: str, text: str) -> str | None:
    if parser.last == "NUMBER" and (kind == "NUMBER" or (kind == "COMMA" and parser.accepts("NL"))):
        return "digits are grouped with `_`: `25_000`"
    if kind == "MINUS" and parser.accepts("LBRACE"):
        return "a name holds letters, digits and `_`"
    if kind == "COLON" and parser.accepts("EQ"):
        return "a field is set with `=`"
    if kind == "NAME" and parser.last == "NAME" and parser.accepts("LBRACE"):
        return 'a title stands between quotes: "…"'
    if kind == "NL" and parser.accepts("NUMBER"):
        return "a statement stands on one line"
    if kind == "RPAR":
        return "no `(` is open"
    if parser.accepts("SCENARIO") and (found := nearest(text, ["scenario"])):
        return found
    if parser.accepts("SCENARIO"):
        return "a file holds scenarios: `scenario name { N = 25_000 }`"
    if parser.accepts("RPAR") and not parser.accepts("NL"):
        return "a `(` is still open"
    return None


def _number_hint(text: str, after: str) -> str:
    if text[-1] in "eE" and after and after in MINUSES:
        return f"`{after}` is {called(after)}: in an exponent use `-`, as in `1e-5`"
    suffix = {"k": "_000", "K": "_000", "M": "_000_000", "m": "_000_000"}
    if text[:-1].isdigit() and text[-1] in suffix:
        return f"write `{text[:-1]}{suffix[text[-1]]}`"
    return "numbers look like `25_000`, `0.5`, `1e-5`, `1/8`, `2^64` or `95%`"


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _character(text: str) -> str:
    label = called(text)
    if not text.isprintable():
        return label
    return f"`{text}`" if text.isascii() else f"`{text}`, {label}"
