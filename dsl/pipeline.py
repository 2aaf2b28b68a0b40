"""The pipeline: text -> blocks -> definitions -> scenarios, and every fault on the way."""

from __future__ import annotations

import gc
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from dsl.alike import ByFields
from dsl.checking.assembly import Assembly
from dsl.checking.faults import Fault
from dsl.checking.inheritance import Definition, Report, define
from dsl.checking.lint import lint
from dsl.diagnostics import Diagnostic, ThreatError
from dsl.reading.parser import parse
from dsl.reading.text import Source, decode, read
from dsl.scenario import Scenario
from dsl.visible import called, hidden_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


MAX_UNSEEN = 20  # lines that are warned about
MAX_FAULTS = 200  # past this many nobody reads on


class _Enough(Exception):  # noqa: N818 - it only ends the checking
    """So much is wrong that the rest is not checked."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Checked(ByFields):
    """What a file without faults holds, and what in it is surely meant otherwise."""

    scenarios: list[Scenario]
    warnings: tuple[Diagnostic, ...]


def load(path: str | Path) -> list[Scenario]:
    """The scenarios of a file, or of standard input for `-`; a ThreatError tells all that is wrong."""
    return check_source(read(path)).scenarios


def loads(text: str | bytes, file: str = "<string>") -> list[Scenario]:
    """The scenarios of a text."""
    return check(text, file).scenarios


def check(text: str | bytes, file: str = "<string>") -> Checked:
    """The scenarios of a text and the warnings about it."""
    return check_source(as_source(text, file))


def check_file(path: str | Path) -> Checked:
    """The scenarios of a file and the warnings about it."""
    return check_source(read(path))


def as_source(text: str | bytes, file: str) -> Source:
    """A text ready to be read, by the same rules as a file."""
    return decode(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text, file)


def check_source(source: Source) -> Checked:
    """The scenarios of a source and the warnings about it."""
    # Reading makes many objects and no cycles: collecting while it does would only walk them again and again.
    enabled = gc.isenabled()
    gc.disable()
    try:
        return _check(source)
    finally:
        if enabled:
            gc.enable()


def _check(source: Source) -> Checked:
    blocks, diagnostics = parse(source)
    found: dict[tuple[object, ...], Diagnostic] = {}

    def report(fault: Fault) -> None:
        # A fault in an inherited field shows up in every heir; it is one fault.
        key = (fault.code, fault.place, fault.message)
        if len(found) >= MAX_FAULTS:
            raise _Enough
        if key not in found:
            found[key] = source.diagnostic(fault.code, fault.message, *fault.place, fault.hint)

    made: list[Scenario] = []
    try:
        built = (build(definition, report) for definition in define(blocks, source, report))
        made.extend(scenario for scenario in built if scenario is not None)
    except _Enough:
        pass
    if not blocks and not diagnostics:
        diagnostics.append(source.diagnostic("T006", *_empty(source)))
    everything = [*diagnostics, *found.values(), *_unseen(source)]
    if any(each.severity == "error" for each in everything):
        raise ThreatError(everything)
    return Checked(made, tuple(sorted(everything, key=lambda each: each.order)))


def _unseen(source: Source) -> Iterator[Diagnostic]:
    """A warning for each line that holds what cannot be seen, as long as they are few."""
    for at in islice(hidden_in(source.text), MAX_UNSEEN):
        message = f"{called(source.text[at])} cannot be seen"
        yield source.diagnostic("T120", message, at, at + 1, "remove it, unless it must be there")


def _empty(source: Source) -> tuple[str, int, int, str]:
    message = "the file holds no scenario" if source.text.strip() else "the file is empty"
    return message, 0, 0, "a file holds scenarios: `scenario name { N = 25_000 }`"


def build(definition: Definition, report: Report) -> Scenario | None:
    """One scenario, its sweeps declared but not expanded."""
    scenario = _build_swept(definition, report) if definition.sweeps else Assembly(definition, report).scenario()
    if scenario is not None:
        lint(scenario, definition, report)
    return scenario


def _build_swept(definition: Definition, report: Report) -> Scenario | None:
    from dsl.checking import points, sweeps  # most files have none

    # The values of a sweep may refer to fields that stand still, so these are evaluated first.
    made = sweeps.sweeps(definition, Assembly(definition, report))
    base = points.bases(made, definition)
    if len(made) < len(definition.sweeps):
        return None
    scenario = Assembly(definition, report, base).scenario()
    if scenario is None:
        return None
    points.try_out(made, definition, base, report)
    return replace(scenario, sweeps=made, formulas=sweeps.formulas(definition), expand=points.points)
