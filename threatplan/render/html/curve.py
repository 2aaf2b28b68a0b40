"""The curve as a picture: labels that are certified, and the ceiling that is proved, over the number of submissions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from threatplan.render.numbers import whole

if TYPE_CHECKING:
    from planner.report import Report
    from threatplan.curves import Point

WIDE, HIGH = 760, 330
LEFT, RIGHT, TOP, BOTTOM = 64, 20, 24, 64
TICKS = 4
MOST_MARKS = 9  # of the axis of submissions
LETTER = 9  # the width of a digit, room around the number counted in
DOT = 3  # radius of what was computed
CERTIFIED = "labels that an attack is certified to recover"
NONE = "no attack is certified for any label"
DOTS = (
    "A dot is what was computed for so many submissions. Between two dots what is certified lies somewhere in the shaded "
    "box, whatever the line suggests. "
)
STAIRS = "The dashed line is never lower than what is proved."


def note(points: Sequence[Point]) -> str:
    """How the curve is read."""
    return DOTS * any(one.labels for one in points) + STAIRS


def drawn(report: Report, points: Sequence[Point]) -> str:
    """An SVG that takes its colours from the page, with a sentence for who cannot see it."""
    last, total = max(points[-1].queries, 1), report.scenario.N
    lines = (*_ceiling(points, last), *_known(points, last, total), *_budget(report, last))
    parts = (*_axes(last, _whole(report)), *lines, *_legend(report, points))
    said = f"Labels certified and ceiling over {whole(points[0].queries)} to {whole(last)} submissions"
    return f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{said}">{"".join(parts)}</svg>'


def _x(queries: float, last: int) -> float:
    return round(LEFT + (WIDE - LEFT - RIGHT) * queries / last, 1)


def _y(share: float) -> float:
    return round(TOP + (HIGH - TOP - BOTTOM) * (1 - share), 1)


def _axes(last: int, full: str) -> Iterator[str]:
    for step in range(TICKS + 1):
        share = step / TICKS
        yield _line(LEFT, _y(share), WIDE - RIGHT, _y(share), "var(--line)")
        yield _text(LEFT - 8, _y(share) + 4, f"{share:.0%}", "end")
    for queries in marks(last):
        yield _text(_x(queries, last), HIGH - BOTTOM + 18, whole(queries), "middle")
    yield _text((LEFT + WIDE - RIGHT) / 2, HIGH - BOTTOM + 36, f"submissions ({full})", "middle", "faint")


def marks(last: int) -> range:
    """Round numbers from 0 on, up to nine steps apart; fewer where they are so long that they would touch."""
    power = 10 ** (len(str(last)) - 1)
    most = min(MOST_MARKS, (WIDE - LEFT - RIGHT) // (LETTER * len(whole(last))))
    steps = (each for each in (power // 5, power // 2, power, 2 * power, 5 * power) if each and last // each <= most)
    return range(0, last + 1, next(steps, 1))


def _whole(report: Report) -> str:
    """What 100% is: of a split board the attacks speak of all rows, the ceiling of those that are scored."""
    channel, rows = report.channel, whole(report.scenario.N)
    if not channel.split:
        return f"100% are all {rows} labels"
    scored = f"{whole(channel.fewest)} to {whole(channel.scored)}" if channel.uncertain else whole(channel.scored)
    return f"100% are all {rows} rows for what is certified, the {scored} scored ones for the ceiling"


def _known(points: Sequence[Point], last: int, total: int) -> Iterator[str]:
    """What was computed as dots. It never falls, so that between two dots it lies in the shaded box that they span: the
    line through them is there to read along and promises nothing."""
    places = [(_x(one.queries, last), _y(one.labels / total)) for one in points if one.labels is not None]
    if not any(one.labels for one in points):
        return  # what is not known is not 0
    boxes = "".join(f"M{left} {low}H{right}V{high}H{left}Z" for (left, low), (right, high) in pairwise(places))
    line = "L".join(f"{x} {y}" for x, y in places)
    yield f'<path d="{boxes}" fill="var(--known)" fill-opacity="0.18"/>' if boxes else ""
    yield f'<path d="M{line}" fill="none" stroke="var(--known)" stroke-width="1.5"/>'
    yield from (f'<circle cx="{x}" cy="{y}" r="{DOT}" fill="var(--known)"/>' for x, y in places)


def _ceiling(points: Sequence[Point], last: int) -> Iterator[str]:
    """What no attack exceeds with the later of two budgets it does not exceed with fewer: stairs that are too high."""
    path = f"M{_x(points[0].queries, last)} {_y(points[0].ceiling)}"
    for before, one in pairwise(points):
        path += f"L{_x(before.queries, last)} {_y(one.ceiling)}L{_x(one.queries, last)} {_y(one.ceiling)}"
    yield f'<path d="{path}" fill="none" stroke="var(--ceiling)" stroke-width="2" stroke-dasharray="6 4"/>'


def _budget(report: Report, last: int) -> Iterator[str]:
    queries = report.scenario.queries
    if queries is None:
        return
    x = _x(queries, last)
    yield _line(x, TOP, x, HIGH - BOTTOM, "var(--ink)", "2 3")
    anchor = "end" if x > WIDE / 2 else "start"
    yield _text(x, TOP - 8, f"allowed: {whole(queries)}", anchor)


def _legend(report: Report, points: Sequence[Point]) -> Iterator[str]:
    y = HIGH - 10
    if any(one.labels for one in points):
        yield _line(LEFT, y - 4, LEFT + 26, y - 4, "var(--known)", width=1.5)
        yield f'<circle cx="{LEFT + 13}" cy="{y - 4}" r="{DOT}" fill="var(--known)"/>'
        known = "rows whose label is told, if scored" if report.channel.split else CERTIFIED
        yield _text(LEFT + 34, y, known, "start")
    else:
        yield _text(LEFT, y, NONE, "start")  # what is not drawn has no sign
    yield _line(LEFT + 390, y - 4, LEFT + 416, y - 4, "var(--ceiling)", "6 4", 2)
    yield _text(LEFT + 424, y, "no attack gets more right on average", "start")


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, dashes: str = "", width: float = 1) -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" stroke-width="{width}"{dashed}/>'


def _text(x: float, y: float, text: str, anchor: str, style: str = "") -> str:
    named = f' class="{style}"' if style else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{named}>{text}</text>'
