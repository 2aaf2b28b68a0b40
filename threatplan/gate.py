"""Expectations over all points of all scenarios, as a gate sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from threatplan.sweeps import place

if TYPE_CHECKING:
    from dsl import ThreatError
    from dsl.scenario import Scenario
    from planner.model import Outcome, Report
    from threatplan.faults import CommandError

    Planner = Callable[[Scenario], Report]


@dataclass(frozen=True, slots=True)
class Gate:
    """One scenario: each of its expectations, and what came of it at the first point where it fails."""

    name: str
    file: str | None
    points: int
    outcomes: tuple[Outcome, ...]

    @property
    def title(self) -> str:
        """The scenario and its file."""
        return f"{self.file}: {self.name}" if self.file else self.name

    @property
    def failures(self) -> int:
        """How many expectations do not hold."""
        return sum(not outcome.holds for outcome in self.outcomes)

    def to_json(self) -> dict[str, Any]:
        """The gate as plain data."""
        expectations = [
            {"text": one.text, "line": one.line, "holds": one.holds, "actual": one.actual} for one in self.outcomes
        ]
        entry = {"name": self.name, "file": self.file, "points": self.points, "holds": not self.failures}
        return {**entry, "expectations": expectations}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that keeps a file from being checked at all."""

    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None


def gates(scenarios: Sequence[Scenario], plan: Planner, allow_empty: bool) -> Iterator[Gate]:
    """Each scenario's gate; a file none of whose scenarios expects anything gets a gate that is shut."""
    for file, group in groupby(scenarios, key=lambda scenario: scenario.file):
        members = list(group)
        for scenario in members:
            yield _gate(scenario, plan)
        if not allow_empty and not any(scenario.expectations for scenario in members):
            yield _empty(file, len(members))


def problems(faults: Sequence[CommandError | ThreatError]) -> list[Problem]:
    """What is wrong with the input, one problem a diagnostic."""
    found = []
    for entry in (entry for fault in faults for entry in fault.to_json()):
        span = entry["span"] or {}
        code = f"{entry['code']}: " if entry["code"] else ""
        hint = f" ({entry['hint']})" if entry["hint"] else ""
        found.append(Problem(f"{code}{entry['message']}{hint}", entry["file"], span.get("line"), span.get("column")))
    return found


def _gate(scenario: Scenario, plan: Planner) -> Gate:
    """All points of a scenario; those after the first failure of everything are not planned."""
    worst: list[Outcome] = []
    points = 0
    for point in scenario.points() if scenario.expectations else ():
        points += 1
        outcomes = [replace(one, actual=place(scenario, point) + one.actual) for one in plan(point).expectations]
        worst = [was if not was.holds else now for was, now in zip(worst or outcomes, outcomes, strict=True)]
        if not any(one.holds for one in worst):
            break
    return Gate(scenario.name, scenario.file, points, tuple(worst))


def _empty(file: str | None, scenarios: int) -> Gate:
    from planner.model import Outcome

    actual = "its scenario expects nothing" if scenarios == 1 else f"none of its {scenarios} scenarios expects anything"
    return Gate("(file)", file, 0, (Outcome("the file holds an expectation", None, False, actual),))
