"""The mildest setting that does: bisection between a setting that does not and one that does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.model import Verdict
from threatplan.hardening.knobs import Knob

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.model import Limit, Report

    Goal = Callable[[Report], bool]
    Planner = Callable[[Scenario], Report]


@dataclass(frozen=True, slots=True)
class Proposal:
    """The mildest setting at which a goal holds, planned."""

    knob: Knob
    index: int
    report: Report

    @property
    def setting(self) -> str:
        """The setting, as it is written."""
        return self.knob.show(self.knob.settings[self.index])

    @property
    def milder(self) -> str | None:
        """The next milder setting, which does not reach the goal; None where the present one does."""
        return self.knob.show(self.knob.settings[self.index - 1]) if self.index else None


def impossible(report: Report) -> bool:
    """Whether full recovery is proved impossible; unknown is not."""
    return report.verdict is Verdict.IMPOSSIBLE


def exposes_at_most(share: Fraction) -> Goal:
    """Whether no certified attack recovers more than this share of the labels."""
    return lambda report: report.exposure.labels <= share * report.scenario.N


def mildest(scenario: Scenario, knob: Knob, goal: Goal, plan: Planner) -> Proposal | None:
    """The first setting that reaches the goal; None when even the strongest does not.

    The bracket always holds a setting that misses the goal below one that was planned and reaches it, so the
    answer and its milder neighbour are both planned, whether or not the goal is monotone in the knob.
    """
    reached: dict[int, Report] = {}

    def holds(index: int) -> bool:
        report = plan(knob.turn(scenario, knob.settings[index]))
        if goal(report):
            reached[index] = report
        return index in reached

    misses, reaches = 0, len(knob.settings) - 1
    if holds(0):
        return Proposal(knob, 0, reached[0])
    if not holds(reaches):
        return None
    while reaches - misses > 1:
        middle = (misses + reaches) // 2
        misses, reaches = (misses, middle) if holds(middle) else (middle, reaches)
    return Proposal(knob, reaches, reached[reaches])


def proofs(report: Report) -> list[Limit]:
    """The limits that make the verdict impossible."""
    budget = report.scenario.queries
    return [
        limit
        for limit in report.limits
        if limit.excludes_all or (budget is not None and limit.queries is not None and limit.queries > budget)
    ]


def remembered(plan: Planner) -> Planner:
    """A planner that plans no scenario twice."""
    known: dict[Scenario, Report] = {}

    def recall(scenario: Scenario) -> Report:
        bare = replace(scenario, expectations=())
        if bare not in known:
            known[bare] = plan(bare)
        return known[bare]

    return recall
