"""Settings that would do, ranked, each with what it leaves: as text and as Markdown."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.ceiling import percent_above
from threatplan.hardening.knobs import LARGEST_CAP
from threatplan.render import markdown as md
from threatplan.render.numbers import NOT_KNOWN, exposed, figure, of, share, whole
from threatplan.render.table import Cell, Column, fitted, lay_out
from threatplan.render.tone import tone

if TYPE_CHECKING:
    from planner.report import Report
    from threatplan.hardening.aims import Aimed
    from threatplan.hardening.options import Option
    from threatplan.render.page import Page

SMALL = 0.01  # standard errors below which it does not matter how few
PLAIN = 100  # standard errors from which on digits after the point say nothing
MOST = 12  # options that are shown; JSON has them all
HEAD = ("", "change", "price", "still exposes", "ceiling", "proof")
SPARE = {"proof": 2, "price": 1}  # what is given up first where there is no room
FOLDED = 31  # a change is folded to this before columns are given up: a Ladder has a line to itself
AIMED = "Settings for that, each the mildest of its kind; what asks least of everybody comes first"
EVIDENCE = (
    "What is exposed is evidence and no proof: attacks that nobody knows of may read off more. The ceiling is what no "
    "attack at all exceeds."
)
EXPOSES = "`still exposes`: labels that an attack is certified to read off all the same"
SPLIT = "; of a secret part, the rows whose label it tells if they are scored"
CEILING = "`ceiling`: the share that any attack gets right on average, at most."
PRICES = (
    "`price`: how far the change may move an honest participant's score. 1 s.e. (standard error) is as far as chance moves "
    "it anyhow, since the rows are a sample."
)
LESS = "`--ceiling 60%` asks for settings that leave less."
ORDER = (
    "The order: settings of the board, changes of its scorer, a gate of your own, an error that would have to be chosen "
    "against the attack; last, whatever costs a standard error or more."
)
MILDEST = "Most of these settings are the mildest that do, so a part of the labels may still be had."
NO_CHANGE = "Nothing need be changed for that"
DROWNED = (
    "None of these leaves enough of an honest score to tell a good model from a guess: nothing milder is proved, and to show "
    "no score at all protects as well."
)
APPLY = "`--apply FILE` writes the scenario changed as in line 1"
PICK = ", `--pick 2` as in line 2"


def guide(options: Sequence[Option], aimed: bool = False, shown: Collection[str] = HEAD) -> str:
    """How to read the list, of the columns that are shown; `aimed`: of one that keeps to a share that was asked for."""
    opening = () if aimed else (MILDEST,)
    exposing = f"{EXPOSES}{SPLIT if any(one.report.scenario.split for one in options) else ''}."
    prices = (PRICES,) if "price" in shown else ()
    drowned = (DROWNED,) if options and all(one.drowned for one in options) else ()
    less = () if aimed else (LESS,)
    return " ".join((*drowned, *opening, exposing, CEILING, *less, *prices, ORDER, *_capped_high(options)))


def _capped_high(options: Sequence[Option]) -> Iterator[str]:
    """What a cap is for that is no advice by itself: without any, nothing is proved."""
    if any(one.report.scenario.queries == LARGEST_CAP for one in options):
        yield f"A cap of {whole(LARGEST_CAP)} is more submissions than anybody makes: every cap below it does, too."


def heading(now: Report, options: Sequence[Option]) -> str:
    """What the list is of, or that there is none."""
    from planner.planning import goal_text

    goal = goal_text(now.channel)
    if now.verdict == "impossible":
        return f"Recovery of {goal} is impossible already{'; with one of these less can be had' if options else ''}"
    if not options:
        return f"No setting is proved to make recovery of {goal} impossible"
    return f"Recovery of {goal} is impossible with one of these; what asks least of everybody comes first"


def text(options: Sequence[Option], page: Page, title: str, aimed: bool = False) -> Iterator[str]:
    """The lines of the ranked list; for no options its title."""
    yield from page.wrap(page.ink(title, "head"), "  ")
    if not options:
        return
    columns = [
        Column(name, right=not name, spare=SPARE.get(name, 0), fold=FOLDED if name == "change" else 0) for name in HEAD
    ]
    cells = [[Cell(cell) for cell in row] for row in rows(options)]
    yield from lay_out(columns, cells, page, "    ")
    if len(options) > MOST:
        yield f"    and {len(options) - MOST} more (--format json has them all)"
    kept = fitted(columns, cells, page, "    ")
    shown = HEAD if kept is None else [HEAD[place] for place in kept]
    apply = f"{APPLY}{PICK if len(options) > 1 else ''}."
    yield from page.wrap(f"{apply} {guide(options, aimed, shown)}", "    ")


def markdown(options: Sequence[Option], title: str, aimed: bool = False) -> Iterator[str]:
    """The ranked list as a table below its title, and how to read it."""
    if options:
        yield from (f"{title}:", "")
        yield from md.table(HEAD, list(rows(options)))
        yield from (md.prose(guide(options, aimed)), "")
    elif title:  # where there is nothing to change for what was asked, the answer has none
        yield from (f"{title}.", "")


def rows(options: Sequence[Option], most: int = MOST) -> Iterator[tuple[str, ...]]:
    """Number, change, its price, what is still exposed, the ceiling, the proof."""
    for number, one in enumerate(options[:most], 1):
        yield str(number), one.lines, price(one), exposes(one.report), ceiling(one.report), ", ".join(one.proof)


def price(one: Option) -> str:
    """How far an honest score may be off, in a cell."""
    if one.price is None:
        return NOT_KNOWN
    if 0 < one.price < SMALL:
        return f"< {SMALL} s.e."
    size = figure(one.price) if one.price < PLAIN else whole(round(one.price))
    return "none" if one.price == 0 else f"{size} s.e."


def exposes(report: Report) -> str:
    """How many labels are exposed, in a cell."""
    labels, fraction = report.exposure.labels, report.exposure.fraction
    if labels is None or fraction is None:
        return NOT_KNOWN
    return f"{of(labels, 'row') if report.scenario.split else whole(labels)} ({share(fraction)})"


def ceiling(report: Report) -> str:
    """The ceiling, in a cell."""
    return percent_above(report.ceiling.fraction)


def beside(now: Report) -> Iterator[str]:
    """What to mind where another scenario of the file may be of the same board."""
    from threatplan.twins import caveat

    if told := caveat(now.scenario):
        yield f"{told} One board has one cap: the smallest of theirs, which `--apply` writes for all."


def _beside_markdown(now: Report) -> Iterator[str]:
    for line in beside(now):
        yield from (md.prose(line), "")


# -- nothing to change ---------------------------------------------------------------------------------------


def already(report: Report) -> str:
    """Why recovery is impossible as things are, and what is left all the same."""
    left = exposed(report.exposure, report.scenario)
    return f"{report.why}. {NO_CHANGE}; exposure: {left}; ceiling: {ceiling(report)}"


def already_text(report: Report, page: Page) -> Iterator[str]:
    """One line, and what could be asked next."""
    verdict = page.ink("IMPOSSIBLE", tone(report))
    yield from page.wrap(f"{page.ink(report.scenario.name, 'bold')}: {verdict} already: {already(report)}", rest="  ")
    for line in (LESS, *beside(report)):
        yield from page.wrap(line, "  ")


def already_markdown(report: Report) -> Iterator[str]:
    """The same as Markdown."""
    yield from (f"## {md.escape(report.scenario.name)}: impossible already", "", md.escape(already(report)), "")
    yield from _beside_markdown(report)


# -- the answer to --ceiling and --exposure --------------------------------------------------------------------


def aimed_text(found: Aimed, page: Page) -> Iterator[str]:
    """What keeps attacks below a share of the labels."""
    yield from page.wrap(f"{page.ink(found.now.scenario.name, 'bold')}: {said(found)}", rest="  ")
    if found.options:
        yield ""
        yield from text(found.options, page, AIMED, aimed=True)
    for line in beside(found.now):
        yield from page.wrap(line, "  ")


def aimed_markdown(found: Aimed) -> Iterator[str]:
    """The same as Markdown."""
    aim = found.aim
    shares = (("ceiling", aim.ceiling), ("exposure", aim.exposure))
    wanted = ", ".join(f"{name} <= {percent(most)}" for name, most in shares if most is not None)
    yield from (f"## {md.escape(found.now.scenario.name)}: {wanted}", "", md.escape(said(found)), "")
    yield from markdown(found.options, AIMED if found.options else "", aimed=True)
    yield from _beside_markdown(found.now)


def percent(most: Fraction) -> str:
    """A share as it is asked for."""
    return f"{float(most) * 100:g}%"


def said(found: Aimed) -> str:
    """The answer in a sentence or two."""
    if found.hopeless:
        return _guessing(found)
    if found.aim.exposure is None:
        return _capped(found)
    now = f"exposure: {exposed(found.now.exposure, found.now.scenario)}; ceiling: {ceiling(found.now)}"
    if found.already:
        return f"now {_kept(found)}: {now}. {EVIDENCE}"
    if found.options:
        return f"with one of these {_kept(found)}. {EVIDENCE} Now: {now}"
    return f"at no setting that was tried is it known that {_kept(found)}. Now: {now}"


def _kept(found: Aimed) -> str:
    """What is asked for beside the ceiling, or with it."""
    rows, most = found.now.scenario.split, percent(found.aim.exposure or Fraction(0))
    read = (
        f"tells the labels, where scored, of at most {most} of the rows"
        if rows
        else f"reads off at most {most} of the labels"
    )
    known = f"the best attack that we know of {read}"
    if found.aim.ceiling is None:
        return known
    return f"{known}, and no attack at all gets more than {percent(found.aim.ceiling)} of them right on average"


def _guessing(found: Aimed) -> str:
    assert found.aim.ceiling is not None
    most = percent(found.aim.ceiling)
    return f"no cap keeps every attack at {most}: guessing alone gets {share(found.guessing)} of the labels right"


def _capped(found: Aimed) -> str:
    """Of the ceiling alone: the largest cap."""
    now, wanted = percent_above(found.now.ceiling.fraction), percent(found.aim.ceiling or Fraction(0))
    if found.already:
        by = f" ({found.now.ceiling.by})" if found.now.ceiling.by else ""
        return f"no attack gets more than {wanted} of the labels right on average now: at most {now}{by}"
    alone = next((one for one in found.options if [each.field for each in one.changes] == ["queries"]), None)
    if alone is None:
        return (
            f"no cap on queries alone is proved to keep every attack at {wanted}, not even 1; the ceiling is {now} now"
        )
    queries = alone.report.scenario.queries or 0
    if queries == LARGEST_CAP:
        return f"queries <= {whole(queries)} is enough, more than anybody makes: no attack gets more than {wanted} on average"
    return f"queries <= {whole(queries)} is the largest cap at which no attack gets more than {wanted} right on average"
