"""What to tell an organiser: the present state, what each knob does alone, and what pairs of them do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from threatplan.hardening.front import Combination, front
from threatplan.hardening.knobs import Knob, knobs
from threatplan.hardening.search import Proposal, exposes_at_most, impossible, mildest, proofs, remembered

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.model import Report
    from threatplan.hardening.search import Planner


@dataclass(frozen=True, slots=True)
class Turned:
    """What one knob does alone: None where even its strongest setting does not reach the goal."""

    knob: Knob
    impossible: Proposal | None
    exposed: Proposal | None

    @property
    def rounding_fails(self) -> bool:
        """Whether showing fewer digits, however few, does not make recovery impossible."""
        return self.knob.rounds and self.impossible is None


@dataclass(frozen=True, slots=True)
class Advice:
    """All there is to say about hardening one scenario."""

    now: Report
    share: Fraction
    turned: Sequence[Turned]
    combinations: Sequence[Combination]

    @property
    def rounding_fails(self) -> bool:
        """Whether rounding alone is no defence here."""
        return any(one.rounding_fails for one in self.turned)

    def to_json(self) -> dict[str, Any]:
        """The advice as plain data."""
        return {
            "name": self.now.scenario.name,
            "file": self.now.scenario.file,
            "verdict": str(self.now.verdict),
            "exposure": self.now.exposure.labels,
            "share": float(self.share),
            "knobs": [_turned(one) for one in self.turned],
            "combinations": [_combination(one) for one in self.combinations],
            "rounding_alone_fails": self.rounding_fails,
        }


def advise(scenario: Scenario, share: Fraction, plan: Planner) -> Advice:
    """Search every knob, then the pairs of a knob and a cap on queries."""
    plan = remembered(plan)
    now = plan(scenario)
    held = knobs(now)
    small = exposes_at_most(share, plan)
    turned = [
        Turned(one, mildest(scenario, one, impossible, plan), mildest(scenario, one, small, plan)) for one in held
    ]
    pairs: list[Combination] = []
    cap = next((one for one in held if one.name == "queries"), None)
    if cap is not None and not impossible(scenario):
        others = [one for one in turned if one.knob is not cap]
        fronts = (front(scenario, one.knob, one.impossible, cap, impossible, plan) for one in others)
        pairs = [pair for found in fronts for pair in found]
    return Advice(now, share, turned, pairs)


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
        "proof": [{"limit": limit.id, "why": limit.why} for limit in proofs(one.report)],
    }


def _combination(pair: Combination) -> dict[str, Any]:
    cap = _proposal(pair.cap)
    return {
        "knob": pair.knob.name,
        "setting": pair.setting,
        "queries": pair.cap.report.scenario.queries,
        "cap": cap,
    }
