"""What each rule of the grammar makes of its parts; the table is indexed by the rule's alias."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from dsl.syntax import (
    Binary,
    Block,
    Broken,
    Call,
    ExpectStatement,
    FieldStatement,
    Name,
    Negative,
    Number,
    Percent,
    Range,
    Relation,
    SweepStatement,
    Text,
)

# A token is a plain (text, start, end): most are only looked at by the rule that takes them.
Parts = list[Any]
SPELLINGS: Final = {"≤": "<=", "≥": ">=", "−": "-", "×": "*", "·": "*", "÷": "/", "**": "^"}
ESCAPES: Final = {"n": "\n", "t": "\t"}


def _add(parts: Parts) -> Any:
    parts[0].append(parts[1])
    return parts[0]


def _add_third(parts: Parts) -> Any:
    parts[0].append(parts[2])
    return parts[0]


def _add_statement(parts: Parts) -> Any:
    if parts[2] is not None:
        parts[0].append(parts[2])
    return parts[0]


def _text(parts: Parts) -> Text:
    text, start, end = parts[0]
    inner = text[1:-1]
    if "\\" in inner:
        inner = re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), inner)
    return Text(inner, start, end)


def _relation(parts: Parts) -> Relation:
    text, start, end = parts[0]
    return Relation(SPELLINGS.get(text, text), start, end)


def _binary(parts: Parts) -> Binary:
    left, (operator, _, _), right = parts
    return Binary(SPELLINGS.get(operator, operator), left, right, left.start, right.end)


def _group(parts: Parts) -> Any:
    """What stands between parentheses, which count as part of its place."""
    opening, inner, closing = parts
    return inner._replace(start=opening[1], end=closing[2])


def _call(parts: Parts) -> Call:
    name = Name(*parts[0])
    arguments = tuple(parts[2]) if len(parts) == 4 else ()
    return Call(name, arguments, name.start, parts[-1][2])


def _range(parts: Parts) -> Range:
    return Range(parts[0], parts[2], None, None, parts[0].start, parts[2].end)


def _spaced_range(parts: Parts) -> Range:
    first, _, last, spacing, amount = parts
    return Range(first, last, Name(*spacing), amount, first.start, amount.end)


def _field(parts: Parts) -> FieldStatement:
    name, relation, value = parts
    return FieldStatement(Name(*name), relation, value, name[1], value.end)


def _sweep(parts: Parts) -> SweepStatement:
    values = tuple(parts[3])
    return SweepStatement(Name(*parts[1]), parts[2], values, parts[0][1], values[-1].end)


def _sweep_list(parts: Parts) -> SweepStatement:
    return SweepStatement(Name(*parts[1]), parts[2], tuple(parts[4]), parts[0][1], parts[5][2])


def _verdict(parts: Parts) -> ExpectStatement:
    return ExpectStatement(Name(*parts[1]), None, None, parts[0][1], parts[1][2])


def _measure(parts: Parts) -> ExpectStatement:
    return ExpectStatement(Name(*parts[1]), parts[2], parts[3], parts[0][1], parts[3].end)


def _header(parts: Parts) -> tuple[Name, Name | None, Text | None]:
    return Name(*parts[0]), Name(*parts[1]) if parts[1] else None, parts[2]


def _scenario(parts: Parts) -> Block:
    keyword, header, brace, body, closing = parts
    name, parent, title = header
    return Block(name, parent, title, tuple(body), brace[1], keyword[1], closing[2])


ACTIONS: Final[dict[str, Callable[[Parts], Any]]] = {
    "no_items": lambda parts: [],
    "nothing": lambda parts: None,
    "same": lambda parts: parts[0],
    "first": lambda parts: parts[0],
    "second": lambda parts: parts[1],
    "one": lambda parts: [parts[0]],
    "add": _add,
    "add_third": _add_third,
    "body": lambda parts: [] if parts[0] is None else [parts[0]],
    "add_statement": _add_statement,
    "number": lambda parts: Number(*parts[0]),
    "name": lambda parts: Name(*parts[0]),
    "text": _text,
    "group": _group,
    "relation": _relation,
    "binary": _binary,
    "negative": lambda parts: Negative(parts[1], parts[0][1], parts[1].end),
    "percent": lambda parts: Percent(parts[0], parts[0].start, parts[1][2]),
    "call": _call,
    "range": _range,
    "spaced_range": _spaced_range,
    "field": _field,
    "sweep": _sweep,
    "sweep_list": _sweep_list,
    "verdict": _verdict,
    "measure": _measure,
    "broken": lambda parts: Broken(*parts[0]),
    "header": _header,
    "no_header": lambda parts: (None, None, None),
    "scenario": _scenario,
}
