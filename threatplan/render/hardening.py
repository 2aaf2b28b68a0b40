"""Advice on hardening, as text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.ceiling import percent_above
from planner.model import Verdict
from threatplan.hardening.costs import cost_of
from threatplan.hardening.search import proofs
from threatplan.render import markdown as md
from threatplan.render import options
from threatplan.render.numbers import NOT_KNOWN, counted, figure, of
from threatplan.render.page import Page
from threatplan.render.table import Cell, Column, lay_out
from threatplan.render.tone import tone

if TYPE_CHECKING:
    from threatplan.hardening.advice import Advice, Turned
    from threatplan.hardening.search import Proposal

ROUNDING = {
    Verdict.FEASIBLE: "Fewer digits alone are no defence here: rounding sets the price of an attack and does not "
    "prevent it. Cap the queries; noise lets the cap be milder.",
    Verdict.UNKNOWN: "Fewer digits alone are not proved to be a defence here: at none of them is recovery impossible.",
}
BOUNDED = (
    "bounded(t) is an error that somebody who knows the attack chooses against it, within t. Random noise of that size "
    "can be averaged away: plan uniform(-t, t) or gaussian(s) before you rely on it."
)
PART = (
    "A smaller public part protects the rows outside it, whose labels no score is computed on. Its own labels leak without "
    "anybody knowing which rows it holds, and each of them moves a score by more."
)
LADDER = (
    "A Ladder shows a score only when it beats the last one by a step: an honest participant is off by one step at most, and "
    "who scores worse than the start is told nothing. Each account has a memory of its own: whoever has several has as many "
    "levels more. threatplan.scoregate runs it."
)
FLIPPED = (
    "response = ε flips each label once and for ever, drawn before the first score: it holds for any number of submissions "
    "and accounts, and scores must be set right for it. Rows that are sure to have one label (a patient twice) tell it twice."
)
SPARE = {"now": 1}  # what is given up first where there is no room
WHOLE = ("knob", "now", "exposes")  # columns that are not folded
FOLDED = 12  # the others are folded to this before columns are given up
ALONE = "What each knob does alone"
NO_PROOF = "An exposure is what attacks we can certify recover; it proves nothing about others."


def text(advice: Advice, page: Page) -> Iterator[str]:
    """The lines of the advice."""
    if advice.aimed is not None:
        yield from options.aimed_text(advice.aimed, page)
    else:
        now, found = advice.now, advice.listed
        verdict = page.ink(str(now.verdict).upper(), tone(now))
        yield from page.wrap(f"{page.ink(now.scenario.name, 'bold')}: {verdict} now: {now.why}", rest="  ")
        yield ""
        yield from options.text(found, page, options.heading(now, found))
    yield ""
    yield f"  {page.ink(ALONE, 'head')}"
    head, rows = table(advice)
    columns = [Column(title, spare=SPARE.get(title, 0), fold=0 if title in WHOLE else FOLDED) for title in head]
    yield from lay_out(columns, [[Cell(cell) for cell in row] for row in rows], page, "    ")
    for heading, lines in remarks(advice):
        yield from ("", f"  {page.ink(heading, 'head')}")
        for line in lines:
            yield from page.wrap(line, "    ", "      ")


def markdown(advice: Advice) -> Iterator[str]:
    """The advice as Markdown."""
    now = advice.now
    if advice.aimed is not None:
        yield from options.aimed_markdown(advice.aimed)
    else:
        yield from (f"## {md.escape(now.scenario.name)}: {now.verdict} now", "", md.escape(now.why), "")
        yield from options.markdown(advice.listed, options.heading(now, advice.listed))
    yield from (f"{ALONE}:", "")
    yield from md.table(*table(advice))
    for heading, lines in remarks(advice):
        yield from (f"{heading}:", "", *(f"- {md.escape(line)}" for line in lines), "")


def table(advice: Advice) -> tuple[tuple[str, ...], list[list[str]]]:
    """Each knob, what it must be turned to, and what that still exposes: the head and the rows.

    Where recovery is impossible already, no setting makes it so.
    """
    share = f"exposure <= {options.percent(advice.share)} at"
    head, rows = ("knob", "now", "impossible at", share, "exposes"), [_row(one) for one in advice.turned]
    kept = [place for place, title in enumerate(head) if title != "impossible at" or advice.now.verdict != "impossible"]
    return tuple(head[place] for place in kept), [[row[place] for place in kept] for row in rows]


def remarks(advice: Advice) -> Iterator[tuple[str, list[str]]]:
    """The proofs of what is advised, what it costs, and what to mind, each under its heading."""
    proved = advice.aimed is None  # else it is no proof that is listed
    why, costs = (list(_why(advice)), list(_costs(advice))) if proved else ([], [])
    found = (("Why", why), ("Costs", costs), ("Mind", list(_notes(advice))))
    yield from ((heading, lines) for heading, lines in found if lines)


def _row(one: Turned) -> list[str]:
    settings = one.knob.settings
    strongest = one.knob.show(settings[-1])
    cells = [_setting(one.impossible, strongest), _setting(one.exposed, strongest)]
    return [one.knob.name, one.knob.show(settings[0]), *cells, _exposed(one.exposed)]


def _exposed(found: Proposal | None) -> str:
    if found is None:
        return "-"
    labels = found.report.exposure.labels
    return NOT_KNOWN if labels is None else of(labels, counted(found.report.scenario))


def _setting(found: Proposal | None, strongest: str) -> str:
    if found is None:
        return f"none, even {strongest}"
    return found.setting if found.milder is not None else f"{found.setting} (now)"


def _why(advice: Advice) -> Iterator[str]:
    """The proof of each setting that makes recovery impossible."""
    found = [(f"{one.knob.name} {one.impossible.setting}", one.impossible.report)
             for one in advice.turned if one.impossible is not None and one.impossible.milder is not None]  # fmt: skip
    for setting, report in found:
        for limit in proofs(report):
            yield f"{setting}: {limit.id} {limit.title}: {limit.why}"


def _costs(advice: Advice) -> Iterator[str]:
    """What defences cost honest participants, the cheapest first, and what they leave to be had."""
    made = [one.impossible for one in advice.turned if one.impossible is not None and one.impossible.milder is not None]
    found = [(cost, one) for one in made if (cost := cost_of(one.report.scenario)) is not None]
    for cost, one in sorted(found, key=lambda pair: pair[0].errors):
        size = "less than one standard error" if cost.small else "more than one standard error"
        left = percent_above(one.report.ceiling.fraction)
        most = (
            f"nobody gets more than {left} of the labels right on average" if left != "100%" else "no ceiling is proved"
        )
        told = f"the {cost.score} of a model that is right on 95% is off by {figure(cost.error)}"
        yield f"{one.knob.name} {one.setting}: {size} ({figure(cost.errors)}), {told}; {most}"


def _notes(advice: Advice) -> Iterator[str]:
    if advice.aimed is None:
        yield from options.beside(advice.now)
    if advice.rounded is not None:
        yield ROUNDING[advice.rounded]
    if any(setting.startswith("bounded(") for setting in _noises(advice)):
        yield BOUNDED
    if any(one.knob.name == "public" for one in advice.turned):
        yield PART
    if any(one.knob.name == "response" and one.impossible is not None for one in advice.turned):
        yield FLIPPED
    if any(one.knob.name == "release" and one.impossible is not None for one in advice.turned):
        yield LADDER
    yield NO_PROOF


def _noises(advice: Advice) -> Iterator[str]:
    """The settings of the noise that are proposed."""
    for one in advice.turned:
        found = (one.impossible, one.exposed) if one.knob.name == "noise" else ()
        yield from (proposal.setting for proposal in found if proposal is not None)
    yield from (pair.setting for pair in advice.combinations if pair.knob.name == "noise")
