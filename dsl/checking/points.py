"""The points of a scenario's sweeps: each one a scenario, made when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import Any, Final

from dsl.checking.assembly import Assembly
from dsl.checking.faults import Fault
from dsl.checking.fields import FIELDS
from dsl.checking.inheritance import Definition, Report
from dsl.checking.progressions import digits, pick
from dsl.checking.spelling import expression, field_value
from dsl.diagnostics import Diagnostic, ThreatError
from dsl.reading.syntax import Expr
from dsl.scenario import Scenario, Sweep

CHECKED: Final = 32  # points that are tried out when the file is read; past that, the ends of each sweep


def bases(parts: tuple[Sweep, ...], definition: Definition) -> dict[str, Expr]:
    """What swept fields without a value of their own hold at the base: their first value."""
    return {sweep.field: pick(sweep, 0) for sweep in parts if sweep.field not in definition.fields}


def points(scenario: Scenario) -> Iterator[Scenario]:
    """One scenario for each point, the last sweep turning fastest."""
    definition = scenario.definition
    assert definition is not None, "a scenario with sweeps keeps its definition"
    moving = {sweep.field for sweep in scenario.sweeps} | {field for field, _ in scenario.formulas}
    fixed = {name: getattr(scenario, field.slot) for name, field in FIELDS.items() if name not in moving}
    for index in range(scenario.sweep_size()):
        yield _point(scenario, definition, _chosen(scenario.sweeps, index), fixed)


def _chosen(made: tuple[Sweep, ...], index: int) -> dict[str, Expr]:
    turned = zip(made, digits(index, made), strict=True)
    return {sweep.field: pick(sweep, digit) for sweep, digit in turned}


def _point(scenario: Scenario, definition: Definition, chosen: dict[str, Expr], fixed: dict[str, Any]) -> Scenario:
    faults: list[Fault] = []
    made = Assembly(definition, faults.append, chosen, fixed).scenario()
    if made is None or faults:
        raise ThreatError(_diagnostic(definition, fault, chosen) for fault in faults)
    label = ", ".join(f"{field}={field_value(field, getattr(made, FIELDS[field].slot))}" for field in chosen)
    return replace(made, name=f"{scenario.name}[{label}]", title=scenario.title)


def _diagnostic(definition: Definition, fault: Fault, chosen: dict[str, Expr]) -> Diagnostic:
    message = _at_point(fault, chosen)
    return definition.source.diagnostic(fault.code, message, *fault.place, fault.hint)


def _at_point(fault: Fault, chosen: dict[str, Expr]) -> str:
    """The message of a fault, with the point at which it shows unless it points there itself."""
    if any(node.start <= fault.place.start < node.end for node in chosen.values()):
        return fault.message
    where = ", ".join(f"{field} = {expression(node)}" for field, node in chosen.items())
    return f"{fault.message} (at {where})"


def try_out(made: tuple[Sweep, ...], definition: Definition, base: dict[str, Expr], report: Report) -> None:
    """Check what can be checked before the points are asked for; one that does not fit is enough."""
    for chosen in _trials(made):
        faults: list[Fault] = []
        Assembly(definition, faults.append, {**base, **chosen}).scenario()
        for fault in faults:
            report(Fault(fault.code, _at_point(fault, chosen), fault.place, fault.hint))
        if faults:
            return


def _trials(made: tuple[Sweep, ...]) -> Iterator[dict[str, Expr]]:
    """Points to try: all of a small product; else those of each sweep, and of a long one the ends of its parts."""
    total = prod(sweep.size for sweep in made)
    if total <= CHECKED:
        yield from (_chosen(made, index) for index in range(total))
        return
    for sweep in made:
        whole = sweep.size <= CHECKED
        tried = (pick(sweep, index) for index in range(sweep.size)) if whole else _ends(sweep)
        yield from ({sweep.field: node} for node in tried)


def _ends(sweep: Sweep) -> Iterator[Expr]:
    """The first and the last value of each part of a sweep, as far as there are not too many."""
    for part in sweep.parts[:CHECKED]:
        yield part.at(0)
        if part.size > 1:
            yield part.at(part.size - 1)
