"""The report, and its JSON, whole enough to be proved again from it alone; the names are a contract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from dsl.alike import ByFields
from dsl.scenario import Scenario
from planner.assumptions import assumptions
from planner.attacks.promise import Promise
from planner.ceiling import Ceiling, ceiling_of
from planner.channel.channel import Channel
from planner.comfort import Guessed, if_guessed
from planner.exact import exact
from planner.leaks import Leak, leaks_of
from planner.model import Candidate, Certificate, Claim, Exposure, Limit, LowerBound, Outcome, Plan, Verdict
from planner.numerics.inequality import Inequality
from planner.numerics.lockless import cached_property
from planner.numerics.reals import bound, working
from planner.whynot import telling

SCHEMA = 2  # of a document that holds reports


@dataclass(frozen=True, repr=False, eq=False)
class Report(ByFields):
    """All there is to say about one scenario."""

    scenario: Scenario
    channel: Channel
    verdict: Verdict
    why: str
    best: Candidate | None
    exposure: Exposure
    lower_bound: LowerBound
    candidates: tuple[Candidate, ...]
    limits: tuple[Limit, ...]
    expectations: tuple[Outcome, ...]

    @cached_property
    def why_not(self) -> tuple[str, ...]:
        """The refused attacks that settings alone keep out, and that would do better without: their reasons come first."""
        return telling(self.candidates, self.scenario)

    @cached_property
    def ceiling(self) -> Ceiling:
        """What no attack exceeds within the budget, on average and as a promise; reckoned when it is asked for."""
        return ceiling_of(self.channel)

    @cached_property
    def assumes(self) -> tuple[str, ...]:
        """What the verdict takes for granted of the attacker and the board."""
        return assumptions(self.channel)

    @cached_property
    def if_guessed(self) -> tuple[Guessed, ...]:
        """Where nothing is known of the labels and the verdict is impossible: what somebody with a guess would need."""
        return if_guessed(self.channel) if self.verdict is Verdict.IMPOSSIBLE else ()

    @cached_property
    def leaks(self) -> tuple[Leak, ...]:
        """Of several scores that come back together, what each gives away by itself: the most telling first."""
        return leaks_of(self.channel)

    def to_json(self) -> dict[str, Any]:
        """The scenario's entry in the JSON contract."""
        return report_to_json(self)

    def __repr__(self) -> str:
        return f"<Report {self.scenario.name}: {self.verdict}, {self.why}>"

    def _repr_html_(self) -> str | None:
        """The report in a notebook; the short form where nobody said how a page is made."""
        return show_html(self) if show_html is not None else None


show_html: Callable[[Report], str] | None = None
"""How a report is shown in a notebook. Whoever makes pages sets it: the planner knows none."""


def report_to_json(report: Report) -> dict[str, Any]:
    """One entry of `scenarios`."""
    scenario, exposure = report.scenario, report.exposure
    return {
        "name": scenario.name,
        "title": scenario.title,
        "file": scenario.file,
        "verdict": str(report.verdict),
        "why": report.why,
        "scenario": scenario_to_json(scenario),
        "channel": channel_to_json(report.channel),
        "best": _best(report.best),
        "exposure": {
            "labels": exposure.labels,
            "fraction": exposure.fraction,
            "queries": exposure.queries,
            "attack": exposure.attack,
            "certified": _certified(exposure.candidate),
            "right": exposure.right,
            "corrected": exposure.corrected,
            "averaged": _averaged(exposure.averaged),
        },
        "ceiling": _ceiling(report.ceiling),
        "assumes": list(report.assumes),
        "if_guessed": [_guessed(one) for one in report.if_guessed],
        "leaks": [_leak(one) for one in report.leaks],
        "lower_bound": {"queries": report.lower_bound.queries, "by": report.lower_bound.by},
        "why_not": list(report.why_not),
        "candidates": [_candidate(one) for one in report.candidates],
        "limits": [_limit(one) for one in report.limits],
        "expectations": [
            {"text": one.text, "line": one.line, "holds": one.holds, "actual": one.actual}
            for one in report.expectations
        ],
    }


APART = ("name", "title", "file", "expectations")  # fields that the entry states elsewhere
WRITTEN = ("sweeps", "formulas", "origins", "definition", "expand")  # how values were written, not what they are


def scenario_to_json(scenario: Scenario) -> dict[str, Any]:
    """Every field of the scenario, exactly."""
    kept = (each.name for each in fields(scenario) if each.name not in APART + WRITTEN)
    written = {name: exact(getattr(scenario, name)) for name in kept}
    return written if scenario.split else {**written, "public": None}  # all rows, whichever way that was said


def number(value: Fraction) -> int | float:
    """An integer where it is one."""
    return value.numerator if value.denominator == 1 else float(value)


def _best(best: Candidate | None) -> dict[str, Any] | None:
    if best is None or best.certified is None:
        return None
    chain = [{"id": step.id, "text": step.text} for step in best.certified.chain]
    return {"attack": best.attack, "theorem": best.theorem, **_figures(best.certified), "chain": chain}


