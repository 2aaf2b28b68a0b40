"""The files that a command was given: folders, globs and standard input become scenarios."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from threatplan.commands import COMMANDS
from threatplan.faults import CommandError, InputError, did_you_mean, nearest

if TYPE_CHECKING:
    import argparse

    from dsl import ThreatError
    from dsl.scenario import Scenario

STDIN = "-"


def scenarios(args: argparse.Namespace) -> list[Scenario]:
    """Every scenario of the files, or those of the given names; everything wrong is reported in one go."""
    found, faults = gather(args)
    if faults:
        raise InputError(faults)
    return select(found, args.scenario)


def gather(args: argparse.Namespace) -> tuple[list[Scenario], list[CommandError | ThreatError]]:
    """The scenarios that can be read, and what is wrong with the others; warnings are said at once."""
    from dsl import ThreatError, check_file

    found: list[Scenario] = []
    faults: list[CommandError | ThreatError] = []
    for path in paths(args.files, faults):
        try:
            checked = check_file(path)
        except ThreatError as error:
            faults.append(error)
            continue
        found.extend(checked.scenarios)
        if checked.warnings:
            from threatplan.talk import warn

            warn(checked.warnings, args.format == "json", args.color)
    return found, faults


def paths(names: Sequence[str], faults: list[CommandError | ThreatError]) -> Iterator[str]:
    """The files that the arguments stand for; what cannot be found is added to the faults."""
    for name in names:
        try:
            yield from expand(name)
        except CommandError as fault:
            faults.append(fault)


def expand(name: str) -> Iterator[str]:
    """The files that one argument stands for."""
    if name == STDIN or os.path.isfile(name):
        yield name
    elif os.path.isdir(name):
        yield from _below(name)
    elif any(c in name for c in "*?["):
        yield from _matching(name)
    else:
        _must_exist(name)
        yield name  # a named pipe, or a device


def select(found: list[Scenario], names: Sequence[str]) -> list[Scenario]:
    """The scenarios of the given names; all of them when no name is given."""
    known = [scenario.name for scenario in found]
    for name in names:
        if name not in known:
            raise CommandError(f"no scenario is called `{name}`", did_you_mean(name, known) or _list(known))
    return [scenario for scenario in found if scenario.name in names] if names else found


def _below(folder: str) -> Iterator[str]:
    paths = sorted(
        path
        for where, _, names in os.walk(folder)
        for name in names
        if name.endswith(".threat") and not _endless(path := os.path.join(where, name))
    )
    if not paths:
        raise CommandError(f"no .threat file below {folder}")
    yield from paths


def _endless(path: str) -> bool:
    """Whether reading could wait for ever: a pipe or a device that nobody named."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def _matching(pattern: str) -> Iterator[str]:
    from glob import glob

    paths = sorted(glob(pattern, recursive=True))
    if not paths:
        raise CommandError(f"no file matches {pattern}")
    yield from paths


def _must_exist(name: str) -> None:
    if os.path.lexists(name):
        return
    if name in COMMANDS:
        raise CommandError(f"no such file: {name}", f"a command stands first: `plan {name} ...`")
    meant = nearest(name, list(COMMANDS)) if "." not in name and os.sep not in name else None
    if meant:
        raise CommandError(f"neither a command nor a file: {name}", f"did you mean `plan {meant}`?")
    raise CommandError(f"no such file: {name}", _neighbour(name))


def _neighbour(name: str) -> str:
    """The file beside it that was probably meant."""
    folder = os.path.dirname(name)
    try:
        known = [entry.removesuffix(".threat") for entry in os.listdir(folder or ".") if entry.endswith(".threat")]
    except OSError:
        return ""
    found = nearest(os.path.basename(name).removesuffix(".threat"), known)
    return f"did you mean `{os.path.join(folder, found)}.threat`?" if found else ""


def _list(known: Sequence[str]) -> str:
    shown = ", ".join(known[:10])
    return f"the files hold {shown}{', ...' if len(known) > 10 else ''}" if known else ""
