"""`plan harden FILE`: the mildest settings at which recovery becomes impossible."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from threatplan.arguments import common, files, seconds
from threatplan.faults import BAD_INPUT, DONE
from threatplan.patience import GivenUp, each_within

if TYPE_CHECKING:
    from threatplan.hardening.advice import Advice
    from threatplan.render.page import Page

DESCRIPTION = """What makes recovery impossible?

For each knob that an organiser holds (decimals, clip, noise, a cap on queries): the mildest setting at which
recovery is proved impossible, and the mildest at which no certified attack exposes more than a share of the
labels, which is no proof that none can."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    files(parser)
    parser.add_argument(
        "--exposure",
        type=_share,
        default=Fraction(5, 100),
        metavar="SHARE",
        help="labels that may be recovered, as 5%% or 0.05 (default: 5%%)",
    )
    seconds(parser)
    common(parser, ("text", "json", "markdown"))


def run(args: argparse.Namespace) -> int:
    """Search each scenario's knobs and show what was found."""
    from planner import plan
    from threatplan.hardening.advice import advise
    from threatplan.inputs import scenarios

    advice = each_within(args.seconds, lambda one: advise(one, args.exposure, plan), scenarios(args))
    return _json(advice) if args.format == "json" else _lines(args, advice)


def _json(found: Iterator[Advice | GivenUp]) -> int:
    from threatplan.render.json import JsonList

    code = DONE
    with JsonList("hardening") as document:
        for advice in found:
            document.add(advice.to_json())
            code = max(code, _code(advice))
    return code


def _lines(args: argparse.Namespace, found: Iterator[Advice | GivenUp]) -> int:
    from threatplan.render.page import Page

    code = DONE
    page = Page.of(sys.stdout, args.color)
    for number, advice in enumerate(found):
        if number:
            print()
        for line in _render(args, advice, page):
            print(line)
        code = max(code, _code(advice))
    return code


def _render(args: argparse.Namespace, advice: Advice | GivenUp, page: Page) -> Iterator[str]:
    from threatplan.render import hardening, markdown, text

    if isinstance(advice, GivenUp):
        return markdown.given_up(advice) if args.format == "markdown" else text.given_up(advice, page)
    return hardening.markdown(advice) if args.format == "markdown" else hardening.text(advice, page)


def _code(advice: Advice | GivenUp) -> int:
    return BAD_INPUT if isinstance(advice, GivenUp) else DONE


def _share(text: str) -> Fraction:
    try:
        value = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"`{text}` is not a share between 0% and 100%")
    return value
