"""Settings that would do, ranked, each with what it leaves: as text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from planner.ceiling import percent_above
from threatplan.render import markdown as md
from threatplan.render.numbers import NOT_KNOWN, exposed, figure, share, whole
from threatplan.render.table import Cell, Column, lay_out
from threatplan.render.tone import tone

if TYPE_CHECKING:
    from planner.report import Report
    from threatplan.hardening.options import Capped, Option
    from threatplan.render.page import Page

SMALL = 0.01  # standard errors below which it does not matter how few
PLAIN = 100  # standard errors from which on digits after the point say nothing
MOST = 12  # options that are shown; JSON has them all
HEAD = ("", "change", "price", "still exposes", "ceiling", "proof")
SPARE = {"proof": 4, "price": 3, "ceiling": 2, "still exposes": 1}  # what is given up first where there is no room
CAPPED = "The mildest settings for that; the largest cap comes first, what costs a standard error or more last"
LEAVES = (
    "`still exposes`: labels that an attack is certified to read off all the same. `ceiling`: the share that any attack gets "
    "right on average, at most."
)
PRICES = (
    "`price`: how far the change may move an honest score, in standard errors (s.e.), by which chance moves it anyhow."
)
LESS = "`--ceiling 60%` asks for settings that leave less."
GUIDE = (
    f"Most of these settings are the mildest that do, so a part of the labels may still be had. {LEAVES} {LESS} {PRICES} The "
    "order: settings of the board, changes of its scorer, a gate of your own, an error that would have to be chosen against "
    "the attack; last, whatever costs a standard error or more."
)
NO_CHANGE = "Nothing need be changed for that"
APPLY = "`--apply FILE` writes the scenario changed as in line 1, `--pick 2` as in line 2."


def heading(now: Report, options: Sequence[Option]) -> str:
    """What the list is of, or that there is none."""
    from planner.planning import goal_text

    goal = goal_text(now.channel)
    if now.verdict == "impossible":
        return f"Recovery of {goal} is impossible already{'; with one of these less can be had' if options else ''}"
    if not options:
        return f"No setting is proved to make recovery of {goal} impossible"
    return f"Recovery of {goal} is impossible with one of these; what asks least of everybody comes first"


def text(options: Sequence[Option], page: Page, title: str, guide: str = GUIDE) -> Iterator[str]:
    """The lines of the ranked list; for no options its title."""
    yield from page.wrap(page.ink(title, "head"), "  ")
    if not options:
        return
    columns = [Column(HEAD[0], right=True), *(Column(name, spare=SPARE.get(name, 0)) for name in HEAD[1:])]
    yield from lay_out(columns, [[Cell(cell) for cell in row] for row in rows(options)], page, "    ")
    if len(options) > MOST:
        yield f"    and {len(options) - MOST} more (--format json has them all)"
    yield from page.wrap(f"{APPLY} {guide}", "    ")


def markdown(options: Sequence[Option], title: str, guide: str = GUIDE) -> Iterator[str]:
    """The ranked list as a table below its title, and how to read it."""
    if options:
        yield from (f"{title}:", "")
        yield from md.table(HEAD, list(rows(options)))
        yield from (md.prose(guide), "")
    elif title:  # the ceiling's answer has none
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
    return NOT_KNOWN if labels is None or fraction is None else f"{whole(labels)} ({share(fraction)})"


def ceiling(report: Report) -> str:
    """The ceiling, in a cell."""
    return percent_above(report.ceiling.fraction)


# -- nothing to change ---------------------------------------------------------------------------------------


def already(report: Report) -> str:
    """Why recovery is impossible as things are, and what is left all the same."""
    left = exposed(report.exposure, report.scenario)
    return f"{report.why}. {NO_CHANGE}; exposure: {left}; ceiling: {ceiling(report)}"


def already_text(report: Report, page: Page) -> Iterator[str]:
    """One line, and what could be asked next."""
    verdict = page.ink("IMPOSSIBLE", tone(report))
    yield from page.wrap(f"{page.ink(report.scenario.name, 'bold')}: {verdict} already: {already(report)}", rest="  ")
    yield from page.wrap(LESS, "  ")


def already_markdown(report: Report) -> Iterator[str]:
    """The same as Markdown."""
    yield from (f"## {md.escape(report.scenario.name)}: impossible already", "", md.escape(already(report)), "")


# -- the answer to --ceiling ---------------------------------------------------------------------------------


def capped_text(found: Capped, page: Page) -> Iterator[str]:
    """What keeps every attack below a share of the labels."""
    yield from page.wrap(f"{page.ink(found.now.scenario.name, 'bold')}: {said(found)}", rest="  ")
    if found.options:
        yield ""
        yield from text(found.options, page, CAPPED, f"{LEAVES} {PRICES}")


def capped_markdown(found: Capped) -> Iterator[str]:
    """The same as Markdown."""
    yield from (
        f"## {md.escape(found.now.scenario.name)}: ceiling <= {_wanted(found)}",
        "",
        md.escape(said(found)),
        "",
    )
    yield from markdown(found.options, CAPPED if found.options else "", f"{LEAVES} {PRICES}")


def _wanted(found: Capped) -> str:
    return f"{float(found.most) * 100:g}%"


def said(found: Capped) -> str:
    """The answer in a sentence."""
    wanted, now = _wanted(found), percent_above(found.now.ceiling.fraction)
    if found.guessing > found.most:
        return f"no cap keeps every attack at {wanted}: guessing alone gets {share(found.guessing)} of the labels right"
    if found.already:
        by = f" ({found.now.ceiling.by})" if found.now.ceiling.by else ""
        return f"no attack gets more than {wanted} of the labels right on average now: at most {now}{by}"
    alone = next((one for one in found.options if [each.field for each in one.changes] == ["queries"]), None)
    if alone is None:
        return (
            f"no cap on queries alone is proved to keep every attack at {wanted}, not even 1; the ceiling is {now} now"
        )
    queries = alone.report.scenario.queries or 0
    return f"queries <= {whole(queries)} is the largest cap at which no attack gets more than {wanted} right on average"
