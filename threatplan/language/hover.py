"""What the word under the cursor means."""

from __future__ import annotations

import re

from dsl.checking.fields import FIELDS, KEYWORDS, MEASURES, NAMES, VERDICTS
from dsl.checking.presets import PRESETS

_WORD = re.compile(r"\w+")
_HEADER = re.compile(r"\s*scenario\s+(\w+)")


SECONDS = 2.0  # that a verdict may take: a hover is a glance


def hover(text: str, line: int, column: int, seconds: float = SECONDS) -> str | None:
    """Markdown about the word at a place (both from 0), or None; a scenario's name tells its verdict."""
    lines = text.splitlines()
    found = _word(lines[line], column) if line < len(lines) else None
    if found is None:
        return None
    word, start = found
    header = _HEADER.match(lines[line])
    if header and header.start(1) == start:
        return verdict(text, word, seconds)
    return _described(word, lines[line][:start])


def _word(line: str, column: int) -> tuple[str, int] | None:
    for match in _WORD.finditer(line):
        if match.start() <= column <= match.end():
            return match[0], match.start()
    return None


def _described(word: str, before: str) -> str | None:
    if before.split() == ["expect"]:
        about = VERDICTS.get(word) or MEASURES.get(word)
        return f"**{word}**: {about}" if about else None
    if word in PRESETS:
        preset = PRESETS[word]
        facts = "\n".join(f"- {release.versions or 'any'}: {release.provenance}" for release in preset.releases)
        return f"**{word}**: {preset.title}\n\n{facts}"
    if word in KEYWORDS:
        return f"**{word}**: {KEYWORDS[word]}"
    return field(NAMES[word]) if word in NAMES else None


def field(name: str) -> str:
    """Markdown about a field."""
    one = FIELDS[name]
    default = f"default: {one.default}" if one.default else "required"
    also = f"; also written {', '.join(one.aliases)}" if one.aliases else ""
    return f"**{one.name}**: {one.documentation}\n\n{one.values}; {default}{also}"


def verdict(text: str, name: str, seconds: float = SECONDS) -> str | None:
    """The verdict on the scenario of this name, or that it was given up; None while the text cannot be read."""
    from dsl import ThreatError, loads
    from planner import plan
    from threatplan.patience import WORD, GivenUp, within
    from threatplan.render.numbers import exposed, right_text

    try:
        scenario = next((one for one in loads(text) if one.name == name), None)
    except ThreatError:
        return None
    if scenario is None:
        return None
    report = within(seconds, plan, scenario)
    if isinstance(report, GivenUp):
        return f"**{WORD}** {report.why}"
    leaked = f"exposure {exposed(report.exposure, scenario)}"
    if right := right_text(report.exposure, scenario):
        leaked += f"; right {right}"
    bound = f"lower bound {report.lower_bound.queries:,}"
    return f"**{report.verdict}**: {report.why}\n\n{leaked}; {bound}\n\nassumes {'; '.join(report.assumes)}"
