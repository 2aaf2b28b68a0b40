"""What to tell an organiser: the present state, what each knob does alone, and what pairs of them do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from threatplan.hardening.costs import cost_of
from threatplan.hardening.front import Combination, front
from threatplan.hardening.knobs import Knob, knobs
from threatplan.hardening.options import options, present
from threatplan.hardening.search import (
    Proposal,
    exposes_at_most,
    exposure_known,
    impossible,
    mildest,
    proofs,
    remembered,
)

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.model import Verdict
    from planner.report import Report
    from threatplan.hardening.aims import Aimed
    from threatplan.hardening.options import Option
    from threatplan.hardening.search import Planner

EXPOSED = Fraction(5, 100)  # of the labels: the share that is asked about where nobody names one


@dataclass(frozen=True, slots=True)
class Turned:
    """What one knob does alone: None where even its strongest setting does not reach the goal."""

    knob: Knob
    impossible: Proposal | None
    exposed: Proposal | None


@dataclass(frozen=True, slots=True)
class Advice:
    """All there is to say about hardening one scenario."""

    now: Report
    share: Fraction
    turned: Sequence[Turned]
    combinations: Sequence[Combination]
    rounded: Verdict | None  # what `digits_alone` says
    quiet: Sequence[Report] = ()  # with settings at which next to nothing is told
    aimed: Aimed | None = None  # settings that keep to a share, where they were asked for: they are what is listed

    @property
    def listed(self) -> Sequence[Option]:
        """The settings that are listed: those that keep to the share that was asked for, else those of a proof."""
        return options(self) if self.aimed is None else self.aimed.options

    def to_json(self) -> dict[str, Any]:
        """The advice as plain data."""
        return {
            **present(self.now),
            "already": False,
            "share": float(self.share),
            "ranked": [one.to_json() for one in self.listed],
            "knobs": [_turned(one) for one in self.turned],
            "combinations": [_combination(one) for one in self.combinations],
            "rounded": self.rounded and str(self.rounded),
        }


def advise(scenario: Scenario, share: Fraction, plan: Planner, aimed: Aimed | None = None) -> Advice:
    """Search every knob, then the pairs of a knob and a cap on queries; what keeps to an aim is listed instead."""
    plan = remembered(plan)
    now = plan(scenario)
    held = knobs(now)
    small = exposes_at_most(share, plan)
    known = exposure_known(plan)
    turned = [
        Turned(one, mildest(scenario, one, impossible, plan), mildest(scenario, one, small, plan, known))
        for one in held
    ]
    pairs: list[Combination] = []
    cap = next((one for one in held if one.name == "queries"), None)
    if cap is not None and not impossible(scenario):
        others = [one for one in turned if one.knob is not cap]
        fronts = (front(scenario, one.knob, one.impossible, cap, impossible, plan) for one in others)
        pairs = [pair for found in fronts for pair in found]
    rounded, quiet = digits_alone(scenario, turned, plan), quiet_of(scenario, turned, plan)
    return Advice(now, share, turned, pairs, rounded, quiet, aimed)


def quiet_of(scenario: Scenario, turned: Sequence[Turned], plan: Planner) -> list[Report]:
    """What knobs have to offer beside the mildest setting that does: of a Ladder, steps that nobody's chance gets below."""
    found = [plan(one.knob.turn(scenario, one.knob.quiet)) for one in turned if one.knob.quiet is not None]
    known = [one.impossible.report.scenario for one in turned if one.impossible is not None]
    return [one for one in found if proofs(one) and one.scenario not in known]


def digits_alone(scenario: Scenario, turned: Sequence[Turned], plan: Planner) -> Verdict | None:
    """What rounding does by itself: the verdict on the fewest digits, without any cap on queries.

    None where digits of one kind, be it decimals or significant ones, do make it impossible.
    """
    uncapped = replace(scenario, queries=None)
    blunt = [one for one in turned if one.knob.rounds]
    if any(one.impossible is not None for one in blunt):
        return None
    return min((plan(one.knob.turn(uncapped, one.knob.settings[-1])).verdict for one in blunt), default=None)


def _turned(one: Turned) -> dict[str, Any]:
    settings = one.knob.settings
    return {
        "knob": one.knob.name,
        "now": one.knob.show(settings[0]),
        "strongest": one.knob.show(settings[-1]),
        "impossible": _proposal(one.impossible),
        "exposure": _proposal(one.exposed),
    }


def _proposal(one: Proposal | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "setting": one.setting,
        "milder": one.milder,
        "verdict": str(one.report.verdict),
        "exposure": one.report.exposure.labels,
        "ceiling": one.report.ceiling.fraction,
        "cost": _cost(one),
        "proof": [{"limit": limit.id, "why": limit.why} for limit in proofs(one.report)],
    }


def _cost(one: Proposal) -> dict[str, Any] | None:
    """What it costs honest participants, where that is known."""
    found = cost_of(one.report.scenario)
    return None if found is None else {"error": found.error, "score": found.score, "standard_errors": found.errors}


def _combination(pair: Combination) -> dict[str, Any]:
    cap = _proposal(pair.cap)
    return {
        "knob": pair.knob.name,
        "setting": pair.setting,
        "queries": pair.cap.report.scenario.queries,
        "cap": cap,
    }
