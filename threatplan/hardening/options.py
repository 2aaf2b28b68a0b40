"""All that would do, in one list: what asks least of everybody stands first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from threatplan.changes import Change, changes
from threatplan.hardening.prices import LARGE, drowned, effort, price
from threatplan.hardening.search import proofs

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.report import Report
    from threatplan.hardening.advice import Advice


@dataclass(frozen=True, slots=True)
class Option:
    """A setting that does: what to change, and the report on the scenario changed so."""

    changes: tuple[Change, ...]
    report: Report
    price: float | None  # standard errors that an honest score may be off by; None: not known
    drowned: bool = False  # whether that leaves next to nothing of an honest score

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
    after = report.scenario
    return Option(made, report, price(before, after, made), drowned(before, after, made))


def present(report: Report) -> dict[str, Any]:
    """The board as it is, with which every answer begins, as plain data."""
    return {
        "name": report.scenario.name,
        "file": report.scenario.file,
        "verdict": str(report.verdict),
        "exposure": report.exposure.labels,
        "ceiling": report.ceiling.fraction,
    }


def unchanged(report: Report) -> dict[str, Any]:
    """That recovery is impossible already, as plain data."""
    return {**present(report), "already": True, "ranked": []}


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
    return sorted(deployable(now.scenario, reports), key=_asked)


def deployable(before: Scenario, reports: Iterable[Report]) -> list[Option]:
    """The options; without those that leave nothing of an honest score, where there are others."""
    found = [option(before, one) for one in reports]
    return [one for one in found if not one.drowned] or found


def _asked(one: Option) -> tuple[bool, int, float, int, int]:
    exposed = one.report.exposure.labels
    known = one.report.scenario.N if exposed is None else exposed
    return one.noticed, effort(one.changes, one.report.scenario), one.report.ceiling.fraction, known, len(one.changes)
