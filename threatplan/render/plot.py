"""Plots of a sweep, a panel a scenario: small ones in the terminal, fine ones through matplotlib."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from threatplan.faults import CommandError, missing
from threatplan.render.numbers import NOT_KNOWN, share
from threatplan.render.page import Page
from threatplan.render.tone import tone_of

if TYPE_CHECKING:
    from threatplan.sweeps import Row

HEIGHT = 12
SHARED = "queries"  # the field against which shares are drawn
BEST = "best certified attack"
EXPOSED, CEILING = "certified to be exposed", "no attack gets more right on average"
ACROSS = 2  # panels of a picture side by side
LABELS = 12  # ticks of an axis, at most
LEVEL = 60  # characters of an axis that stand beside each other; more are turned
COLOURS = {"bad": "#c22d4b", "good": "#2f7d4f", "warn": "#c98a00"}
HUES = "cividis", 0.75  # of lines, up to where they are still seen on white: green and red are the marks' alone
SHAPES = {"feasible": "^", "impossible": "s", "unknown": "D"}  # so that colour is not needed to tell them


@dataclass(frozen=True, slots=True)
class Series:
    """A curve: its name, its mark in a terminal, and a value (or none) for each point."""

    name: str
    mark: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """The points along the innermost sweep, for one value of each sweep around it."""

    label: str  # the outer values, "" where there is one sweep
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """One scenario: its name, the field along its axis, and a line for each value of the sweeps around that."""

    title: str
    axis: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of a plot in the terminal: of logarithms of counts, or of shares."""

    low: float
    high: float
    logarithmic: bool

    def level(self, value: float) -> int:
        """The line that a value stands on, from below."""
        at = math.log10(value) if self.logarithmic else value
        return round((at - self.low) / ((self.high - self.low) or 1) * HEIGHT)

    def label(self, level: int) -> str:
        """The value of a line."""
        value = self.low + (self.high - self.low) * level / HEIGHT
        return f"{10**value:,.0f}" if self.logarithmic else f"{value:.0%}"


def panels(rows: Sequence[Row]) -> list[Panel]:
    """The rows of a sweep by scenario, and within it by the values of all sweeps but the last."""
    found = []
    for (title, *fields), group in groupby(rows, key=lambda row: (row.scenario, *row.point)):
        lines = groupby(group, key=lambda row: tuple(row.point.items())[:-1])
        named = (Line(", ".join(f"{name} = {value}" for name, value in outer), tuple(own)) for outer, own in lines)
        found.append(Panel(title, fields[-1] if fields else "", tuple(named)))
    return found


def curves(rows: Sequence[Row]) -> list[Series]:
    """Queries of the best certified attack, the lower bound, what the paper claims, and what is allowed."""
    return [
        Series(BEST, "●", tuple(_positive(row.queries) for row in rows)),
        Series("lower bound", "▁", tuple(_positive(row.lower_bound) for row in rows)),
        Series("the paper's claim", "×", tuple(_positive(row.paper) for row in rows)),
        Series("allowed", "┄", tuple(_positive(row.budget) for row in rows)),
    ]


def exposures(rows: Sequence[Row]) -> list[Series]:
    """The share of the labels that is certified to be exposed, and what no attack exceeds."""
    return [
        Series(EXPOSED, "●", tuple(row.fraction for row in rows)),
        Series(CEILING, "▁", tuple(row.ceiling for row in rows)),
    ]


def terminal(rows: Sequence[Row], page: Page) -> Iterator[str]:
    """One plot for each line of each panel, below its name."""
    for panel in panels(rows):
        for line in panel.lines:
            yield page.ink(": ".join(part for part in (panel.title, line.label) if part), "bold")
            yield from _drawn(line.rows, panel.axis, page)