def _figures(plan: Plan) -> dict[str, Any]:
    return {
        "labels_per_query": number(plan.labels_per_query),
        "queries": plan.queries,
        "precision_bits": plan.precision_bits,
        "prediction_bits": plan.prediction_bits,
        "operations": plan.operations,
        "memory": plan.memory,
        "exposure": plan.exposure,
    }


def _certified(candidate: Candidate | None) -> dict[str, Any] | None:
    """A certified plan: its figures, and all that its proof needs."""
    if candidate is None or candidate.certified is None:
        return None
    return {**_figures(candidate.certified), **certificate_to_json(candidate.certified.certificate)}


def _averaged(candidate: Candidate | None) -> dict[str, Any] | None:
    """The attack that leaves more labels right than any makes known."""
    if candidate is None:
        return None
    return {"attack": candidate.attack, "certified": _certified(candidate)}


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "attack": candidate.attack,
        "theorem": candidate.theorem,
        "status": str(candidate.status),
        "paper": _claim(candidate.paper),
        "certified": _certified(candidate),
        "reasons": [
            {"field": one.field, "need": one.need, "have": one.have, "line": one.line, "cite": one.cite}
            for one in candidate.reasons
        ],
    }


def _claim(claim: Claim | None) -> dict[str, Any] | None:
    if claim is None:
        return None
    return {"labels_per_query": claim.labels_per_query, "queries": claim.queries, "erratum": claim.erratum}


def certificate_to_json(certificate: Certificate) -> dict[str, Any]:
    """The inequalities, and the parameters from which anyone can derive them again."""
    return {
        "certificate": [_inequality(one) for one in certificate.inequalities],
        "guarantee": certificate.guarantee,
        "promise": _promise(certificate.promise),
        "obligations": [
            {"field": one.field, "need": one.need, "have": one.have, "holds": one.holds}
            for one in certificate.obligations
        ],
        "parameters": certificate.parameters.to_json(),
    }


def _promise(promise: Promise) -> dict[str, Any]:
    return {
        "labels": promise.labels,
        "classes": promise.classes,
        "queries": promise.queries,
        "adaptive": promise.adaptive,
        "wrong": promise.wrong,
        "membership": promise.membership,
        "chance": str(promise.chance),
        "over": promise.over,
        "assumes": dict(promise.assumes),
    }


def _inequality(one: Inequality) -> dict[str, Any]:
    return {
        "name": one.name,
        "left": [one.left.lo, one.left.hi],
        "relation": one.relation,
        "right": [one.right.lo, one.right.hi],
        "holds": one.holds,
    }


def _limit(limit: Limit) -> dict[str, Any]:
    return {
        "id": limit.id,
        "title": limit.title,
        "queries": limit.queries,
        "excludes_all": limit.excludes_all,
        "why": limit.why,
        "cite": limit.cite,
        "parameters": exact(dict(limit.parameters)),
        "inequalities": [_inequality(one) for one in limit.inequalities],
    }


def _guessed(one: Guessed) -> dict[str, Any]:
    """What a guess of this share would need, with the certificate; nothing where no attack is certified."""
    found = one.candidate
    status = None if found is None else str(found.status)
    attack = None if found is None else found.attack
    return {"guess": str(one.share), "attack": attack, "status": status, "certified": _certified(found)}


def _leak(one: Leak) -> dict[str, Any]:
    """What a score gives away by itself; nothing where no attack is certified."""
    attack = None if one.candidate is None else one.candidate.attack
    return {"metric": one.metric, "attack": attack, "certified": _certified(one.candidate)}


def _ceiling(ceiling: Ceiling) -> dict[str, Any]:
    return {
        "fraction": ceiling.fraction,
        "labels": ceiling.labels,
        "by": ceiling.by,
        "parameters": exact(dict(ceiling.parameters)),
        "promised": ceiling.promised,
        "beyond": None if ceiling.beyond is None else _limit(ceiling.beyond),
    }


NAMES = {"rows": "N", "classes": "K", "wanted": "target", "metric_id": "metric"}  # what the contract calls them
PLACES = ("lines", "sources", "scenario")  # fields that say where a value comes from


def channel_to_json(channel: Channel) -> dict[str, Any]:
    """Every field, exactly; and the figures: W as it can be reached and E for a query of idle rows."""
    with working(channel.working_bits):
        largest = float(channel.reach()) if channel.bounded else None
        error = channel.errors(1).sum_error(channel.neutral_charge())
        nearest, enclosed = float(error), bound(error)
    return {
        "exact": {
            NAMES.get(each.name, each.name): exact(getattr(channel, each.name))
            for each in fields(channel)
            if each.name not in PLACES
        },
        "N": channel.rows,
        "K": channel.classes,
        "W": largest,
        "E": nearest,
        "E_bounds": [enclosed.lo, enclosed.hi],
        "columns": channel.columns,
        "adaptive": channel.adaptive,
        "noise": channel.law.name,
        "target": channel.wanted,
        "delta": float(channel.delta),
        "sources": dict(channel.sources),
    }
