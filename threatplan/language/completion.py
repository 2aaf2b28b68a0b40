"""What may stand where the cursor is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dsl.checking.fields import FIELDS, KEYWORDS, MEASURES, NAMES, VERDICTS
from dsl.checking.presets import PRESETS

_VALUE = re.compile(r"(?:^|[;{])\s*(?:sweep\s+)?(\w+)\s*(?:=|<=|≤)[^;]*$")
_NAME = re.compile(r"(?:^|[;{])\s*(sweep|expect)\s+\w*$")


class Offer(NamedTuple):
    """A word that would fit, what it is, and what it means."""

    label: str
    kind: str  # "field", "value" or "keyword"
    detail: str
    text: str  # what is inserted


def complete(text: str, line: int, column: int) -> list[Offer]:
    """The words that fit at a place (both from 0)."""
    lines = text.splitlines()
    before = lines[line][:column] if line < len(lines) else ""
    if "#" in before:
        return []
    value = _VALUE.search(before)
    if value and value[1] in NAMES:
        return list(_values(NAMES[value[1]]))
    name = _NAME.search(before)
    if name:
        return list(_fields("") if name[1] == "sweep" else _expectations())
    if not _inside("\n".join([*lines[:line], before])):
        return [Offer("scenario", "keyword", KEYWORDS["scenario"], "scenario ")]
    words = (Offer(word, "keyword", KEYWORDS[word], f"{word} ") for word in ("expect", "sweep"))
    return [*_fields(" "), *words]


def _fields(gap: str) -> Iterator[Offer]:
    for field in FIELDS.values():
        yield Offer(field.name, "field", field.documentation, f"{field.name}{gap}{field.operator} ")


def _values(name: str) -> Iterator[Offer]:
    field = FIELDS[name]
    yield from (Offer(word, "value", field.documentation, word) for word in field.words)
    yield from (Offer(call, "value", field.documentation, call) for call in field.calls)
    if name == "scorer":
        for preset in PRESETS.values():
            yield Offer(preset.name, "value", preset.title, preset.name)


def _expectations() -> Iterator[Offer]:
    yield from (Offer(word, "value", about, word) for word, about in VERDICTS.items())
    yield from (Offer(word, "value", about, f"{word} <= ") for word, about in MEASURES.items())


def _inside(before: str) -> bool:
    """Whether a scenario's brace is open; braces in comments and strings don't count."""
    code = re.sub(r'#[^\n]*|"(?:[^"\\\n]|\\.)*"', "", before)
    return code.count("{") > code.count("}")
