"""A Report as Markdown, for issues, wikis and pull requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dsl.visible import visible
from threatplan.patience import WORD
from threatplan.render.answer import answer
from threatplan.render.chain import chosen
from threatplan.render.numbers import ceiling_text, exposed, guessed_text, leaks_text, of, right_text
from threatplan.render.text import attack_row, ranked, reason_text, speaks, telling_columns

if TYPE_CHECKING:
    from planner.model import Candidate
    from planner.numerics.inequality import Inequality
    from planner.report import Report
    from threatplan.patience import GivenUp

_SPECIAL = {ord(c): f"\\{c}" for c in "\\|*_`<>[]#&~$!"}
_HEAD = ("attack", "theorem", "paper m", "paper queries", "m", "queries", "bits", "status")


def render(report: Report, explain: bool = False, attack: str | None = None) -> Iterator[str]:
    """The lines of a report."""
    scenario = report.scenario
    yield f"## {escape(scenario.name)}: {report.verdict}"
    yield ""
    if scenario.title:
        yield f"*{escape(scenario.title)}*"
        yield ""
    yield from (prose(answer(report)), "")
    yield f"**{str(report.verdict).capitalize()}**: {escape(report.why)}"
    yield ""
    yield from _figures(report, explain)
    yield from _attacks(report)
    yield from _lists(report, explain)
    if explain:
        yield from _proofs(report, attack)


def _attacks(report: Report) -> Iterator[str]:
    """What is certified, or claimed by the paper; the rest is among the reasons."""
    rows = [attack_row(one) for one in ranked(report) if one.certified or one.paper]
    kept = telling_columns(rows)
    if rows:
        yield from table([_HEAD[i] for i in kept], [[row[i].text for i in kept] for row in rows])


def given_up(answer: GivenUp) -> Iterator[str]:
    """That there is no verdict, and why."""
    yield from (f"## {escape(answer.scenario.name)}: {WORD}", "", f"**{WORD.capitalize()}**: {escape(answer.why)}", "")


def _figures(report: Report, full: bool) -> Iterator[str]:
    shown = report.exposure
    how = f" in {of(shown.queries, 'query')} (attack `{shown.attack}`)" if shown.attack else ""
    yield f"- exposure: {exposed(shown, report.scenario)}{how}"
    if right := right_text(shown, report.scenario):
        yield f"- right: {right}"
    yield f"- ceiling: {ceiling_text(report, full)}"
    yield f"- assumes: {'; '.join(report.assumes)}"
    if guessed := guessed_text(report):
        yield f"- but {guessed}"
    if leaks := leaks_text(report):
        yield f"- leaks: {escape(leaks)}"
    if report.lower_bound.by:
        yield f"- lower bound: {of(report.lower_bound.queries, 'query')} (`{report.lower_bound.by}`)"
    yield ""


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table and the empty line after it; nothing for no rows."""
    if not rows:
        return
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield "| " + " | ".join(escape(cell) for cell in row) + " |"
    yield ""


def _lists(report: Report, full: bool) -> Iterator[str]:
    yield from _refused(report, full)
    silent = [] if full else [one.id for one in report.limits if not speaks(one)]
    told = [one for one in report.limits if one.id not in silent]
    limits = [f"`{one.id}` {escape(one.title)}: {escape(one.why)}" for one in told]
    rest = [f"nothing from {', '.join(silent)} (`--explain` says why)"] if silent else []
    yield from _section("Limits", [*limits, *rest])
    outcomes = [
        f"{'holds' if one.holds else '**fails**'}: `{one.text}` ({escape(one.told or one.actual)})"
        for one in report.expectations
    ]
    yield from _section("Expectations", outcomes)


def _refused(report: Report, full: bool) -> Iterator[str]:
    """Why attacks do not apply: folded, unless it was asked for."""
    reasons = [f"`{one.attack}`: {escape(reason_text(why))}" for one in report.candidates for why in one.reasons]
    if full or not reasons:
        yield from _section("Why not", reasons)
        return
    count = of(sum(bool(one.reasons) for one in report.candidates), "attack")
    yield from ("### Why not", "", f"<details><summary>{count} that will not do here, and why</summary>", "")
    yield from (f"- {reason}" for reason in reasons)
    yield from ("", "</details>", "")


def _proofs(report: Report, attack: str | None) -> Iterator[str]:
    for candidate in chosen(report, attack):
        yield from _section(f"Proof of {candidate.attack}", _proof(candidate))
    for limit in report.limits:
        yield from _section(f"Proof of {limit.id}", [_relation(one) for one in limit.inequalities])


def _proof(candidate: Candidate) -> list[str]:
    plan = candidate.certified
    if plan is None:
        return ["there is none: the attack is refused"]
    steps = [f"`{step.id}`: {escape(step.text)}" for step in plan.chain]
    relations = [_relation(one) for one in plan.certificate.inequalities]
    return [*steps, f"guarantee: {escape(plan.certificate.guarantee)}", *relations]


def _relation(one: Inequality) -> str:
    return f"`{one.name}`: `{one.left} {one.relation} {one.right}` {'holds' if one.holds else 'is not proved'}"


def _section(title: str, items: Sequence[str]) -> Iterator[str]:
    if items:
        yield f"### {title}"
        yield ""
        yield from (f"- {item}" for item in items)
        yield ""


def escape(text: str) -> str:
    """Text on one line whose characters mean themselves."""
    return visible(text).translate(_SPECIAL)


def prose(text: str) -> str:
    """Sentences of ours: what stands between backticks is something to type, and is shown as such."""
    parts = text.split("`")
    return "`".join(part if place % 2 else escape(part) for place, part in enumerate(parts))
