"""`plan graph [FILE]`: the theory as a graph, for other tools."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from threatplan.arguments import common
from threatplan.faults import DONE, CommandError

if TYPE_CHECKING:
    import argparse

    from planner.report import Report

DESCRIPTION = """Write the graph of problems, reductions, attacks, limits and errata.

With a FILE of one scenario (or -s NAME) each attack carries its status, and the path of the best plan is lit."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="a .threat file, or - for standard input")
    parser.add_argument("-s", "--scenario", action="append", default=[], metavar="NAME", help="the scenario to show")
    common(parser, ("dot", "json"))


def run(args: argparse.Namespace) -> int:
    """Write the graph."""
    from planner import theory
    from threatplan.unbroken import write_whole

    report = _report(args) if args.files else None
    drawn = theory.graph(report)
    text = theory.to_json(drawn) if args.format == "json" else theory.to_dot(drawn).rstrip("\n")
    write_whole(sys.stdout, f"{text}\n")
    return DONE


def _report(args: argparse.Namespace) -> Report:
    from planner import plan
    from threatplan.inputs import scenarios

    found = scenarios(args)
    if len(found) != 1:
        names = ", ".join(one.name for one in found)
        raise CommandError(f"a graph shows one scenario, not {len(found)}", f"choose with -s: {names}")
    return plan(found[0])
