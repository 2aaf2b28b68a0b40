"""Expectations over all points of all scenarios, as a gate sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from dsl.alike import ByFields
from threatplan.patience import WORD, GivenUp
from threatplan.sweeps import place

if TYPE_CHECKING:
    from dsl import ThreatError
    from dsl.scenario import Scenario
    from planner.model import Outcome
    from planner.report import Report
    from threatplan.faults import CommandError

    Planner = Callable[[Scenario], Report | GivenUp]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Gate(ByFields):
    """One scenario: each of its expectations, and what came of it at the first point where it fails.

    A gate without a name stands for a whole file that holds no expectation; `lack` says so, and keeps it shut.
    """

    name: str | None
    file: str | None
    points: int
    outcomes: tuple[Outcome, ...]
    lack: str | None = None
    gave_up: GivenUp | None = None  # at the point where its time was over; those after it are not planned

    @property
    def title(self) -> str:
        """The scenario and its file."""
        return ": ".join(part for part in (self.file, self.name) if part) or "the input"

    @property
    def failures(self) -> int:
        """How many expectations do not hold."""
        return sum(not outcome.holds for outcome in self.outcomes)

    @property
    def holds(self) -> bool:
        """Whether the gate is open."""
        return not self.failures and self.lack is None and self.gave_up is None

    @property
    def shut(self) -> str | None:
        """Why it is shut whatever the expectations came to; None: they decide."""
        return self.lack if self.gave_up is None else f"{WORD} {self.gave_up.why}"

    def to_json(self) -> dict[str, Any]:
        """The gate as plain data."""
        expectations = [
            {"text": one.text, "line": one.line, "holds": one.holds, "actual": one.actual} for one in self.outcomes
        ]
        entry = {"name": self.name, "file": self.file, "points": self.points, "holds": self.holds}
        given_up = {} if self.gave_up is None else {"gave_up": self.gave_up.facts}
        return {**entry, "lack": self.lack, **given_up, "expectations": expectations}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Problem(ByFields):
    """Something that keeps a file from being checked at all."""

    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None


def gates(scenarios: Sequence[Scenario], plan: Planner, allow_empty: bool, chosen: bool = False) -> Iterator[Gate]:
    """Each scenario's gate; a file none of whose scenarios (or of those `chosen`) expects anything gets a shut one."""
    for file, group in groupby(scenarios, key=lambda scenario: scenario.file):
        members = list(group)
        for scenario in members:
            yield _gate(scenario, plan)
        if not allow_empty and not any(scenario.expectations for scenario in members):
            yield _empty(file, len(members), chosen)


def problems(faults: Sequence[CommandError | ThreatError]) -> list[Problem]:
    """What is wrong with the input, one problem a diagnostic."""
    found = []
    for entry in (entry for fault in faults for entry in fault.to_json()):
        span = entry["span"] or {}
        code = f"{entry['code']}: " if entry["code"] else ""
        hint = f" ({entry['hint']})" if entry["hint"] else ""
        found.append(Problem(f"{code}{entry['message']}{hint}", entry["file"], span.get("line"), span.get("column")))
    return found


def _placed(one: Outcome, where: str) -> Outcome:
    """An outcome that says at which point of a sweep it came about."""
    return replace(one, actual=where + one.actual, told=where + (one.told or one.actual))


def _gate(scenario: Scenario, plan: Planner) -> Gate:
    """All points of a scenario; those after the first failure of everything, or after one given up, are not planned."""
    worst: list[Outcome] = []
    points = 0
    for point in scenario.points() if scenario.expectations else ():
        points += 1
        report = plan(point)
        if isinstance(report, GivenUp):
            return Gate(scenario.name, scenario.file, points, tuple(worst), gave_up=report)
        outcomes = [_placed(one, place(scenario, point)) for one in report.expectations]
        worst = [was if not was.holds else now for was, now in zip(worst or outcomes, outcomes, strict=True)]
        if not any(one.holds for one in worst):
            break
    return Gate(scenario.name, scenario.file, points, tuple(worst))


def _empty(file: str | None, scenarios: int, chosen: bool) -> Gate:
    whose, by = ("the", " chosen") if chosen else ("its", "")
    where = f"{whose} scenario{by}" if scenarios == 1 else f"any of {whose} {scenarios:,} scenarios{by}"
    return Gate(None, file, 0, (), f"no expectation in {where}")
