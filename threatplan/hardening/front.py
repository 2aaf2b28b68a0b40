"""Combinations: a second knob turned part of the way, and the highest cap on queries that then suffices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from threatplan.hardening.knobs import Knob, caps
from threatplan.hardening.search import mildest

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from threatplan.hardening.search import Goal, Planner, Proposal

MOST = 3  # settings of the second knob that are tried


@dataclass(frozen=True, slots=True)
class Combination:
    """A setting of one knob together with a cap on queries."""

    knob: Knob
    setting: str
    cap: Proposal


def front(
    scenario: Scenario,
    knob: Knob,
    alone: Proposal | None,
    cap: Knob,
    goal: Goal,
    plan: Planner,
    sayable: Goal | None = None,
) -> Iterator[Combination]:
    """Pairs of which none is milder than another in one knob and no stronger in the other.

    The second knob is turned from mild to strong, short of the setting that does it alone; a pair earns its
    place by allowing more queries than the cap does alone, and than every milder setting before it.
    """
    by_itself = mildest(scenario, cap, goal, plan, sayable)
    highest = _cap(by_itself)
    end = alone.index if alone else len(knob.settings)
    for setting in _spread(knob.settings[1:end]):
        turned = knob.turn(scenario, setting)
        # Where nothing is allowed yet, the other setting makes attacks dearer: caps start from what the best one asks then.
        own = cap if scenario.queries is not None else caps(plan(turned))
        found = mildest(turned, own, goal, plan, sayable)
        if found is not None and _cap(found) > highest:
            highest = _cap(found)
            yield Combination(knob, knob.show(setting), found)


def _cap(found: Proposal | None) -> int:
    return (found.report.scenario.queries or 0) if found else 0


def _spread(settings: Sequence[Any]) -> list[Any]:
    """A few settings, evenly spread, the mildest and the strongest among them."""
    if len(settings) <= MOST:
        return list(settings)
    last = len(settings) - 1
    return [settings[last * i // (MOST - 1)] for i in range(MOST)]
