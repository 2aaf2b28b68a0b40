"""Exposure against submissions: what is certified at each budget, and what is proved that no attack exceeds.

Which budgets are planned: POINTS evenly spread ones from none at all to beyond where all labels come out; below the
first of these, where few submissions tell a lot, 1, 2, 5, 10, 20, 50 and so on; and every figure that is quoted beside
the curve. That is POINTS, three more for each power of ten, and a handful.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count, takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.report import Report
    from threatplan.hardening.advice import Advice

POINTS = 16  # budgets that are evenly spread
ROOM = 5, 4  # beyond the budget, and beyond where all labels come out: a quarter more
FAR = 40  # budgets: what lies beyond would press the budget itself against the axis


@dataclass(frozen=True, slots=True)
class Point:
    """One budget: labels certified within it (None: not known), and the share that any attack gets right at most."""

    queries: int
    labels: int | None
    ceiling: float


def curve(
    report: Report, plan: Callable[[Scenario], Report], points: int = POINTS, also: Iterable[int] = ()
) -> list[Point]:
    """The points from no submission up to where all labels are out, the scenario's own budget and others among them.

    Where that is far beyond the budget, the curve ends before: it is there to see what the budget means.
    """
    found = []
    for queries in budgets(report, points, also):
        one = (
            report
            if queries == report.scenario.queries
            else plan(replace(report.scenario, queries=queries, expectations=()))
        )
        found.append(Point(queries, one.exposure.labels, float(one.ceiling.fraction)))
    return found


def budgets(report: Report, points: int, also: Iterable[int] = ()) -> list[int]:
    """Evenly spread budgets, finer ones below them, and those that mean something."""
    last = _last(report)
    even = {round(last * step / (points - 1)) for step in range(points)}
    fine = {0, *takewhile(lambda queries: queries < last / (points - 1), _round_numbers())}
    return sorted(even | fine | {one for one in (*_own(report), *also) if one <= last})


def quoted(advice: Advice) -> set[int]:
    """Caps that advice speaks of while all else stays as it is: what each exposes belongs on the curve."""
    held = (one for one in advice.turned if one.knob.name == "queries")
    found = (proposal for one in held for proposal in (one.impossible, one.exposed) if proposal is not None)
    caps = (proposal.report.scenario.queries for proposal in found)
    return {cap for cap in caps if cap is not None}


def _round_numbers() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50 and so on."""
    return (lead * 10**power for power in count() for lead in (1, 2, 5))


def _own(report: Report) -> Iterator[int]:
    """Budgets that mean something: the scenario's own, those of its figures, and the ones at which the verdict turns."""
    yield report.exposure.queries
    yield from (one.certified.queries for one in report.candidates if one.certified is not None)
    if report.scenario.queries is not None:
        yield report.scenario.queries
    turns = [report.lower_bound.queries]
    if report.best is not None and report.best.certified is not None:
        turns.append(report.best.certified.queries)
    yield from (queries for turn in turns for queries in (turn, max(0, turn - 1)))


def _last(report: Report) -> int:
    certified = [one.certified.queries for one in report.candidates if one.certified is not None]
    wanted = max(min(certified, default=0), report.scenario.queries or 0, report.lower_bound.queries, 1)
    more, less = ROOM
    far = FAR * report.scenario.queries if report.scenario.queries else wanted
    return -(-min(wanted, far) * more // less)
