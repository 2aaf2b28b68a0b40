"""The proof behind a figure: the chain of reductions and every inequality with both sides' numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from threatplan.render.numbers import of
from threatplan.render.page import Page

if TYPE_CHECKING:
    from planner.model import Candidate, Limit
    from planner.numerics.inequality import Inequality
    from planner.report import Report


def render(report: Report, page: Page, attack: str | None = None) -> Iterator[str]:
    """The proof of the chosen attack (the best, if none is named) and of each limit."""
    for candidate in chosen(report, attack):
        yield from _attack(candidate, page)
    for limit in report.limits:
        yield from _limit(limit, page)


def chosen(report: Report, attack: str | None) -> Iterator[Candidate]:
    """The candidate of that name; with no name the best one, or else those that expose most."""
    if attack is not None:
        yield from (one for one in report.candidates if one.attack == attack)
    elif report.best is not None:
        yield report.best
    else:
        yield from (one for one in (report.exposure.candidate, report.exposure.averaged) if one is not None)


def _attack(candidate: Candidate, page: Page) -> Iterator[str]:
    yield ""
    yield f"  {page.ink(f'Proof of {candidate.attack}', 'head')}"
    plan = candidate.certified
    if plan is None:
        yield from page.wrap("there is none: the attack is refused, for the reasons above", "    ")
        return
    for number, step in enumerate(plan.chain, 1):
        yield from page.wrap(f"{step.id}: {step.text}", f"    {number}. ")
    yield from page.wrap(plan.certificate.guarantee, "    guarantee: ", "      ")
    yield from inequalities(plan.certificate.inequalities, page)
    cost = f"{of(plan.operations, 'operation')}, {of(plan.memory, 'byte')} of memory"
    predictions = f"predictions of {of(plan.prediction_bits, 'bit')}"
    yield from page.wrap(f"at the attacker: {cost}, {predictions}", "    ", "      ")


def _limit(limit: Limit, page: Page) -> Iterator[str]:
    if not limit.inequalities:
        return
    yield ""
    yield from page.wrap(page.ink(f"Proof of {limit.id} {limit.title}", "head"), "  ")
    yield from inequalities(limit.inequalities, page)


def inequalities(relations: Sequence[Inequality], page: Page) -> Iterator[str]:
    """Each inequality, what it says and what its two sides are."""
    for one in relations:
        mark = page.ink("holds", "good") if one.holds else page.ink("not proved", "bad")
        yield from page.wrap(f"{one.name}: {mark}", "    ", "      ")
        yield from page.wrap(f"{one.left} {one.relation} {one.right}", "        ")
