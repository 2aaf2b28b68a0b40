"""The mildest setting that does: bisection between a setting that does not and one that does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.channel.channel import channel_of
from planner.limits import limits_of
from threatplan.hardening.knobs import Knob

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.model import Limit
    from planner.report import Report

    Goal = Callable[[Scenario], bool]
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


def impossible(scenario: Scenario) -> bool:
    """Whether full recovery is proved impossible; unknown is not. The limits alone decide it."""
    return bool(excluding(limits_of(channel_of(scenario)), scenario.queries))


def exposes_at_most(share: Fraction, plan: Planner) -> Goal:
    """Whether no certified attack recovers more than this share of the labels."""

    def small(scenario: Scenario) -> bool:
        labels = plan(scenario).exposure.labels
        return labels is not None and labels <= share * scenario.N

    return small


def exposure_known(plan: Planner) -> Goal:
    """That some attack is certified, so that there is a figure to speak of."""
    return lambda scenario: plan(scenario).exposure.labels is not None


def mildest(scenario: Scenario, knob: Knob, goal: Goal, plan: Planner, sayable: Goal | None = None) -> Proposal | None:
    """The first setting that reaches the goal; None when even the strongest does not.

    Where a goal speaks of what stronger settings leave unknown, the strongest is the last at which it is `sayable`.
    The bracket always holds a setting that misses the goal below one that reaches it, so what is found reaches
    it and its milder neighbour does not, whether or not the goal is monotone in the knob.
    """

    def holds(index: int, goal: Goal = goal) -> bool:
        return goal(knob.turn(scenario, knob.settings[index]))

    misses, reaches = 0, len(knob.settings) - 1
    if sayable is not None and not holds(reaches, sayable):
        known, unknown = 0, reaches
        while unknown - known > 1:
            middle = (known + unknown) // 2
            known, unknown = (middle, unknown) if holds(middle, sayable) else (known, middle)
        reaches = known
    if holds(0):
        reaches = 0
    elif not holds(reaches):
        return None
    while reaches - misses > 1:
        middle = (misses + reaches) // 2
        misses, reaches = (misses, middle) if holds(middle) else (middle, reaches)
    return Proposal(knob, reaches, plan(knob.turn(scenario, knob.settings[reaches])))


def proofs(report: Report) -> list[Limit]:
    """The limits that make the verdict impossible."""
    return excluding(report.limits, report.scenario.queries)


def excluding(limits: Sequence[Limit], budget: int | None) -> list[Limit]:
    """The limits that no attack within the budget can meet."""
    return [limit for limit in limits if limit.excludes(budget)]


def remembered(plan: Planner) -> Planner:
    """A planner that plans no scenario twice, and judges no expectation."""
    known: dict[Scenario, Report] = {}

    def recall(scenario: Scenario) -> Report:
        bare = replace(scenario, expectations=())
        if bare not in known:
            known[bare] = plan(bare)
        return known[bare]

    return recall
