"""Differences as text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from threatplan.patience import WORD, GivenUp
from threatplan.render import markdown as md
from threatplan.render.numbers import NOT_KNOWN, counted, of, share
from threatplan.render.options import ceiling

if TYPE_CHECKING:
    from planner.report import Report
    from threatplan.differences import Difference
    from threatplan.render.page import Page

STYLES = {"worse": "bad", "better": "good", "mixed": "warn", WORD: "warn"}
NOTHING = "-"


def text(one: Difference, page: Page) -> Iterator[str]:
    """The lines of one scenario; what did not change is said once."""
    word = page.ink(one.direction.upper(), STYLES.get(one.direction, "bold"))
    yield from page.wrap(f"{page.ink(one.name, 'bold')}: {word}", rest="  ")
    changed = "; ".join(f"{each.field} {each.old} {_arrow(page)} {each.new}" for each in one.changes)
    if changed:
        yield from page.wrap(changed, "  changed      ")
    elif one.old and one.new:
        yield from page.wrap("no field", "  changed      ")
    for label, old, new in _rows(one):
        shown = old if old == new else f"{old} {_arrow(page)} {new}"
        yield from page.wrap(shown, f"  {label:<11}  ")


def markdown(one: Difference) -> Iterator[str]:
    """One scenario as a table for a pull request."""
    yield from (f"## {md.escape(one.name)}: {one.direction}", "")
    rows = [(f"`{each.field}`", each.old, each.new) for each in one.changes]
    rows += list(_rows(one))
    yield "| | old | new |"
    yield "| --- | --- | --- |"
    for label, old, new in rows:
        shown = md.escape(new) if old == new else f"**{md.escape(new)}**"
        yield f"| {label} | {md.escape(old)} | {shown} |"
    yield ""


def _arrow(page: Page) -> str:
    return page.glyph("→", "->")


def _rows(one: Difference) -> list[tuple[str, str, str]]:
    labels = ("verdict", "exposure", "ceiling", "lower bound", "attack")
    figures = zip(labels, _figures(one.old), _figures(one.new), strict=True)
    return [row for row in figures if row[1:] != (NOTHING, NOTHING)]


def _figures(answer: Report | GivenUp | None) -> tuple[str, ...]:
    if answer is None or isinstance(answer, GivenUp):
        return (NOTHING if answer is None else WORD, *[NOTHING] * 4)
    best = answer.best
    attack = f"{best.attack} in {of(best.certified.queries, 'query')}" if best and best.certified else NOTHING
    bound = of(answer.lower_bound.queries, "query")
    return str(answer.verdict), _exposed(answer), ceiling(answer), bound, attack


def _exposed(report: Report) -> str:
    labels, fraction = report.exposure.labels, report.exposure.fraction
    if labels is None or fraction is None:
        return NOT_KNOWN
    return f"{of(labels, counted(report.scenario))} ({share(fraction)})"
