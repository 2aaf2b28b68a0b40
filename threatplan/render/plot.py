"""Plots of a sweep: a small one in the terminal, a fine one through matplotlib."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from threatplan.faults import CommandError, missing
from threatplan.render.page import Page

if TYPE_CHECKING:
    from threatplan.sweeps import Row

HEIGHT = 12


@dataclass(frozen=True, slots=True)
class Series:
    """A curve: its name, its mark in a terminal, and a value (or none) for each point."""

    name: str
    mark: str
    values: tuple[float | None, ...]


def curves(rows: Sequence[Row]) -> list[Series]:
    """Queries of the best certified attack, the lower bound, and what the paper claims."""
    return [
        Series("best certified attack", "●", tuple(_positive(row.queries) for row in rows)),
        Series("lower bound", "▁", tuple(_positive(row.lower_bound) for row in rows)),
        Series("the paper's claim", "×", tuple(_positive(row.paper) for row in rows)),
    ]


def terminal(rows: Sequence[Row], page: Page) -> Iterator[str]:
    """Queries on a logarithmic scale, one column group a point."""
    series = [one for one in curves(rows) if any(value is not None for value in one.values)]
    known = [value for one in series for value in one.values if value is not None]
    if not known:
        yield "  nothing to plot: no attack and no bound at any point"
        return
    low, high = math.log10(min(known)), math.log10(max(known))
    step = max(1, min(12, (page.width - 14) // max(len(rows), 1)))
    shown = min(len(rows), (page.width - 14) // step)
    for level in range(HEIGHT, -1, -1):
        value = low + (high - low) * level / HEIGHT
        label = f"{10**value:>10,.0f} {page.glyph('┤', '|')}" if level % 4 == 0 else f"{page.glyph('│', '|'):>12}"
        cells = (_cell(series, i, level, low, high, page).center(step) for i in range(shown))
        yield (label + "".join(cells)).rstrip()
    labels = "".join(rows[i].label[: step - 1].center(step) for i in range(shown)) if step > 3 else ""
    yield (" " * 12 + labels).rstrip()
    yield "  queries (log scale): " + ", ".join(f"{_mark(one, page)} {one.name}" for one in series)


def _cell(series: Sequence[Series], point: int, level: int, low: float, high: float, page: Page) -> str:
    for one in series:
        value = one.values[point]
        if value is not None and round((math.log10(value) - low) / ((high - low) or 1) * HEIGHT) == level:
            return _mark(one, page)
    return " "


def _mark(series: Series, page: Page) -> str:
    return page.glyph(series.mark, series.name[0])


def _positive(value: int | None) -> float | None:
    return float(value) if value and value < 10**300 else None


def picture(rows: Sequence[Row], path: str) -> None:
    """Draw the curves into an SVG, PNG or PDF file."""
    figure, axes = _pyplot().subplots(figsize=(8, 5), layout="constrained")
    places = range(len(rows))
    for one, style in zip(curves(rows), ("o-", "v--", "x:"), strict=True):
        values = [math.nan if value is None else value for value in one.values]
        axes.plot(places, values, style, label=one.name)
    axes.set(yscale="log", ylabel="queries", title=rows[0].scenario if rows else "")
    step = max(1, len(rows) // 12)
    axes.set_xticks(list(places)[::step], [row.label for row in rows][::step], rotation=30, ha="right")
    axes.grid(alpha=0.3)
    axes.legend()
    _save(figure, path)


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