def _drawn(rows: Sequence[Row], axis: str, page: Page) -> Iterator[str]:
    """Queries on a logarithmic scale, or shares of the labels against queries; one column group a point."""
    shares = axis == SHARED
    series = [one for one in (exposures if shares else curves)(rows) if any(value is not None for value in one.values)]
    known = [value for one in series for value in one.values if value is not None]
    if not known:
        yield "  nothing to plot: no attack and no bound at any point"
        return
    scale = Scale(0, 1, False) if shares else Scale(math.log10(min(known)), math.log10(max(known)), True)
    step = max(1, min(12, (page.width - 14) // max(len(rows), 1)))
    shown = min(len(rows), (page.width - 14) // step)
    for level in range(HEIGHT, -1, -1):
        label = f"{scale.label(level):>10} {page.glyph('┤', '|')}" if level % 4 == 0 else f"{page.glyph('│', '|'):>12}"
        cells = (_cell(series, i, level, scale, page).center(step) for i in range(shown))
        yield (label + "".join(cells)).rstrip()
    labels = "".join(_last(rows[i])[: step - 1].center(step) for i in range(shown)) if step > 3 else ""
    yield (" " * 12 + labels).rstrip()
    along = f" against {axis}" if axis else ""
    yield f"  {'share of the labels' if shares else 'queries (log scale)'}{along}: " + ", ".join(
        f"{_mark(one, page)} {one.name}" for one in series
    )


def _last(row: Row) -> str:
    """The value of the innermost sweep."""
    return next(reversed(row.point.values()), "")


def _cell(series: Sequence[Series], point: int, level: int, scale: Scale, page: Page) -> str:
    for one in series:
        value = one.values[point]
        if value is not None and scale.level(value) == level:
            return _mark(one, page)
    return " "


def _mark(series: Series, page: Page) -> str:
    return page.glyph(series.mark, series.name[0])


def _positive(value: int | None) -> float | None:
    return float(value) if value and value < 10**300 else None


def picture(rows: Sequence[Row], path: str) -> None:
    """Draw the panels into an SVG, PNG or PDF file."""
    drawn = panels(rows)
    across = min(ACROSS, len(drawn))
    down = -(-len(drawn) // across)
    figure, axes = _pyplot().subplots(down, across, figsize=(9 * across, 5 * down), layout="constrained", squeeze=False)
    for place, axis in enumerate(axes.flat):
        if place < len(drawn):
            _draw(drawn[place], axis)
        else:
            axis.set_axis_off()
    _save(figure, path)


def _draw(panel: Panel, axes: Any) -> None:
    shares = panel.axis == SHARED  # queries against queries would tell nothing: what so many of them give away does
    hues = _hues(len(panel.lines))
    for number, line in enumerate(panel.lines):
        if shares:
            _draw_shares(line, axes, hues[number])
        else:
            _draw_line(line, axes, hues[number], first=not number, alone=len(panel.lines) == 1)
    _draw_marks([row for line in panel.lines for row in line.rows], axes)
    rows = max((line.rows for line in panel.lines), key=len)
    step = max(1, -(-len(rows) // LABELS))
    names = [_last(row) for row in rows][::step]
    turned = {"rotation": 30, "ha": "right"} if len(" ".join(names)) > LEVEL else {}
    axes.set_xticks(range(0, len(rows), step), names, **turned)
    axes.set(xlabel=panel.axis, title=panel.title)
    if shares:
        axes.set(ylim=(-0.03, 1.03), ylabel="share of the labels")
        axes.yaxis.set_major_formatter("{x:.0%}")
    else:
        axes.set(yscale="log", ylabel="queries")
        _plain_numbers(axes.yaxis)
    axes.grid(alpha=0.3)
    handles, labels = axes.get_legend_handles_labels()
    order = sorted(range(len(labels)), key=lambda place: BEST not in labels[place])  # lines first, then what they share
    beside = {"loc": "upper left", "bbox_to_anchor": (1, 1)}  # the panel: it covers no curve
    axes.legend([handles[at] for at in order], [labels[at] for at in order], fontsize="small", **beside)


def _hues(count: int) -> list[Any]:
    """A colour for each line, in their order, however many there are."""
    if count == 1:
        return ["C0"]
    from matplotlib import colormaps

    name, last = HUES
    return [colormaps[name](last * number / (count - 1)) for number in range(count)]


def _draw_marks(rows: Sequence[Row], axes: Any) -> None:
    """A legend of the marks, in the colours that they have: an impossible recovery of all labels may be no comfort."""
    for verdict, shape in SHAPES.items():
        comfort = tone_of(verdict, 0.0, 0.0)
        for tone in sorted({row.tone for row in rows if row.verdict == verdict}):
            held = [row for row in rows if (row.verdict, row.tone) == (verdict, tone)]
            label = verdict if tone == comfort else f"{verdict}, but {_open(held)}"
            axes.plot([], [], shape, color=COLOURS[tone], label=label)


def _open(rows: Sequence[Row]) -> str:
    """What is exposed at some points, and what no ceiling keeps hidden there."""
    from planner.ceiling import percent_above

    shares, ceilings = [row.fraction for row in rows], [row.ceiling for row in rows if row.ceiling is not None]
    known = [one for one in shares if one is not None]
    exposed = f"exposed: up to {share(max(known))}" if len(known) == len(shares) else f"exposed: {NOT_KNOWN}"
    most = max(ceilings, default=1.0)
    return f"{exposed},\nceiling: {'none' if most >= 1 else f'up to {percent_above(most)}'}"


def _draw_shares(line: Line, axes: Any, colour: Any) -> None:
    """Labels that are certified to be exposed within each budget, and what no attack exceeds."""
    name = f"{line.label}: " if line.label else ""
    exposed = [math.nan if row.fraction is None else row.fraction for row in line.rows]
    most = [math.nan if row.ceiling is None else row.ceiling for row in line.rows]
    axes.plot(range(len(exposed)), exposed, "-", color=colour, label=f"{name}{EXPOSED}")
    axes.plot(range(len(most)), most, "--", color=colour, alpha=0.5, label=f"{name}{CEILING}")
    for place, (row, part) in enumerate(zip(line.rows, exposed, strict=True)):
        axes.plot([place], [part], SHAPES.get(row.verdict, "x"), color=COLOURS[row.tone])


def _plain_numbers(axis: Any) -> None:
    """1,000 as everywhere, not 10^3; between powers of ten only where there are few of them."""
    from matplotlib.ticker import LogFormatter

    class Whole(LogFormatter):
        def __call__(self, value: float, pos: int | None = None) -> str:
            return f"{value:,.0f}" if value >= 1 and super().__call__(value, pos) else ""

    axis.set_major_formatter(Whole())
    axis.set_minor_formatter(Whole(labelOnlyBase=False, minor_thresholds=(1.5, 0.5)))


def _draw_line(line: Line, axes: Any, colour: Any, first: bool, alone: bool) -> None:
    """The curves of one line in one colour; the marks of the best attack say what the verdict is."""
    best, bound, claim, allowed = curves(line.rows)
    name = f"{line.label}: " if line.label else ""
    places = range(len(line.rows))
    axes.plot(places, _values(best), "-", color=colour, label=f"{name}{best.name}")
    for place, row in enumerate(line.rows):
        if (value := best.values[place]) is not None:
            axes.plot([place], [value], SHAPES.get(row.verdict, "x"), color=COLOURS[row.tone])
    axes.plot(places, _values(bound), "v--", color=colour, alpha=0.5, label=bound.name if first else None)
    if alone and any(value is not None for value in claim.values):
        axes.plot(places, _values(claim), "x:", color="grey", label=claim.name)
    if first and any(value is not None for value in allowed.values):
        axes.plot(places, _values(allowed), "-.", color="black", alpha=0.6, label=allowed.name)


def _values(series: Series) -> list[float]:
    return [math.nan if value is None else value for value in series.values]


def must_draw(path: str) -> None:
    """Refuse early what could not be drawn once the sweep is done."""
    if path == "-":
        return
    if _kind(path) not in ("svg", "png", "pdf"):
        raise CommandError(f"cannot draw {path}", "the name must end in .svg, .png or .pdf")
    _pyplot()


def _kind(path: str) -> str:
    return path.rpartition(".")[2].lower()


def _save(figure: Any, path: str) -> None:
    from io import BytesIO

    from threatplan.files import write_atomically

    buffer, kind = BytesIO(), _kind(path)
    figure.savefig(buffer, format=kind, metadata={"Date": None} if kind == "svg" else None)
    write_atomically(path, buffer.getvalue())


def _pyplot() -> Any:
    """Pyplot with its own defaults: matplotlib reads the settings of whatever folder it is used in."""
    import logging

    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it would repeat what it finds wrong in them
    try:
        import matplotlib
    except ImportError:
        raise missing("a picture", "matplotlib", "plots", "`--plot -` draws in the terminal") from None
    matplotlib.rcdefaults()
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "threatplan"  # the same sweep gives the same file
    from matplotlib import pyplot

    return pyplot
