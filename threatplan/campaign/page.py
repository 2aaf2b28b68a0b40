"""A campaign's summary for people: tables, what must be looked at, and a picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dsl.visible import visible
from threatplan.campaign.summary import Summary
from threatplan.render.numbers import of, whole
from threatplan.render.page import Page
from threatplan.render.table import Cell, Column, lay_out

COLUMNS = (
    Column("attack"),
    Column("plans", right=True),
    Column("feasible", right=True, spare=2),
    Column("simulations", right=True),
    Column("too large", right=True, spare=3),
    Column("failures", right=True),
    Column("by chance", right=True, spare=1),
    Column("worst margin", right=True),
)
SHOWN = 10  # defects


def tables(summary: Summary, page: Page) -> Iterator[str]:
    """The summary, line by line."""
    verdicts = ", ".join(f"{whole(count)} {verdict}" for verdict, count in sorted(summary.verdicts.items()))
    yield page.ink(of(summary.scenarios, "scenario"), "bold") + (f": {verdicts}" if verdicts else "")
    if summary.attacks:
        yield ""
        yield from lay_out(COLUMNS, [_row(name, tally) for name, tally in sorted(summary.attacks.items())], page)
    yield ""
    yield from _bounds(summary)
    yield from (f"  {whole(count)} given up: {what}" for what, count in sorted(summary.exceeded.items()))
    if summary.unmet:
        yield f"  {of(summary.unmet, 'expectation')} unmet"
    yield from _soundness(summary, page)


def _row(name: str, tally: Any) -> list[Cell]:
    chance = f"{tally.missed} of {tally.allowed:.3g} allowed" if tally.allowed else "-"
    margin = "-" if tally.margin is None else f"{tally.margin:.2g}"
    failures = Cell(whole(tally.failures), "bad" if tally.failures else "good")
    counts = (tally.plans, tally.feasible, tally.simulations, tally.refused)
    return [Cell(name), *(Cell(whole(count)) for count in counts), failures, Cell(chance), Cell(margin)]


def _bounds(summary: Summary) -> Iterator[str]:
    if summary.limits:
        told = ", ".join(f"{name} {whole(count)}" for name, count in sorted(summary.limits.items()))
        yield f"  lower bounds proved by: {told}"
    ratios = summary.ratios()
    if ratios:
        figures = f"median {ratios['median']:.3g}, p90 {ratios['p90']:.3g}, max {ratios['max']:.4g}"
        yield f"  queries over lower bound, {whole(int(ratios['count']))} scenarios: {figures}"


def _soundness(summary: Summary, page: Page) -> Iterator[str]:
    for one in summary.unlikely():
        text = "{attack}: {missed} of {trials} simulations missed at δ = {delta:g}; chance {chance:.1g}"
        yield page.ink("  " + text.format(**one), "bad")
    if summary.sound:
        yield page.ink("  no certified attack failed, and no limit was contradicted", "good")
        return
    for kind, count in sorted(summary.defects.items()):
        yield page.ink(f"  {whole(count)} x {kind}", "bad")
    for one in summary.to_json()["examples"][:SHOWN]:
        yield ""
        yield from page.wrap(
            f"scenario {one['index']}, {one['kind']}, {one['where'] or 'planner'}: {one['text']}", "  "
        )
        yield from (f"    {visible(line)}" for line in one["source"].splitlines())


def picture(summary: Summary, path: str) -> None:
    """Queries against the lower bound, one dot for each pair that was seen, and the verdicts."""
    from io import BytesIO

    import matplotlib
    from matplotlib.figure import Figure

    from threatplan.files import write_atomically

    figure, buffer, kind = Figure(figsize=(10, 4.5), layout="constrained"), BytesIO(), path.rpartition(".")[2].lower()
    left, right = figure.subplots(1, 2)
    _draw(summary, left, right)
    with matplotlib.rc_context({"svg.hashsalt": "threatplan"}):  # the same campaign gives the same file
        figure.savefig(buffer, format=kind, metadata={"Date": None} if kind == "svg" else None)
    write_atomically(path, buffer.getvalue())


def _draw(summary: Summary, left: Any, right: Any) -> None:
    pairs = sorted(summary.pairs.items())
    bounds, queries = [bound for (bound, _), _ in pairs], [queries for (_, queries), _ in pairs]
    left.scatter(bounds, queries, s=[6 + count**0.5 for _, count in pairs], alpha=0.5)
    top = max([1, *bounds])
    left.plot([1, top], [1, top], "--", color="grey")
    left.set(xscale="log", yscale="log", xlabel="lower bound", ylabel="queries of the best certified attack")
    names = sorted(summary.verdicts)
    right.bar(names, [summary.verdicts[name] for name in names])
    right.set(ylabel="scenarios")
