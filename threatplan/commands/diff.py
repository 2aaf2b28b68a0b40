"""`plan diff OLD NEW`: what a change of configuration does."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from threatplan.arguments import common, seconds
from threatplan.faults import BAD_INPUT, DONE, UNMET
from threatplan.patience import within

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from dsl.scenario import Scenario
    from threatplan.differences import Difference

DESCRIPTION = """Plan two files and show what changed: the fields, the verdict, what is exposed, the ceiling.

Scenarios are compared by name; where each file holds one, these two. A scenario with sweeps is compared at its base
point."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("old", metavar="OLD", help="a .threat file, or - for standard input")
    parser.add_argument("new", metavar="NEW", help="the file that takes its place")
    parser.add_argument(
        "--fail-if-worse", action="store_true", help="exit code 1 when a scenario gives away more than before"
    )
    seconds(parser)
    common(parser, ("text", "json", "markdown"))


def run(args: argparse.Namespace) -> int:
    """Plan both sides and show each scenario."""
    from planner import plan
    from threatplan.differences import differences

    old, new = _sides(args)
    found: list[Difference] = []
    _show(args, _kept(differences(old, new, partial(within, args.seconds, plan)), found))
    if any(one.direction == "gave up" for one in found):
        return BAD_INPUT
    return UNMET if args.fail_if_worse and any(one.worse for one in found) else DONE


def _sides(args: argparse.Namespace) -> tuple[list[Scenario], list[Scenario]]:
    """The scenarios of both files; everything that is wrong with either is told in one go."""
    from argparse import Namespace

    from threatplan.faults import InputError
    from threatplan.inputs import gather

    sides = [gather(Namespace(files=[file], format=args.format, color=args.color)) for file in (args.old, args.new)]
    faults = [fault for _, wrong in sides for fault in wrong]
    if faults:
        raise InputError(faults)
    return sides[0][0], sides[1][0]


def _kept(found: Iterable[Difference], seen: list[Difference]) -> Iterable[Difference]:
    for one in found:
        seen.append(one)
        yield one


def _show(args: argparse.Namespace, found: Iterable[Difference]) -> None:
    from threatplan.render import diff
    from threatplan.render.json import JsonList
    from threatplan.render.page import Page

    if args.format == "json":
        with JsonList("differences") as document:
            for one in found:
                document.add(one.to_json())
        return
    page = Page.of(sys.stdout, args.color)
    for number, one in enumerate(found):
        if number and args.format == "text":
            print()
        for line in diff.markdown(one) if args.format == "markdown" else diff.text(one, page):
            print(line)
