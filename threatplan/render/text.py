"""A Report as text: the answer in plain words, the verdict, then the attacks, then the reasons."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from threatplan.patience import WORD
from threatplan.render.answer import answer
from threatplan.render.numbers import ceiling_text, exposed, guessed_text, leaks_text, of, rate, right_text, whole
from threatplan.render.page import Page
from threatplan.render.table import Cell, Column, lay_out
from threatplan.render.tone import tone

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.model import Candidate, Limit, Outcome, Refusal
    from planner.report import Report
    from threatplan.patience import GivenUp

STYLES = {
    "feasible": "bad",
    "over_budget": "warn",
    "refused": "dim",
    WORD: "warn",
}
STATUS = {"feasible": "feasible", "over_budget": "over budget", "refused": "refused"}
NOTHING = "-"
HIDDEN = "leaves too little of a score to read"  # in place of two sizes, one of which is too small
_SIZES = re.compile(r" [<>≤≥]=? ")
ALIKE = 3  # attacks that are kept out by the same reason, from which on it is told once

_COLUMNS = (
    Column("attack"),
    Column("theorem", spare=6),
    Column("paper m", right=True, spare=3),
    Column("paper queries", right=True, spare=2),
    Column("m", right=True, spare=1),
    Column("queries", right=True),
    Column("bits", right=True, spare=5),
    Column("status"),
)


def render(report: Report, page: Page, full: bool = False, telling: Collection[str] = ()) -> Iterator[str]:
    """The lines of a report; in full every reason why an attack does not apply, else those against `telling` ones."""
    yield from page.wrap(answer(report))
    yield ""
    yield from _verdict(report, page)
    yield from _figures(report, page, full)
    yield from _attacks(report, page)
    yield from _reasons(report, page, full, telling)
    yield from _limits(report, page, full)
    yield from expectations(report.expectations, page)


def given_up(answer: GivenUp, page: Page) -> Iterator[str]:
    """That there is no verdict, and why."""
    headline = f"{page.ink(answer.scenario.name, 'bold')}: {page.ink(WORD.upper(), STYLES[WORD])}: {answer.why}"
    yield from page.wrap(headline, rest="  ")
    yield from _described(answer.scenario, page)


def _described(scenario: Scenario, page: Page) -> Iterator[str]:
    from dsl.visible import visible

    described = [visible(part) for part in (scenario.title, scenario.file) if part]
    if described:
        yield from page.wrap(page.ink(", ".join(described), "dim"), "  ")


def _verdict(report: Report, page: Page) -> Iterator[str]:
    scenario, verdict = report.scenario, str(report.verdict)
    headline = f"{page.ink(scenario.name, 'bold')}: {page.ink(verdict.upper(), tone(report))}: {report.why}"
    yield from page.wrap(headline, rest="  ")
    yield from _described(scenario, page)


def _figures(report: Report, page: Page, full: bool) -> Iterator[str]:
    yield ""
    shown = report.exposure
    how = f" in {of(shown.queries, 'query')} (attack {shown.attack})" if shown.attack else ""
    yield from page.wrap(exposed(shown, report.scenario) + how, "  exposure     ")
    if right := right_text(shown, report.scenario):
        yield from page.wrap(right, "  right        ")
    yield from page.wrap(ceiling_text(report, full), "  ceiling      ")
    if report.lower_bound.by:
        bound = f"{of(report.lower_bound.queries, 'query')} for any attack ({report.lower_bound.by})"
        yield from page.wrap(bound, "  lower bound  ")
    yield from page.wrap("; ".join(report.assumes), "  assumes      ")
    if guessed := guessed_text(report):
        yield from page.wrap(guessed, "  but          ")
    if leaks := leaks_text(report):
        yield from page.wrap(leaks, "  leaks        ")
    if report.scenario.sweeps:
        points = whole(report.scenario.sweep_size())
        advice = f"this is the base point; `plan sweep` plans all {points} points"
        yield from page.wrap(advice, "  sweeps       ")


def _attacks(report: Report, page: Page) -> Iterator[str]:
    shown = [one for one in ranked(report) if one.certified or one.paper]
    if not shown:
        return
    rows = [attack_row(one) for one in shown]
    kept = telling_columns(rows)
    yield ""
    yield from lay_out([_COLUMNS[i] for i in kept], [[row[i] for i in kept] for row in rows], page)
    errata = [one for one in report.candidates if one.paper and one.paper.erratum]
    for one in errata:
        assert one.paper is not None
        note = f"the paper's figure for {one.attack} does not hold: `plan explain {one.paper.erratum}`"
        yield from page.wrap(page.ink(note, "dim"), "  * ")


def ranked(report: Report) -> list[Candidate]:
    """What works first, the fewest queries first, of as many the best; what is refused stays in the catalogue's order."""
    order, best = list(STATUS), report.best.attack if report.best else None

    def place(one: Candidate) -> tuple[int, int, bool]:
        return order.index(one.status), one.certified.queries if one.certified else 0, one.attack != best

    return sorted(report.candidates, key=place)


