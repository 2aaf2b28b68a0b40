"""`plan check FILE...`: expectations as a gate."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from threatplan.arguments import common, files, max_points, seconds
from threatplan.faults import BAD_INPUT, DONE, UNMET, InputError
from threatplan.patience import within
from threatplan.render.numbers import of
from threatplan.render.page import Page

if TYPE_CHECKING:
    import argparse

    from dsl import ThreatError
    from threatplan.faults import CommandError
    from threatplan.gate import Gate

    Fault = CommandError | ThreatError

FORMATS = ("text", "json", "junit", "github", "sarif")
WRITES = "an expectation is a line such as `expect exposure <= 5%`; `plan harden FILE --apply NEW` writes some"
DESCRIPTION = """Check what the files expect, at every point of their sweeps.

Exit code 1 when an expectation does not hold, or when a file holds none; 2 when a scenario was given up."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    files(parser)
    common(parser, FORMATS)
    parser.add_argument("--allow-empty", action="store_true", help="accept files without expectations")
    max_points(parser)
    seconds(parser, "a scenario, or a point of its sweeps,")


def run(args: argparse.Namespace) -> int:
    """Plan every point and compare it with what was expected."""
    from planner import plan
    from threatplan.gate import gates
    from threatplan.inputs import gather, select
    from threatplan.sweeps import must_fit

    found, faults = gather(args)
    if not faults:
        found = select(found, args.scenario)
    must_fit(found, args.max_points)
    planner = partial(within, args.seconds, plan)
    seen: list[Gate] = []
    found_gates = _kept(gates(found, planner, args.allow_empty, chosen=bool(args.scenario)), seen)
    met = _show(args, found_gates, faults)
    if faults and args.format in ("text", "json"):
        raise InputError(faults)
    if faults or any(gate.gave_up for gate in seen):
        return BAD_INPUT
    return DONE if met else UNMET


def _kept(found: Iterable[Gate], seen: list[Gate]) -> Iterator[Gate]:
    for gate in found:
        seen.append(gate)
        yield gate


def _show(args: argparse.Namespace, found: Iterable[Gate], faults: Sequence[Fault]) -> bool:
    """Write the gates in the format asked for; whether all are open."""
    if args.format == "text":
        where = " in the scenarios chosen" if args.scenario else ""
        return _text(found, len(faults), where, Page.of(sys.stdout, args.color))
    if args.format == "json":
        return _json(found)
    from threatplan.gate import problems
    from threatplan.render import github, junit, sarif

    done = list(found)
    renderers = {"junit": junit.render, "github": github.render, "sarif": sarif.render}
    for line in renderers[args.format](done, problems(faults)):
        print(line)
    return all(gate.holds for gate in done)


def _json(found: Iterable[Gate]) -> bool:
    from threatplan.render.json import JsonList

    met = True
    with JsonList("checks") as document:
        for gate in found:
            document.add(gate.to_json())
            met &= gate.holds
    return met


def _text(found: Iterable[Gate], faults: int, where: str, page: Page) -> bool:
    scenarios = expectations = failures = empty = given_up = 0
    for gate in found:
        for line in _lines(gate, page):
            print(line)
        scenarios += gate.points > 0
        expectations += len(gate.outcomes)
        failures += gate.failures
        empty += gate.lack is not None
        given_up += gate.gave_up is not None
    found_bad = [
        (faults, f"{of(faults, 'input')} cannot be read"),
        (failures, of(failures, "failure")),
        (given_up, f"{of(given_up, 'scenario')} given up"),
        (empty, f"{of(empty, 'file')} without expectations{where}"),
    ]
    outcome = [page.ink(text, "bad") for count, text in found_bad if count]
    if expectations and not failures and not given_up:
        outcome.append(page.ink("all hold", "good"))
    said = f"{of(expectations, 'expectation')} in {of(scenarios, 'scenario')}" if expectations else "nothing checked"
    print(f"{said}: {', '.join(outcome) or f'no expectations{where}'}")
    if empty:
        print(f"hint: {WRITES}", file=sys.stderr)
    return not failures and not empty and not given_up


def _lines(gate: Gate, page: Page) -> Iterator[str]:
    from dsl.visible import visible

    mark = page.ink("ok", "good") + "  " if gate.holds else page.ink("FAIL", "bad")
    if gate.holds and not gate.outcomes:
        mark = page.ink("--", "dim") + "  "
    points = f" ({of(gate.points, 'point')})" if gate.points > 1 else ""
    what = of(len(gate.outcomes), "expectation") if gate.outcomes else gate.shut or "no expectation"
    yield from page.wrap(f"{visible(gate.title)}: {what}{points}", f"{mark} ")
    for one in gate.outcomes:
        if not one.holds:
            line = f"line {one.line}: " if one.line else ""
            yield from page.wrap(f"{line}{one.failure}", "       ")
    if gate.outcomes and gate.shut:
        yield from page.wrap(gate.shut, "       ")
