"""`plan sweep FILE`: the table, and on request a plot, over the scenario's sweeps."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from threatplan.arguments import common, files, max_points, seconds
from threatplan.faults import BAD_INPUT, DONE, UNMET
from threatplan.patience import each_within
from threatplan.render.numbers import known, of, share, whole
from threatplan.render.page import Page

if TYPE_CHECKING:
    import argparse

    from dsl.scenario import Scenario
    from threatplan.progress import Ticker
    from threatplan.sweeps import Row

TERMINAL = "-"  # drawn there, in the place of a file
FORMATS = ("text", "csv", "json", "jsonl", "markdown")
HEAD = ("verdict", "attack", "queries", "lower bound", "exposure", "share", "ceiling")
FIGURES = [10, 16, 9, 11, 9, 6, 7]  # what the columns of HEAD usually take
DESCRIPTION = """Plan every point of the scenarios' sweeps.

Rows are written as they are planned, and an interrupt keeps those that are done."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    files(parser)
    common(parser, FORMATS)
    parser.add_argument("--plot", metavar="FILE", help="draw a .svg, .png or .pdf file; - draws in the terminal")
    parser.add_argument("--force", action="store_true", help="with --plot: replace FILE if it exists")
    max_points(parser)
    seconds(parser, "a scenario, or a point of its sweeps,")


def run(args: argparse.Namespace) -> int:
    """Plan each point and show its row at once."""
    from threatplan.inputs import scenarios
    from threatplan.progress import Ticker
    from threatplan.sweeps import must_fit

    if args.plot:
        from threatplan.files import must_be_new
        from threatplan.render.plot import must_draw

        must_draw(args.plot)
        if args.plot != TERMINAL:
            must_be_new(args.plot, args.force)
    wanted = scenarios(args)
    must_fit(wanted, args.max_points)
    done: list[Row] = []
    write: dict[str, Callable[[argparse.Namespace, Iterator[Row]], None]] = {
        "text": partial(_text, wanted), "csv": _csv, "json": _json, "jsonl": _json_lines, "markdown": _markdown,
    }  # fmt: skip
    try:
        with Ticker(sys.stderr, args.format not in ("json", "jsonl")) as ticker:
            write[args.format](args, _kept(_rows(wanted, args.seconds), done, _told(ticker, wanted)))
    finally:
        if args.plot and done:
            _plot(args, done)
    given_up = [row.gave_up for row in done if row.gave_up]
    if given_up and args.format == "text":
        print(f"plan: gave up at {len(given_up):,} of {of(len(done), 'point')}: {given_up[0].why}", file=sys.stderr)
    if not any(scenario.sweeps for scenario in wanted) and args.format == "text":
        print("hint: nothing is swept: add a line such as `sweep decimals = 2..6` to a scenario", file=sys.stderr)
    unmet = sum(not row.met for row in done if not row.gave_up)
    if unmet and args.format == "text":
        print(f"plan: expectations fail at {unmet:,} of {of(len(done), 'point')}: see `plan check`", file=sys.stderr)
    return BAD_INPUT if given_up else UNMET if unmet else DONE


def _rows(wanted: list[Scenario], seconds: float) -> Iterator[Row]:
    from planner import plan
    from threatplan.sweeps import row

    for scenario in wanted:
        for answer in each_within(seconds, plan, scenario.points()):
            yield row(scenario, answer)


def _kept(rows: Iterator[Row], done: list[Row], tell: Callable[[int], None]) -> Iterator[Row]:
    tell(0)
    for row in rows:
        done.append(row)
        yield row
        tell(len(done))


def _told(ticker: Ticker, wanted: list[Scenario]) -> Callable[[int], None]:
    """Tell how many points are done; a terminal that rows are written to sees that."""
    total = sum(scenario.sweep_size() for scenario in wanted)
    if sys.stdout.isatty():
        return lambda done: None
    return lambda done: ticker.tell(f"{done:,} of {of(total, 'point')}")


