"""`plan harden FILE`: settings at which recovery becomes impossible, what asks least of everybody first."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from threatplan.arguments import common, count, files, seconds
from threatplan.faults import BAD_INPUT, DONE, CommandError
from threatplan.patience import GivenUp, each_within

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.report import Report
    from threatplan.hardening.advice import Advice
    from threatplan.hardening.aims import Aimed
    from threatplan.hardening.options import Option
    from threatplan.hardening.search import Planner
    from threatplan.render.page import Page

    Answer = Report | Advice | Aimed | GivenUp  # a report: impossible already

DESCRIPTION = """What makes recovery impossible?

Settings that an organiser can deploy (decimals, clip, noise, a split, a release, a cap on queries, and pairs of them) at
which recovery is proved impossible, each the mildest of its kind, with what it still exposes and the ceiling. With
--ceiling: the largest cap at which no attack gets more than a share of the labels right on average. With --exposure: settings
at which the best attack that we know of reads off no more than a share: evidence, and no proof."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    files(parser)
    parser.add_argument(
        "--exposure",
        type=_share,
        metavar="SHARE",
        help="ask instead for settings at which the best attack that we know of reads off at most this, as 5%% or 0.05",
    )
    aim = "ask instead for settings at which no attack gets more of the labels right on average, as 60%%"
    parser.add_argument("--ceiling", type=_share, metavar="SHARE", help=aim)
    parser.add_argument("--apply", metavar="FILE", help="write the file with the lines that change to a new one")
    parser.add_argument(
        "--pick", type=count(1), metavar="NUMBER", help="with --apply: which line of the list (default: 1)"
    )
    parser.add_argument("--force", action="store_true", help="with --apply: replace FILE if it exists")
    seconds(parser)
    common(parser, ("text", "json", "markdown"))


def run(args: argparse.Namespace) -> int:
    """Search each scenario's knobs, show what was found, and write it down where that is asked for."""
    from planner import plan
    from threatplan.files import must_be_new
    from threatplan.inputs import scenarios
    from threatplan.progress import Ticker

    if args.apply is not None:
        must_be_new(args.apply, args.force)
    elif args.pick is not None:
        raise CommandError("--pick says which line is written, and nothing is to be written", "add --apply FILE")
    wanted = scenarios(args)
    done: list[tuple[Scenario, Answer]] = []
    with Ticker(sys.stderr, args.format != "json") as ticker:
        answers = each_within(args.seconds, lambda one: _answer(one, args, ticker.watching(plan, one.name)), wanted)
        kept = _kept(zip(wanted, answers, strict=True), done, ticker.wipe)
        code = _json(kept) if args.format == "json" else _lines(args, kept)
    if args.apply is not None:
        _apply(args, done, plan)
    return code


def _answer(scenario: Scenario, args: argparse.Namespace, plan: Planner) -> Answer:
    from threatplan.hardening.advice import EXPOSED, advise
    from threatplan.hardening.aims import Aim, aimed
    from threatplan.hardening.search import remembered

    aim, plan = Aim(args.ceiling, args.exposure), remembered(plan)
    if not aim:
        now = plan(scenario)
        return now if now.verdict == "impossible" else advise(scenario, EXPOSED, plan)
    found = aimed(scenario, aim, plan)
    if aim.exposure is None or aim.ceiling is not None or found.already:
        return found
    return advise(scenario, aim.exposure, plan, found)


def _kept(
    found: Iterator[tuple[Scenario, Answer]], done: list[tuple[Scenario, Answer]], wipe: Callable[[], None]
) -> Iterator[Answer]:
    for scenario, answer in found:
        done.append((scenario, answer))
        wipe()
        yield answer


def _json(found: Iterator[Answer]) -> int:
    from planner.report import Report
    from threatplan.hardening.options import unchanged
    from threatplan.render.json import JsonList

    code = DONE
    with JsonList("hardening") as document:
        for answer in found:
            document.add(unchanged(answer) if isinstance(answer, Report) else answer.to_json())
            code = max(code, _code(answer))
    return code


def _lines(args: argparse.Namespace, found: Iterator[Answer]) -> int:
    from threatplan.render.page import Page

    code = DONE
    page = Page.of(sys.stdout, args.color)
    for number, answer in enumerate(found):
        if number:
            print()
        for line in _render(args, answer, page):
            print(line)
        sys.stdout.flush()
        code = max(code, _code(answer))
    return code


def _render(args: argparse.Namespace, answer: Answer, page: Page) -> Iterator[str]:
    from planner.report import Report
    from threatplan.hardening.aims import Aimed
    from threatplan.render import hardening, markdown, options, text

    as_markdown = args.format == "markdown"
    if isinstance(answer, GivenUp):
        return markdown.given_up(answer) if as_markdown else text.given_up(answer, page)
    if isinstance(answer, Aimed):
        return options.aimed_markdown(answer) if as_markdown else options.aimed_text(answer, page)
    if isinstance(answer, Report):
        return options.already_markdown(answer) if as_markdown else options.already_text(answer, page)
    return hardening.markdown(answer) if as_markdown else hardening.text(answer, page)


def _apply(args: argparse.Namespace, done: list[tuple[Scenario, Answer]], plan: Planner) -> None:
    """Write the files, each scenario with the change of the line that was picked."""
    from dsl.visible import visible
    from threatplan.files import write_new
    from threatplan.hardening.aims import Aim
    from threatplan.hardening.applying import hardened, written
    from threatplan.hardening.together import together

    aim, number = Aim(args.ceiling, args.exposure), args.pick or 1
    wanted = [(scenario, _picked(answer, number)) for scenario, answer in done]
    if number > 1 and all(option is None for _, option in wanted):
        hint = "leave out --pick: the file is written with what may be expected of it"
        raise CommandError(f"there is no line {number}: nothing need be changed", hint)
    picked, told = together(wanted, plan)
    found = [hardened(scenario, option, aim, plan) for scenario, option in picked]
    text = written(found, plan)
    for line in (*told, *(f"{one.scenario.name}: {left}" for one in found for left in one.dropped)):
        print(f"plan: {visible(line)}", file=sys.stderr)
    write_new(args.apply, text, args.force)
    name = visible(args.apply)
    lines = {option.lines for _, option in picked if option is not None}
    what = f" ({lines.pop()})" if len(lines) == 1 else ""
    print(f"wrote {name}{what}; next: plan check {name}", file=sys.stderr)


def _picked(answer: Answer, number: int) -> Option | None:
    """The option of that line; None where nothing need be changed."""
    from planner.report import Report
    from threatplan.hardening.aims import Aimed

    if isinstance(answer, GivenUp):
        raise CommandError(
            f"{answer.scenario.name} was given up: there is nothing to write", "allow more with --seconds"
        )
    if isinstance(answer, Report) or (isinstance(answer, Aimed) and answer.already):
        return None
    found = answer.options if isinstance(answer, Aimed) else answer.listed
    name = answer.now.scenario.name
    if not found:
        raise CommandError(f"{name}: no setting is proved to do, so there is nothing to write")
    if number > len(found):
        raise CommandError(f"{name}: there is no line {number}", f"the list has {len(found)}")
    return found[number - 1]


def _code(answer: Answer) -> int:
    return BAD_INPUT if isinstance(answer, GivenUp) else DONE


def _share(text: str) -> Fraction:
    try:
        value = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if not 0 <= value <= 1:
        meant = f": did you mean `{text}%`?" if 1 < value <= 100 and not text.endswith("%") else ""
        raise argparse.ArgumentTypeError(f"`{text}` is not a share between 0% and 100%{meant}")
    return value
