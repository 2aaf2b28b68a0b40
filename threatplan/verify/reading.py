"""Reports as untrusted text: bounded before anything is computed, and read field by field."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

SCHEMA = 2
MOST_CHARACTERS = 64 * 2**20  # of a report
MOST_NESTED = 64
MOST_DIGITS = 1000  # of a decimal number
MOST_HEX = 2**18  # hexadecimal digits of a number
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_BRACKET = re.compile(r"[\[\]{}]")
_WHOLE = re.compile(r"-?(?:0x[0-9a-f]+|[0-9]+)\Z")


class Unreadable(ValueError):  # noqa: N818 - what a reader finds, not what it does
    """The text is no report that this checker can read."""


Data = Mapping[str, Any]


def reports(text: str) -> list[dict[str, Any]]:
    """The entries of a document of reports."""
    if len(text) > MOST_CHARACTERS:
        raise Unreadable(f"more than {MOST_CHARACTERS:,} characters")
    _shallow(text)
    try:
        document = json.loads(text, parse_int=_integer, parse_float=_float, parse_constant=_constant)
    except (json.JSONDecodeError, RecursionError) as error:
        raise Unreadable(f"no JSON: {error}") from None
    if not isinstance(document, dict) or "scenarios" not in document:
        raise Unreadable("no report: `plan FILE --format json` writes one")
    if document.get("schema") != SCHEMA:
        raise Unreadable(f"schema {document.get('schema')!r}, and this checker reads schema {SCHEMA}")
    entries = document["scenarios"]
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise Unreadable("`scenarios` is no list of reports")
    return entries


def _shallow(text: str) -> None:
    """Refuse deep nesting before the parser recurses into it."""
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MOST_NESTED:
            raise Unreadable(f"nested more than {MOST_NESTED} deep")


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise Unreadable(f"a number of {len(digits):,} digits")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits) if len(digits) <= MOST_DIGITS else float("inf")
    if value in (float("inf"), float("-inf")):
        raise Unreadable("a number beyond all bounds")
    return value


def _constant(name: str) -> float:
    raise Unreadable(f"{name} is no number")


# -- fields --------------------------------------------------------------------------------------------


def field(data: Data, name: str) -> Any:
    """A field that must be there."""
    if not isinstance(data, Mapping):
        raise Unreadable(f"`{name}` is wanted of what is no record")
    if name not in data:
        raise Unreadable(f"`{name}` is missing")
    return data[name]


def only(data: Data, *names: str) -> None:
    """Refuse a record with other fields: what is not known cannot be checked."""
    if not isinstance(data, Mapping):
        raise Unreadable("a record is wanted")
    missing, further = set(names) - set(data), set(data) - set(names)
    if missing or further:
        what = f"`{min(missing)}` is missing" if missing else f"`{min(further)}` is unknown to this checker"
        raise Unreadable(what)


def record(data: Data, name: str) -> dict[str, Any]:
    """A record within a record."""
    value = field(data, name)
    if not isinstance(value, dict):
        raise Unreadable(f"`{name}` is no record")
    return value


def items(data: Data, name: str) -> list[Any]:
    """A list."""
    value = field(data, name)
    if not isinstance(value, list):
        raise Unreadable(f"`{name}` is no list")
    return value


def text_of(data: Data, name: str) -> str:
    """A string."""
    value = field(data, name)
    if not isinstance(value, str):
        raise Unreadable(f"`{name}` is no text")
    return value


def truth(data: Data, name: str) -> bool:
    """Yes or no."""
    value = field(data, name)
    if not isinstance(value, bool):
        raise Unreadable(f"`{name}` is neither true nor false")
    return value


def whole(data: Data, name: str, least: int = 0) -> int:
    """An integer, from `least` on; long ones are written in hexadecimal."""
    value = field(data, name)
    if isinstance(value, str):
        value = integer_text(value, name)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise Unreadable(f"`{name}` is no integer of at least {least}")
    return value


def integer_text(text: str, name: str) -> int:
    """An integer that is written in decimal or hexadecimal."""
    if not _WHOLE.match(text) or len(text) > MOST_HEX or ("x" not in text and len(text) > MOST_DIGITS):
        raise Unreadable(f"`{name}` is no integer of bounded length")
    return int(text, 0) if "x" in text else int(text)


def fraction(value: Any, name: str) -> Fraction:
    """A rational: "1/3", or {"fraction": "0x1/0x3"}."""
    if isinstance(value, dict) and set(value) == {"fraction"}:
        value = value["fraction"]
    if not isinstance(value, str):
        raise Unreadable(f"`{name}` is no rational number")
    top, _, bottom = value.partition("/")
    denominator = integer_text(bottom, name) if bottom else 1
    if denominator <= 0:
        raise Unreadable(f"`{name}` is no rational number")
    return Fraction(integer_text(top, name), denominator)


def rational(data: Data, name: str) -> Fraction:
    """A rational field."""
    return fraction(field(data, name), name)
