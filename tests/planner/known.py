"""Short ways to write the scenarios that the known answers speak of."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dsl.numbers import Real
from dsl.scenario import Bounded, Decimals, FixedPoint, Scenario
from planner import plan
from planner.model import Candidate, Limit, Plan
from planner.report import Report
from tests.planner.scenarios import CLIP


def real(value: object) -> Real:
    """The exact number."""
    return Real.of(Fraction(str(value)))


def fpa(phi: int) -> FixedPoint:
    """The paper's FPA(phi)."""
    fraction = (phi - 1) // 2
    return FixedPoint(phi - 1 - fraction, fraction)


def planned(N: int, *, d: int | None = None, tau: object = None, clip: Real | None = CLIP, **fields: Any) -> Report:
    """A report on N labels behind a clip of 1e-15, with d decimals or bounded noise tau."""
    if d is not None:
        fields["shown"] = Decimals(d)
    if tau is not None:
        fields["noise"] = Bounded(real(tau))
    return plan(Scenario(name="known", N=N, clip=clip, **fields))


def candidate(report: Report, attack: str) -> Candidate:
    """The candidate of that name."""
    return next(one for one in report.candidates if one.attack == attack)


def certified(report: Report, attack: str) -> Plan:
    """The certified plan of that attack, which must have one."""
    found = candidate(report, attack).certified
    assert found is not None, (attack, candidate(report, attack).reasons)
    return found


def limit(report: Report, id: str) -> Limit:
    """The limit of that name."""
    return next(one for one in report.limits if one.id == id)
