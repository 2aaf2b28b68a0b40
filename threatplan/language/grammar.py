"""A TextMate grammar, for the many editors that colour by one: `python -m threatplan.language.grammar`."""

from __future__ import annotations

import json
from typing import Any

from dsl.checking.fields import FIELDS, KEYWORDS, MEASURES, NAMES, VERDICTS
from dsl.checking.presets import PRESETS


def grammar() -> dict[str, Any]:
    """The grammar, from the language's own tables."""
    values = {word for field in FIELDS.values() for word in field.words if word not in NAMES}
    calls = {call.partition("(")[0] for field in FIELDS.values() for call in field.calls}
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Threat",
        "scopeName": "source.threat",
        "fileTypes": ["threat"],
        "patterns": [
            {"name": "comment.line.number-sign.threat", "match": "#.*$"},
            {"name": "string.quoted.double.threat", "match": r'"(?:[^"\\]|\\.)*"'},
            {
                "match": r"\b(scenario)\s+(\w+)(?:\s*:\s*(\w+))?",
                "captures": {
                    "1": {"name": "keyword.control.threat"},
                    "2": {"name": "entity.name.type.threat"},
                    "3": {"name": "entity.other.inherited-class.threat"},
                },
            },
            _words("keyword.control.threat", KEYWORDS),
            _words("constant.language.threat", values | set(VERDICTS) | set(PRESETS)),
            _words("support.function.threat", calls),
            _words("variable.parameter.threat", set(NAMES) | set(MEASURES)),
            {
                "name": "constant.numeric.threat",
                "match": r"\b[0-9](?:[0-9_]*)(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9]+)?%?",
            },
            {"name": "keyword.operator.threat", "match": r"<=|>=|==|≤|≥|\.\.|[=<>+\-*/^]"},
        ],
    }


def _words(name: str, words: object) -> dict[str, str]:
    """A rule for whole words; \\b would not see the Greek ones."""
    listed = "|".join(sorted(words, key=lambda word: (-len(word), word)))  # type: ignore[call-overload]
    return {"name": name, "match": rf"(?<!\w)(?:{listed})(?!\w)"}


def text() -> str:
    """The grammar as the file that editors read."""
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(text(), end="")
