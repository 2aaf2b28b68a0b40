"""What to say about a token that cannot stand where it does."""

from __future__ import annotations

from typing import Final

from lark import Token

from dsl.reading.hints import BESIDE, Situation, hint
from dsl.reading.language import END
from dsl.visible import called

Complaint = tuple[str, str, Token, str | None]


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
    "&": BESIDE,
    "|": BESIDE,
    "!": "there is no `!=`: an expectation is `==`, `<=`, `>=`, `<` or `>`",
    ".": "a range is written `2..6`, a decimal `0.5`",
    "\\": "a statement stands on one line",
}


def complaint(here: Situation, token: Token) -> Complaint:
    """Code, message, place and hint for a token that cannot stand here."""
    kind, text = token.type, token.value
    if kind == "JUNK":
        return "T010", f"unexpected character {_character(text)}", token, CHARACTER_HINTS.get(text)
    if kind == "BAD_NUMBER":
        after = here.text[token.end_pos : (token.end_pos or 0) + 1]
        return "T014", f"`{_short(text)}` is not a number", token, _number_hint(text, after)
    if kind == "BAD_STRING":
        return "T013", "the string is not closed", _upto(token, 1), 'put `"` at its end, on the same line'
    if kind == "RBRACE" and not here.inside:
        return "T015", "this `}` closes nothing", token, "remove it, or look for a `}` too many above"
    message = f"expected {_expectation(here.accepts)}, found {_found(kind, text)}"
    # A line end is pointed at as one place, not as all the blank lines it spans.
    return "T011", message, _upto(token, 0) if kind in ("NL", END) else token, hint(here, token)


def _upto(token: Token, size: int) -> Token:
    """The first characters of a token."""
    start = token.start_pos or 0
    return Token(token.type, token.value, start_pos=start, end_pos=start + size)


def _expectation(accepts: set[str]) -> str:
    """What could stand here, in words."""
    kinds = [kind for kind in FRIENDLY if kind in accepts]
    kept = [FRIENDLY[kind] for kind in kinds if not any(louder in kinds for louder in QUIET.get(kind, ()))]
    if "EXPECT" in accepts:
        kept = ["a field, `sweep`, `expect` or `}`"]
    if not kept:
        return "something else"
    return kept[0] if len(kept) == 1 else f"{', '.join(kept[:-1])} or {kept[-1]}"


def _found(kind: str, text: str) -> str:
    names = {"NL": "the end of the line", END: "the end of the file"}
    if kind in ("SCENARIO", "SWEEP", "EXPECT"):
        return f"the keyword `{text}`"
    return names.get(kind) or f"`{_short(text)}`"


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
