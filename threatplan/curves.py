"""Exposure against submissions: what is certified at each budget, and what is proved that no attack exceeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.report import Report

POINTS = 16  # budgets that are planned
ROOM = 5, 4  # beyond the budget, and beyond where all labels come out: a quarter more


@dataclass(frozen=True, slots=True)
class Point:
    """One budget: labels certified within it (None: not known), and the share that any attack gets right at most."""

    queries: int
    labels: int | None
    ceiling: float


def curve(report: Report, plan: Callable[[Scenario], Report], points: int = POINTS) -> list[Point]:
    """The points from no submission up to where all labels are out, the scenario's own budget among them."""
    found = []
    for queries in budgets(report, points):
        one = (
            report
            if queries == report.scenario.queries
            else plan(replace(report.scenario, queries=queries, expectations=()))
        )
        found.append(Point(queries, one.exposure.labels, float(one.ceiling.fraction)))
    return found


def budgets(report: Report, points: int) -> list[int]:
    """Evenly spread budgets."""
    last = _last(report)
    even = {round(last * step / (points - 1)) for step in range(points)}
    return sorted(even | set(_own(report)))


def _own(report: Report) -> Iterator[int]:
    """Budgets that mean something: the scenario's own, and the ones at which the verdict turns."""
    if report.scenario.queries is not None:
        yield report.scenario.queries
    if report.best is not None and report.best.certified is not None:
        yield from (report.best.certified.queries, max(0, report.best.certified.queries - 1))


def _last(report: Report) -> int:
    certified = [one.certified.queries for one in report.candidates if one.certified is not None]
    wanted = [min(certified, default=0), report.scenario.queries or 0, report.lower_bound.queries, 1]
    more, less = ROOM
    return -(-max(wanted) * more // less)
