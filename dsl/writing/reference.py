"""The tables of docs/language.md, from the tables of the code: `python -m dsl.writing.reference` rewrites them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from dsl.checking.fields import FIELDS, MEASURES, VERDICTS
from dsl.checking.functions import FUNCTIONS
from dsl.checking.metrics import METRICS
from dsl.checking.platforms import PLATFORMS, Platform
from dsl.checking.presets import PRESETS
from dsl.codes import CODES

DOCUMENT = Path(__file__).parents[2] / "docs" / "language.md"


def _table(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    columns = head.count("|") + 1
    lines = [f"| {head} |", "|" + "---|" * columns, *(f"| {' | '.join(map(_cell, row))} |" for row in rows)]
    return "\n".join(lines)


def _cell(text: str) -> str:
    """A bar within a cell would end it."""
    return text.replace("|", "\\|")


def fields() -> str:
    """Every field, what it holds and what it is when it is not written."""
    rows = []
    for field in FIELDS.values():
        names = ", ".join(f"`{name}`" for name in (field.name, *field.aliases))
        written = names if field.operator == "=" else f"{names} `{field.operator}`"
        rows.append((written, field.values, field.default or "required", field.documentation))
    return _table("field | values | default | meaning", rows)


def metrics() -> str:
    """Every metric, and what has a meaning for it."""
    rows = []
    for metric in METRICS:
        classes = "2" if metric.binary else "any"
        rows.append((f"`{metric.name}`", metric.meaning, classes, "yes" if metric.clips else "no"))
    return _table("metric | score | K | `clip`", rows)


def functions() -> str:
    """Every function."""
    return _table("function | gives", ((f"`{each.usage}`", each.documentation) for each in FUNCTIONS.values()))


def expectations() -> str:
    """What can be expected."""
    verdicts = ((f"`expect {name}`", text) for name, text in VERDICTS.items())
    measures = ((f"`expect {name} <= …`", f"{text[0].upper()}{text[1:]}.") for name, text in MEASURES.items())
    return _table("expectation | holds when, or compares", [*verdicts, *measures])


def presets() -> str:
    """What each preset fills in, and how that is known."""
    rows = []
    for preset in PRESETS.values():
        for release in preset.releases:
            several = "" if release.first == release.last else "s"
            call = f"`{preset.name}`, version{several} {release.versions}" if preset.versioned else f"`{preset.name}`"
            filled = "; ".join(f"{field} {_shown(text)}" for field, text in release.fields.items())
            rows.append((call, preset.title, filled, release.provenance))
    return _table("preset | scorer | fills in | known how", rows)


def platforms() -> str:
    """What can be read on each platform, and how that is known."""
    rows = (
        (f"`{each.name}`", each.decimals, each.shown, each.allowed + _failures(each), each.provenance)
        for each in PLATFORMS.values()
    )
    return _table("platform | `decimals` | what is shown | what is allowed | known how", rows)


def _failures(each: Platform) -> str:
    return "; failed ones are not counted" if each.failures_free else ""


def _shown(text: str) -> str:
    return text if text != "epsilon" else "the epsilon of `phi`"


def codes() -> str:
    """Every diagnostic."""
    return _table("code | title | meaning", ((code, each.title, each.explanation) for code, each in CODES.items()))


SECTIONS: dict[str, Callable[[], str]] = {
    "fields": fields,
    "metrics": metrics,
    "functions": functions,
    "expectations": expectations,
    "presets": presets,
    "platforms": platforms,
    "codes": codes,
}


def renewed(document: str) -> str:
    """The document with every table as the code has it."""
    for name, make in SECTIONS.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        head, _, rest = document.partition(begin)
        _, found, tail = rest.partition(end)
        assert found, f"docs/language.md has no place for {name}"
        document = f"{head}{begin}\n{make()}\n{end}{tail}"
    return document


def main() -> int:
    """Rewrite the tables of the reference."""
    DOCUMENT.write_text(renewed(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
