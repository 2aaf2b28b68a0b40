"""The frontier: one scenario planned over the values of one field, through the language's own sweep."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from dsl.checking.spelling import field_value, rational
from dsl.scenario import Decimals, Scenario, Significant, Truncated
from dsl.writing.edits import add_sweep
from tui.noise_control import law, level, written
from tui.numbers import decades, one_two_five
from tui.plot import Point, Share
from tui.steps import CLIPS, PRECISIONS
from tui.thinking import Question, Thinker

if TYPE_CHECKING:
    from planner.report import Report

MOST_SHOWN_DECIMALS = 8
LEVELS = decades(-9, 1)
SIZES = one_two_five(10, 10**7)
MOST_QUERIES = 10**6


@dataclass(frozen=True, slots=True)
class Sweep:
    """A text, the scenario of it and the field to vary."""

    text: str
    scenario: str
    axis: str


@dataclass(frozen=True, slots=True)
class Frontier:
    """The points of a sweep; `fault` says why there are none."""

    sweep: Sweep
    points: tuple[Point, ...] = ()
    budget: int | None = None
    fault: str | None = None


def explore(thinker: Thinker, sweep: Sweep) -> Iterator[Frontier]:
    """Plan the points of the sweep one by one, the present value first and then outwards from it."""
    from dsl import ThreatError

    try:
        here = thinker.scenario(Question(sweep.text, sweep.scenario))
        rungs, now = axis_rungs(here, sweep.axis), PRESENT[sweep.axis](here)
        text = add_sweep(sweep.text, sweep.scenario, sweep.axis, [rung.text for rung in rungs]) or ""
        swept = next(one for one in thinker.read(text).scenarios if one.name == sweep.scenario)
        scenarios = list(swept.points())
    except ThreatError as error:
        yield Frontier(sweep, fault=error.diagnostics[0].message)
        return
    kind, told = (Share, share) if sweep.axis == BUDGETS else (Point, point)
    points = [kind(rung.label, None, None, None, rung == now, planned=False) for rung in rungs]
    at = rungs.index(now)
    for index in sorted(range(len(rungs)), key=lambda index: abs(index - at)):
        points[index] = told(thinker.report(scenarios[index]), rungs[index].label, index == at)
        yield Frontier(sweep, tuple(points), None if sweep.axis == BUDGETS else here.queries)


def point(report: Report, label: str, here: bool = False) -> Point:
    """What a report says about numbers of queries."""
    certified = [one.certified.queries for one in report.candidates if one.certified]
    claimed = [one.paper.queries for one in report.candidates if one.paper]
    hopeless = any(limit.excludes_all for limit in report.limits)
    limit = math.inf if hopeless else report.lower_bound.queries
    return Point(label, limit, min(certified, default=None), min(claimed, default=None), here)


def share(report: Report, label: str, here: bool = False) -> Share:
    """What a report says about shares of the labels, in percent: those that are certified, and the ceiling."""
    known = report.exposure.fraction
    return Share(label, 100 * float(report.ceiling.fraction), None if known is None else 100 * float(known), None, here)


@dataclass(frozen=True, slots=True, order=True)
class Rung:
    """One value of the field: its place in the order, how it is written, how the axis labels it."""

    key: float
    text: str
    label: str


def axis_rungs(scenario: Scenario, axis: str) -> list[Rung]:
    """The values to plan, in order; the present one is among them, as it is written."""
    rungs = {rung.key: rung for rung in RUNGS[axis](scenario)}
    here = PRESENT[axis](scenario)
    return sorted((rungs | {here.key: here}).values())


def _decimals(scenario: Scenario) -> list[Rung]:
    return [Rung(digits, str(digits), str(digits)) for digits in range(MOST_SHOWN_DECIMALS + 1)] + [FULL]


def _decimals_now(scenario: Scenario) -> Rung:
    match scenario.shown:
        case Decimals(digits=digits):
            return Rung(digits, field_value("decimals", scenario.shown), str(digits))
        case Truncated(digits=digits):
            return Rung(digits - 0.25, field_value("decimals", scenario.shown), f"t{digits}")
        case Significant(digits=digits):
            return Rung(digits - 0.5, field_value("decimals", scenario.shown), f"s{digits}")
    return FULL


def _noises(scenario: Scenario) -> list[Rung]:
    name = law(scenario.noise)
    name = "bounded" if name == "none" else name
    levels = [one for one in LEVELS if name != "multiplicative" or one < 1]
    return [QUIET, *(Rung(float(one), written(name, one), decade_label(one)) for one in levels)]


def _noise_now(scenario: Scenario) -> Rung:
    scale = level(scenario.noise)
    if scale is None:
        return QUIET
    return Rung(float(scale), field_value("noise", scenario.noise), decade_label(scale))


def _precisions(scenario: Scenario) -> list[Rung]:
    return [_precision(text) for text in PRECISIONS]


def _precision(text: str) -> Rung:
    """Fixed-point formats by their bits, then the IEEE ones, then exact arithmetic."""
    if text.startswith("float"):
        return Rung(10_000 + int(text[5:]), text, text.replace("float", "f"))
    if text.isdigit():
        return Rung(int(text), text, text)
    return Rung(math.inf, text, "∞") if text == "arbitrary" else Rung(9_999, text, "fix")


def _sizes(scenario: Scenario) -> list[Rung]:
    return [_size(size) for size in SIZES]


def _size(size: int) -> Rung:
    return Rung(size, rational(size), decade_label(Fraction(size)))


def _budgets(scenario: Scenario) -> list[Rung]:
    """Up to where one label a query would do, and somewhat further."""
    return [_budget(queries) for queries in one_two_five(1, min(2 * scenario.N * scenario.K, MOST_QUERIES))]


def _budget(queries: int | None) -> Rung:
    return ENDLESS if queries is None else Rung(queries, rational(queries), decade_label(Fraction(queries)))


def _clips(scenario: Scenario) -> list[Rung]:
    return [UNCLIPPED, *(Rung(float(clip), rational(clip), decade_label(clip)) for clip in CLIPS)]


def _clip_now(scenario: Scenario) -> Rung:
    if scenario.clip is None:
        return UNCLIPPED
    return Rung(float(scenario.clip.lo), field_value("clip", scenario.clip), decade_label(scenario.clip.lo))


def decade_label(figure: Fraction) -> str:
    """A short label: 1e-5, 2e4, 300."""
    power = math.floor(math.log10(figure)) if figure > 0 else 0
    lead = figure / Fraction(10) ** power
    if -3 < power < 3:
        return f"{float(figure):g}"
    return f"{float(lead):.3g}e{power}"


FULL = Rung(math.inf, "full", "full")
QUIET = Rung(0, "none", "none")
UNCLIPPED = Rung(0, "none", "none")
ENDLESS = Rung(math.inf, "unlimited", "∞")
BUDGETS = "queries"
RUNGS: dict[str, Callable[[Scenario], list[Rung]]] = {
    "decimals": _decimals,
    "noise": _noises,
    "phi": _precisions,
    "N": _sizes,
    "clip": _clips,
    BUDGETS: _budgets,
}
PRESENT: dict[str, Callable[[Scenario], Rung]] = {
    "decimals": _decimals_now,
    "noise": _noise_now,
    "phi": lambda scenario: _precision(field_value("phi", scenario.phi)),
    "N": lambda scenario: _size(scenario.N),
    "clip": _clip_now,
    BUDGETS: lambda scenario: _budget(scenario.queries),
}
AXES = tuple(RUNGS)