def telling_columns(rows: Sequence[Sequence[Cell]]) -> list[int]:
    """The columns of attacks that hold anything: the paper's stay away where it says nothing."""
    return [place for place, _ in enumerate(_COLUMNS) if any(row[place].text != NOTHING for row in rows)]


def attack_row(candidate: Candidate) -> list[Cell]:
    """A candidate's cells: the paper's claim beside the certified figures."""
    paper, plan = candidate.paper, candidate.certified
    mark = "*" if paper and paper.erratum else ""
    style = STYLES[candidate.status]
    return [
        Cell(candidate.attack, "bold" if plan else "dim"),
        Cell(candidate.theorem, "dim"),
        Cell(whole(paper.labels_per_query) + mark if paper else NOTHING, "dim"),
        Cell(whole(paper.queries) + mark if paper else NOTHING, "dim"),
        Cell(rate(plan.labels_per_query) if plan else NOTHING),
        Cell(whole(plan.queries) if plan else NOTHING),
        Cell(whole(plan.precision_bits) if plan else NOTHING),
        Cell(STATUS[candidate.status], style),
    ]


def _reasons(report: Report, page: Page, full: bool, telling: Collection[str]) -> Iterator[str]:
    """Why attacks do not apply; those whose reasons are left out are counted."""
    shown = [one for one in report.candidates if full or one.attack in telling]
    reasons = list(_grouped([(one.attack, reason_text(reason, full)) for one in shown for reason in one.reasons], full))
    rest = sum(one.certified is None and one not in shown for one in report.candidates)
    if not reasons and not rest:
        return
    yield from _heading("Why not", page)
    room = max((len(attack) for attack, _ in reasons), default=0) + 2
    for attack, reason in reasons:
        first = f"    {attack:{room}}" if page.width >= 60 else f"    {attack}: "
        yield from page.wrap(reason, first, None if page.width >= 60 else "      ")
    if rest:
        count = f"and {rest} more" if reasons else of(rest, "attack")
        yield from page.wrap(f"{count} refused (--explain says why)", "    ", "      ")


def _grouped(reasons: Sequence[tuple[str, str]], full: bool) -> Iterator[tuple[str, str]]:
    """Reasons by attack; in short, one that keeps many out is told once."""
    keeps: dict[str, list[str]] = {}
    for attack, reason in reasons:
        keeps.setdefault(reason, []).append(attack)
    told: set[str] = set()
    for attack, reason in reasons:
        if full or len(keeps[reason]) <= ALIKE:
            yield attack, reason
        elif reason not in told:
            told.add(reason)
            yield of(len(keeps[reason]), "attack"), reason


def reason_text(reason: Refusal, full: bool = True) -> str:
    """A refusal in a sentence: what is needed, what there is, where; in full by how much it fails, and who says so."""
    said = str(reason) if full or not _SIZES.search(reason.need) else f"{reason.field}: {HIDDEN}"
    place = f"line {reason.line}" if reason.line else ""
    source = "; ".join(part for part in (place, reason.cite if full else "") if part)
    return said + (f" ({source})" if source else "")


def _limits(report: Report, page: Page, full: bool) -> Iterator[str]:
    if not report.limits:
        return
    yield from _heading("Limits", page)
    silent = [one.id for one in report.limits if not speaks(one)]
    for limit in report.limits:
        if full or speaks(limit):
            yield from page.wrap(f"{limit.id} {limit.title}: {limit.why}", "    ", "      ")
    if silent and not full:
        yield from page.wrap(f"nothing from {', '.join(silent)} (--explain says why)", "    ", "      ")


def speaks(limit: Limit) -> bool:
    """Whether a limit excludes anything."""
    return limit.excludes_all or limit.queries is not None


def expectations(outcomes: Sequence[Outcome], page: Page) -> Iterator[str]:
    """Each expectation with what came of it."""
    if not outcomes:
        return
    yield from _heading("Expectations", page)
    for one in outcomes:
        mark = page.ink("ok  ", "good") if one.holds else page.ink("FAIL", "bad")
        line = f" (line {one.line})" if one.line else ""
        yield from page.wrap(f"{one.text}: {one.told or one.actual}{line}", f"    {mark}  ")


def _heading(title: str, page: Page) -> Iterator[str]:
    yield ""
    yield f"  {page.ink(title, 'head')}"
