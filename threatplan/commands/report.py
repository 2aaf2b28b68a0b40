"""`plan report FILE -o board.html`: one page to show to whoever decides."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from threatplan.arguments import common, files, output
from threatplan.faults import DONE, CommandError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from dsl.scenario import Scenario
    from threatplan.progress import Ticker
    from threatplan.render.html.page import Told

MOST = 20  # scenarios on a page
DESCRIPTION = """Write one self-contained page of HTML: the answer, the labels exposed against submissions with the proved
ceiling, what to change, the attacks, and the proofs. It needs no network, is light or dark as its reader is, and prints."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    files(parser)
    output(parser)
    parser.add_argument("--force", action="store_true", help="replace the output if it exists")
    parser.add_argument("--no-advice", action="store_true", help="leave out what to change, which takes longest")
    common(parser, ("html",))


def run(args: argparse.Namespace) -> int:
    """Plan each scenario, draw its curve, write the page."""
    from dsl.visible import visible
    from threatplan.files import must_be_new, write_atomically
    from threatplan.inputs import scenarios
    from threatplan.progress import Ticker
    from threatplan.render.html.page import page

    if args.output is not None:
        must_be_new(args.output, args.force)
    wanted = scenarios(args)
    if len(wanted) > MOST:
        raise CommandError(f"{len(wanted)} scenarios are too many for a page", "choose some with --scenario")
    with Ticker(sys.stderr) as ticker:
        told = [_planned(one, not args.no_advice, ticker) for one in wanted]
    text = page(told, _sources(wanted))
    if args.output is None:
        print(text, end="")
        return DONE
    write_atomically(args.output, text)
    print(f"wrote {visible(args.output)}", file=sys.stderr)
    return DONE


def _planned(scenario: Scenario, advised: bool, ticker: Ticker) -> Told:
    from planner import plan
    from threatplan.curves import curve, quoted
    from threatplan.hardening.advice import EXPOSED, advise
    from threatplan.seen import seen

    name = scenario.name
    ticker.tell(f"{name}: planning")
    report = plan(scenario)
    advice = advise(scenario, EXPOSED, ticker.watching(plan, f"{name}: what to change")) if advised else None
    caps = () if advice is None else quoted(advice)
    points = curve(report, ticker.watching(plan, f"{name}: labels against submissions"), also=caps)
    ticker.tell(f"{name}: running the attack")
    return report, points, advice, seen(report)


def _sources(wanted: Sequence[Scenario]) -> list[str]:
    """The text of each file, once."""
    found: dict[str, str] = {}
    for one in wanted:
        if one.definition is not None:
            found.setdefault(one.definition.source.file, one.definition.source.text)
    return list(found.values())
