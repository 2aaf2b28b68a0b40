"""The words of reports and the platforms as pages of the documentation: `python -m threatplan.glossary FOLDER`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from dsl.checking.platforms import PLATFORMS
from threatplan.words import WORDS

HEADINGS = {
    "verdict": "Verdicts",
    "figure": "Figures",
    "column": "Columns of tables",
    "symbol": "Symbols",
    "term": "Other words",
}


def glossary() -> str:
    """Every word that a report prints."""
    return "\n".join(_words()) + "\n"


def _words() -> Iterator[str]:
    yield from (
        "# Words of a report",
        "",
        "Each of them can be asked for on the command line: `plan explain lower bound`.",
    )
    for kind, heading in HEADINGS.items():
        yield from ("", f"## {heading}", "", "| word | what it is |", "|---|---|")
        for one in WORDS:
            if one.kind == kind:
                yield f"| {one.id} | {_safe(f'{one.title}. {one.statement}')} |"


def _safe(text: str) -> str:
    """No tags in prose; between backticks every character stands for itself."""
    parts = text.split("`")
    return "`".join(part if place % 2 else part.replace("<", "&lt;") for place, part in enumerate(parts))


def organisers() -> str:
    """What participants can read on each platform, and what to write down."""
    return "\n".join(_platforms()) + "\n"


def _platforms() -> Iterator[str]:
    yield from (
        "# For organisers, by platform",
        "",
        "What counts is what a participant can *read* of a score, on the page or anywhere else. `platform = NAME` fills that "
        "in; the rest is yours to say: the rows of a submission (`N`), how many of them the public score is computed on "
        "(`public`), the metric, what can be guessed of the labels beforehand (`guess`), and the submissions that everybody "
        "who works together may make (`queries`). `plan new --ask` asks for these (for `guess` where all rows are "
        "scored), and `plan import` reads them from a platform's own configuration where that says so.",
        "",
        "| platform | can be read | to write for `queries` | usual |",
        "|---|---|---|---|",
    )
    for one in PLATFORMS.values():
        read = f"`decimals = {one.decimals}`: {one.shown}"
        yield f"| {one.title} (`{one.name}`) | {read} | `queries <= {one.budget}` | {one.allowed} |"
    yield from ("", "How that is known:", "")
    for one in PLATFORMS.values():
        free = "; submissions that fail are not counted" if one.failures_free else ""
        yield f"- {one.title}: {one.provenance}{free}."


PAGES = {"glossary.md": glossary, "organisers.md": organisers}


def main(folder: Path) -> None:
    """Write the pages."""
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
