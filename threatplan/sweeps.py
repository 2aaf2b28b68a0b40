"""Sweeps at the front door: which points there are, what each comes to, and when they are too many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from threatplan.faults import CommandError
from threatplan.patience import WORD, GivenUp
from threatplan.render.numbers import whole
from threatplan.render.tone import tone

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.model import Candidate
    from planner.report import Report
    from threatplan.render.tone import Tone


@dataclass(frozen=True, slots=True)
class Row:
    """One point of a sweep."""

    scenario: str
    point: dict[str, str]  # the swept fields, as they are written
    verdict: str
    attack: str | None
    queries: int | None
    exposure: int | None  # None: not known
    fraction: float | None
    ceiling: float | None  # share of the labels that any attack gets right on average, at most
    lower_bound: int | None
    paper: int | None  # the fewest queries that the paper promises
    met: bool
    gave_up: GivenUp | None = None  # then nothing else is known of the point
    budget: int | None = None  # queries that are allowed there; None: as many as one likes
    tone: Tone = "warn"  # the colour of the verdict

    @property
    def label(self) -> str:
        """The point in a word."""
        return ", ".join(self.point.values())

    def figures(self) -> dict[str, Any]:
        """What was found at the point."""
        return {
            "verdict": self.verdict,
            "attack": self.attack,
            "queries": self.queries,
            "exposure": self.exposure,
            "fraction": self.fraction,
            "ceiling": self.ceiling,
            "lower_bound": self.lower_bound,
            "paper_queries": self.paper,
            "expectations_hold": self.met,
        }

    def to_json(self) -> dict[str, Any]:
        """The row as plain data."""
        entry = {"scenario": self.scenario, "point": self.point, **self.figures()}
        return entry if self.gave_up is None else {**entry, "verdict": None, "gave_up": self.gave_up.facts}


def row(scenario: Scenario, report: Report | GivenUp) -> Row:
    """What a point of the scenario's sweeps comes to."""
    if isinstance(report, GivenUp):
        return _given_up(scenario, report)
    best = report.best or cheapest(report)
    claims = [one.paper.queries for one in report.candidates if one.paper]
    return Row(
        scenario=scenario.name,
        point=swept(scenario, report.scenario),
        verdict=str(report.verdict),
        attack=best.attack if best else None,
        queries=best.certified.queries if best and best.certified else None,
        exposure=report.exposure.labels,
        fraction=report.exposure.fraction,
        ceiling=report.ceiling.fraction,
        lower_bound=report.lower_bound.queries,
        paper=min(claims, default=None),
        met=all(outcome.holds for outcome in report.expectations),
        budget=report.scenario.queries,
        tone=tone(report),
    )


def _given_up(scenario: Scenario, answer: GivenUp) -> Row:
    point, met = swept(scenario, answer.scenario), not scenario.expectations
    return Row(scenario.name, point, WORD, None, None, None, None, None, None, None, met, answer)


def cheapest(report: Report) -> Candidate | None:
    """The certified attack with the fewest queries, whether or not the budget allows them."""
    certified = [(one.certified.queries, place, one) for place, one in enumerate(report.candidates) if one.certified]
    return min(certified)[2] if certified else None


def must_fit(scenarios: Sequence[Scenario], cap: int) -> None:
    """Refuse a scenario with more points than `cap` before any is planned."""
    for scenario in scenarios:
        count = scenario.sweep_size()
        if count > cap:
            message = f"the sweeps of {scenario.name} have {whole(count)} points, more than {whole(cap)}"
            raise CommandError(message, "sweep fewer values, or allow more with --max-points")


def place(scenario: Scenario, point: Scenario) -> str:
    """Where in the sweeps a point lies, as the start of a sentence; nothing where there is no sweep."""
    named = ", ".join(f"{name} = {value}" for name, value in swept(scenario, point).items())
    return f"at {named}: " if named else ""


def titles(fields: Iterable[str]) -> list[str]:
    """Swept fields at the head of a table, where `queries` are those that an attack needs."""
    return ["allowed" if name == "queries" else name for name in fields]


def swept(scenario: Scenario, point: Scenario) -> dict[str, str]:
    """The swept fields and their values at a point, as they are written."""
    from dsl.checking.fields import FIELDS
    from dsl.checking.spelling import field_value

    names = [sweep.field for sweep in scenario.sweeps]
    return {name: field_value(name, getattr(point, FIELDS[name].slot)) for name in names}
