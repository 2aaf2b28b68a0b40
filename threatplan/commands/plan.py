"""`plan FILE...`: the verdict, the attacks side by side, the reasons."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from threatplan.arguments import common, files, seconds
from threatplan.commands import COMMANDS
from threatplan.faults import BAD_INPUT, DONE, UNMET, CommandError, did_you_mean
from threatplan.patience import GivenUp, each_within, within
from threatplan.render.page import Page

if TYPE_CHECKING:
    import argparse

    from planner.report import Report

    Answer = Report | GivenUp

FORMATS = ("text", "json", "markdown")
DESCRIPTION = "Does the score you publish give away the labels you hide?"
_EPILOG = """
exit codes:
  0  done                            3    a backend or internal failure
  1  an expectation fails            130  interrupted
  2  bad usage or input, or gave up  141  the reader of the output went away

A file named like a command: `plan ./run` or `plan -- run`. Each command has its own --help.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "plan FILE... [options]\n       plan COMMAND ... [options]"
    described = {"FILE": "the verdict on each scenario of the files", **COMMANDS}
    commands = "\n".join(f"  {name:<11} {summary}" for name, summary in described.items())
    parser.epilog = f"commands:\n{commands}\n{_EPILOG}"
    parser.add_argument("--version", "-V", action="store_true", help="show the version and leave")
    files(parser)
    common(parser, FORMATS)
    seconds(parser)
    parser.add_argument("--explain", action="store_true", help="show the chain of reductions and every inequality")
    parser.add_argument("--attack", metavar="ID", help="with --explain: this attack instead of the best")


def run(args: argparse.Namespace) -> int:
    """Plan each scenario and render its report."""
    from threatplan.inputs import scenarios

    wanted = scenarios(args)
    from planner import plan  # bad input is told without it

    show = _json if args.format == "json" else _lines
    return show(args, each_within(args.seconds, plan, wanted))


def _json(args: argparse.Namespace, answers: Iterator[Answer]) -> int:
    from planner.report import SCHEMA
    from threatplan.render.json import JsonList

    code = DONE
    with JsonList("scenarios", schema=SCHEMA) as document:
        for answer in answers:
            document.add(answer.to_json())
            code = max(code, _code(answer))
    return code


def _lines(args: argparse.Namespace, answers: Iterator[Answer]) -> int:
    code = DONE
    page = Page.of(sys.stdout, args.color)
    for number, answer in enumerate(answers):
        if number and args.format == "text":
            print()
        for line in _given_up(args, answer, page) if isinstance(answer, GivenUp) else _render(args, answer, page):
            print(line)
        code = max(code, _code(answer))
    return code


def _given_up(args: argparse.Namespace, answer: GivenUp, page: Page) -> Iterator[str]:
    if args.format == "markdown":
        from threatplan.render import markdown

        return markdown.given_up(answer)
    from threatplan.render import text

    return text.given_up(answer, page)


def _render(args: argparse.Namespace, report: Report, page: Page) -> Iterator[str]:
    _must_know(args.attack, report)
    if args.format == "markdown":
        from threatplan.render import markdown

        yield from markdown.render(report, args.explain, args.attack)
        return
    from threatplan.render import text

    if not args.explain:
        told = within(args.seconds, lambda _: report.why_not, report.scenario)
        yield from text.render(report, page, telling=() if isinstance(told, GivenUp) else told)
        return
    from threatplan.render import chain

    yield from text.render(report, page, full=True)
    yield from chain.render(report, page, args.attack)


def _must_know(attack: str | None, report: Report) -> None:
    known = [candidate.attack for candidate in report.candidates]
    if attack is not None and attack not in known:
        raise CommandError(f"no attack is called `{attack}`", did_you_mean(attack, known) or ", ".join(known))


def _code(answer: Answer) -> int:
    if isinstance(answer, GivenUp):
        return BAD_INPUT
    return DONE if all(outcome.holds for outcome in answer.expectations) else UNMET
