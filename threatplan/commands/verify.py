"""`plan verify REPORT...`: reports proved again from their JSON alone, by another arithmetic than the planner's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from threatplan.arguments import common
from threatplan.faults import DONE, UNMET, CommandError, InputError
from threatplan.render.page import Page

if TYPE_CHECKING:
    import argparse

    from threatplan.verify import Checked

ENDING = ".json"
STDIN = "-"
WRITES = "`plan FILE --format json`"
DESCRIPTION = """Check reports that `plan FILE --format json` wrote, without trusting the planner that wrote them.

Every inequality of every certificate and every limit, the verdict and what is exposed are derived again from the
JSON alone, in mpmath's interval arithmetic. Exit code 1 when something is false, 2 for what is no report."""


class File(NamedTuple):
    """A file of reports, checked."""

    name: str
    reports: list[Checked]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    help = "a report in JSON, or - for standard input"
    parser.add_argument("files", nargs="+", metavar="REPORT", help=help)
    common(parser, ("text", "json"))


def run(args: argparse.Namespace) -> int:
    """Check each file; what cannot be read is told at once, before anything is shown."""
    files, faults = [], []
    for name in args.files:
        try:
            files.append(_checked(name))
        except CommandError as fault:
            faults.append(fault)
    if faults:
        raise InputError(faults)
    _json(files) if args.format == "json" else _text(files, Page.of(sys.stdout, args.color))
    return DONE if all(one.holds for file in files for one in file.reports) else UNMET


def _checked(name: str) -> File:
    from threatplan.verify import Unreadable, verify

    try:
        return File(name, verify(_read(name)))
    except Unreadable as error:
        raise _no_report(name, str(error)) from None


def _read(name: str) -> str:
    """The text of a file, no more of it than the checker takes."""
    from threatplan.verify.reading import MOST_CHARACTERS

    try:
        if name == STDIN:
            data = sys.stdin.buffer.read(MOST_CHARACTERS + 1)
        else:
            with open(name, "rb") as file:
                data = file.read(MOST_CHARACTERS + 1)
    except OSError as error:
        raise CommandError(f"cannot read {name}: {error.strerror or error}") from None
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise _no_report(name, "no report: not UTF-8") from None


def _no_report(name: str, why: str) -> CommandError:
    """What is wrong with a file, and where reports come from, unless that is said already."""
    return CommandError(f"{name}: {why}", "" if WRITES in why else f"{WRITES} writes a report")


def _text(files: list[File], page: Page) -> None:
    for file in files:
        for report in file.reports:
            for line in _lines(report, page):
                print(line)
    reports = [one for file in files for one in file.reports]
    false = sum(not one.holds for one in reports)
    noun = "report" if len(reports) == 1 else "reports"
    outcome = page.ink(f"{false} false", "bad") if false else page.ink("all verified", "good")
    print(f"{len(reports):,} {noun}: {outcome if reports else 'nothing to verify'}")


def _lines(report: Checked, page: Page) -> Iterator[str]:
    from dsl.visible import visible

    mark = page.ink("ok", "good") + "    " if report.holds else page.ink("FALSE", "bad") + " "
    title = f"{visible(report.name)} ({visible(report.verdict)})"
    yield from page.wrap(f"{title}: {', '.join(report.derived) or 'nothing is claimed'}", mark, " " * 6)
    for fault in report.faults:
        yield from page.wrap(visible(fault), " " * 6, " " * 8)


def _json(files: list[File]) -> None:
    from threatplan.render.json import JsonList

    with JsonList("verified") as document:
        for file in files:
            for report in file.reports:
                document.add(_entry(file.name, report))


def _entry(file: str, report: Checked) -> dict[str, Any]:
    return {
        "file": file,
        "name": report.name,
        "verdict": report.verdict,
        "holds": report.holds,
        "derived": list(report.derived),
        "faults": list(report.faults),
    }
