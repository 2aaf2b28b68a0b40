"""All that would do, in one list: what asks least of everybody stands first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from threatplan.changes import Change, changes
from threatplan.hardening.front import front
from threatplan.hardening.knobs import knobs
from threatplan.hardening.prices import LARGE, drowned, effort, price
from threatplan.hardening.search import mildest, proofs, remembered

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.channel.channel import Channel
    from planner.report import Report
    from threatplan.hardening.advice import Advice
    from threatplan.hardening.search import Goal, Planner


@dataclass(frozen=True, slots=True)
class Option:
    """A setting that does: what to change, and the report on the scenario changed so."""

    changes: tuple[Change, ...]
    report: Report
    price: float | None  # standard errors that an honest score may be off by; None: not known

    @property
    def lines(self) -> str:
        """The lines to write."""
        return ", ".join(one.line for one in self.changes)

    @property
    def proof(self) -> tuple[str, ...]:
        """The limits that make recovery impossible; where none does, the one behind the ceiling."""
        found = tuple(limit.id for limit in proofs(self.report))
        return found or ((self.report.ceiling.by,) if self.report.ceiling.by else ())

    @property
    def noticed(self) -> bool:
        """Whether an honest score may be off by a standard error or more, or nobody knows by how much."""
        return self.price is None or self.price >= LARGE

    def to_json(self) -> dict[str, Any]:
        """The option as plain data; an exposure of null is not known."""
        return {
            "set": {one.field: one.new for one in self.changes},
            "verdict": str(self.report.verdict),
            "exposure": self.report.exposure.labels,
            "ceiling": self.report.ceiling.fraction,
            "proof": list(self.proof),
            "standard_errors": self.price,
        }


def option(before: Scenario, report: Report) -> Option:
    """The scenario changed to that of a report."""
    made = changes(before, report.scenario)
    return Option(made, report, price(before, report.scenario, made))


@dataclass(frozen=True, slots=True)
class Capped:
    """The answer to `--ceiling`: settings at which no attack gets more of the labels right on average."""

    now: Report
    most: Fraction
    options: Sequence[Option]
    guessing: Fraction  # the share that is right without any score

    @property
    def already(self) -> bool:
        """Whether the present settings do."""
        return keeps(self.now.ceiling.labels, self.now.channel, self.most)

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        return {
            "name": self.now.scenario.name,
            "file": self.now.scenario.file,
            "verdict": str(self.now.verdict),
            "exposure": self.now.exposure.labels,
            "ceiling": self.now.ceiling.fraction,
            "wanted": float(self.most),
            "guessing": float(self.guessing),
            "already": self.already,
            "ranked": [one.to_json() for one in self.options],
        }


def unchanged(report: Report) -> dict[str, Any]:
    """That recovery is impossible already, as plain data."""
    return {
        "name": report.scenario.name,
        "file": report.scenario.file,
        "verdict": str(report.verdict),
        "exposure": report.exposure.labels,
        "ceiling": report.ceiling.fraction,
        "already": True,
        "ranked": [],
    }


def options(advice: Advice) -> list[Option]:
    """Every setting, alone or with a cap on queries, at which recovery is proved impossible."""
    alone = (one.impossible.report for one in advice.turned if one.impossible and one.impossible.milder is not None)
    paired = (pair.cap.report for pair in advice.combinations)
    return ranked(advice.now, (*alone, *paired, *advice.quiet))


def ranked(now: Report, reports: Sequence[Report]) -> list[Option]:
    """The options by what they ask: first what leaves honest scores as they are, by less than a standard error.

    Of these, settings that any board has come before a change of its scorer, and that before a gate of one's own; an error
    that is chosen against the attack is none that somebody could set. What asks as much is in the order of what it
    leaves: the lowest ceiling, which is proved of every attack, then the fewest labels known to be exposed.
    """
    return sorted(_deployable(now.scenario, reports), key=_asked)


def _deployable(before: Scenario, reports: Iterable[Report]) -> list[Option]:
    """The options; without those that leave nothing of an honest score, where there are others."""
    found = [option(before, one) for one in reports]
    return [one for one in found if not drowned(before, one.price)] or found


def _asked(one: Option) -> tuple[bool, int, float, int, int]:
    exposed = one.report.exposure.labels
    known = one.report.scenario.N if exposed is None else exposed
    return one.noticed, effort(one.changes, one.report.scenario), one.report.ceiling.fraction, known, len(one.changes)


def keeps(labels: int, channel: Channel, most: Fraction) -> bool:
    """Whether so many labels, the ceiling as `expect ceiling` counts it, are no more than this share."""
    return labels <= most * channel.scored


def ceiling_at_most(most: Fraction) -> Goal:
    """Whether it is proved that no attack gets more than this share of the labels right on average."""
    from planner.ceiling import labels_on_average
    from planner.channel.channel import channel_of

    known: dict[Scenario, bool] = {}  # the same caps are tried beside every knob

    def kept(scenario: Scenario) -> bool:
        if scenario not in known:
            channel = channel_of(scenario)
            known[scenario] = keeps(labels_on_average(channel), channel, most)
        return known[scenario]

    return kept


def capped(scenario: Scenario, most: Fraction, plan: Planner) -> Capped:
    """The largest cap on queries that keeps the ceiling, alone and beside each other knob.

    The largest cap stands first, but what honest participants would notice comes last.
    """
    from planner.ceiling import guessed

    plan = remembered(plan)
    now = plan(scenario)
    share, goal = guessed(now.channel), ceiling_at_most(most)
    if share > most or keeps(now.ceiling.labels, now.channel, most):
        return Capped(now, most, (), share)
    found = _deployable(scenario, _caps(scenario, now, goal, plan))
    return Capped(now, most, sorted(found, key=lambda one: (one.noticed, -(one.report.scenario.queries or 0))), share)


def _caps(scenario: Scenario, now: Report, goal: Goal, plan: Callable[[Scenario], Report]) -> Iterator[Report]:
    held = knobs(now)
    cap = next((one for one in held if one.name == "queries"), None)
    for knob in held:
        alone = mildest(scenario, knob, goal, plan)
        if alone is not None:
            yield alone.report
        if cap is not None and knob is not cap:
            yield from (pair.cap.report for pair in front(scenario, knob, alone, cap, goal, plan))