def _text(wanted: list[Scenario], args: argparse.Namespace, rows: Iterator[Row]) -> None:
    """Rows as they come: a figure wider than all before it moves the rows from there on."""
    from threatplan.sweeps import titles

    page = Page.of(sys.stdout, args.color)
    for scenario in wanted:
        head = [*titles(sweep.field for sweep in scenario.sweeps), *HEAD]
        widths = [max(pair) for pair in zip(_swept_widths(scenario) + FIGURES, map(len, head), strict=True)]
        print(page.ink(scenario.name, "bold"))
        print(page.ink(_line(head, widths), "dim"))
        for row in islice(rows, scenario.sweep_size()):
            shown = cells(row)
            widths = [max(width, len(cell)) for width, cell in zip(widths, shown, strict=True)]
            line = _line(shown, widths)
            start = 2 + sum(width + 2 for width in widths[: len(row.point)])
            end = start + len(row.verdict)
            print(line[:start] + page.ink(line[start:end], row.tone) + line[end:], flush=True)


def _swept_widths(scenario: Scenario) -> list[int]:
    """The widest value of each swept field, known before any point is planned."""
    from dsl import ThreatError
    from threatplan.sweeps import swept

    widths = [0] * len(scenario.sweeps)
    with suppress(ThreatError):  # a point that cannot be made is told when it is its turn
        for point in scenario.points():
            values = swept(scenario, point).values()
            widths = [max(width, len(value)) for width, value in zip(widths, values, strict=True)]
    return widths


def _line(cells: list[str], widths: list[int]) -> str:
    return "  " + "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def cells(row: Row) -> list[str]:
    """A point's cells: the swept fields, then those below HEAD."""
    from planner.ceiling import percent_above

    if row.gave_up is not None:
        return [*row.point.values(), row.verdict, *"-" * (len(HEAD) - 1)]
    queries = "-" if row.queries is None else whole(row.queries)
    figures = [row.verdict, row.attack or "-", queries, known(row.lower_bound)]
    part = "" if row.fraction is None else share(row.fraction)
    most = "" if row.ceiling is None else percent_above(row.ceiling)
    return [*row.point.values(), *figures, known(row.exposure), part, most]


def _csv(args: argparse.Namespace, rows: Iterator[Row]) -> None:
    import csv

    from threatplan.sweeps import titles

    writer = csv.writer(sys.stdout, lineterminator="\n")
    head: tuple[str, ...] | None = None
    for row in rows:
        if tuple(row.point) != head:
            head = tuple(row.point)
            writer.writerow(["scenario", *titles(head), *row.figures()])
        writer.writerow([row.scenario, *row.point.values(), *row.figures().values()])
        sys.stdout.flush()


def _json(args: argparse.Namespace, rows: Iterator[Row]) -> None:
    from threatplan.render.json import JsonList

    with JsonList("points") as document:
        for row in rows:
            document.add(row.to_json())


def _json_lines(args: argparse.Namespace, rows: Iterator[Row]) -> None:
    from dsl.visible import json_text
    from threatplan.unbroken import write_whole

    for row in rows:
        write_whole(sys.stdout, f"{json_text(row.to_json())}\n")


def _markdown(args: argparse.Namespace, rows: Iterator[Row]) -> None:
    from itertools import groupby

    from threatplan.render import markdown
    from threatplan.sweeps import titles

    for (name, *fields), group in groupby(rows, key=lambda row: (row.scenario, *row.point)):
        print(f"## {markdown.escape(name)}\n")
        for line in markdown.table((*titles(fields), *HEAD), [cells(row) for row in group]):
            print(line)


def _plot(args: argparse.Namespace, rows: list[Row]) -> None:
    from threatplan.render.plot import picture, terminal

    if args.plot != TERMINAL:
        picture(rows, args.plot)
        return
    stream = sys.stdout if args.format == "text" else sys.stderr
    for line in terminal(rows, Page.of(stream, args.color)):
        print(line, file=stream)
