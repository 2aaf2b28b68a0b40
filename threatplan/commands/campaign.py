"""`plan campaign`: many scenarios planned, simulated and checked; it may be killed at any moment and resumed."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from threatplan.arguments import common, count
from threatplan.faults import BAD_INPUT, BROKEN, DONE, UNMET, CommandError

if TYPE_CHECKING:
    import argparse

    from threatplan.campaign.run import MakeEngine
    from threatplan.campaign.spec import Spec
    from threatplan.campaign.summary import Summary

DESCRIPTION = """Plan every scenario, simulate every certified attack, and check every certificate and limit.

Scenarios come from files, sweep point by sweep point, or from a seeded generator over the whole language. Each is a
line of the journal; the same command resumes a campaign that was stopped, whatever stopped it."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="files, folders or globs of .threat files, or -")
    add = parser.add_argument
    add("-s", "--scenario", action="append", default=[], metavar="NAME", help="only the scenario of this name")
    add("--random", type=count(1), metavar="COUNT", help="this many random scenarios instead of files")
    add("--field", metavar="NAME", help="with --random: only scenarios that set this field, for example guess")
    add("--seed", type=count(), default=0, metavar="NUMBER", help="of all that is random (default: 0)")
    add("--trials", type=count(), default=2, metavar="COUNT", help="simulations of each certified attack (default: 2)")
    add("--journal", default="campaign.jsonl", metavar="FILE", help="what is done so far (default: %(default)s)")
    add("--jobs", type=count(1), metavar="COUNT", help="worker processes (default: one for each core)")
    add("--scheduler", metavar="ADDRESS", help="a Dask scheduler to work on instead, for example tcp://10.0.0.1:8786")
    add(
        "--seconds",
        type=count(1),
        default=60,
        metavar="COUNT",
        help="of processor time that a scenario may take (default: 60)",
    )
    add(
        "--memory",
        type=count(64),
        default=1024,
        metavar="MIB",
        help="of memory that a scenario may take (default: 1024)",
    )
    add("--plot", metavar="FILE", help="draw the summary into a .svg, .png or .pdf file")
    common(parser, ("text", "json"))


def run(args: argparse.Namespace) -> int:
    """Run or resume the campaign, and show what came of it."""
    from threatplan.campaign.run import run as run_campaign
    from threatplan.campaign.terms import MIB, Terms

    if args.plot:
        _must_draw(args.plot)
    terms = Terms(args.trials, args.seed, float(args.seconds), args.memory * MIB)
    summary = run_campaign(_spec(args), terms, args.journal, _engine(args))
    _show(summary, args)
    if not summary.sound:
        print("plan: a promise was broken: please report this", file=sys.stderr)
        return BROKEN
    return UNMET if summary.unmet else DONE


def _spec(args: argparse.Namespace) -> Spec:
    from threatplan.campaign.spec import of_scenarios, of_seed
    from threatplan.inputs import scenarios

    if bool(args.files) == (args.random is not None):
        raise CommandError("a campaign takes files, or --random COUNT", "see `plan campaign --help`", BAD_INPUT)
    if args.random:
        return of_seed(args.random, args.seed, _field(args.field))
    return of_scenarios(scenarios(args))


def _field(name: str | None) -> str | None:
    """A field that the generator sets in some scenarios."""
    from threatplan.campaign.generator import random_scenario

    try:
        random_scenario(0, 0, name)
    except ValueError:
        raise CommandError(f"no random scenario sets `{name}`", "--field takes a field of the language") from None
    return name


def _engine(args: argparse.Namespace) -> MakeEngine:
    if args.scheduler:
        if args.jobs:
            raise CommandError("--jobs and --scheduler exclude each other", "the cluster has its own workers")
        from threatplan.campaign.engine_dask import cluster

        return lambda terms: cluster(args.scheduler, terms)
    from threatplan.campaign.engines import processes

    return lambda terms: processes(args.jobs or _cores(), terms)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _must_draw(path: str) -> None:
    from threatplan.render.plot import must_draw

    if path == "-":
        raise CommandError("a campaign is not drawn in the terminal", "name a .svg, .png or .pdf file")
    must_draw(path)


def _show(summary: Summary, args: argparse.Namespace) -> None:
    from threatplan.campaign.page import picture, tables
    from threatplan.render.page import Page

    if args.plot:
        picture(summary, args.plot)
    if args.format == "json":
        from dsl.visible import json_text
        from threatplan.unbroken import write_whole

        write_whole(sys.stdout, json_text({"schema": 1, "campaign": summary.to_json()}) + "\n")
        return
    for line in tables(summary, Page.of(sys.stdout, args.color)):
        print(line)
