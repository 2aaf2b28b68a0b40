"""The frontier plot on the screen: axes and legend around the cells of `tui.plot`."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.css.styles import RenderStyles
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tui.frontier import BUDGETS, Frontier
from tui.plot import Cell, bands, draw, scale_of

REGIONS = ("feasible", "unknown", "impossible")
LINES = {"best": "⣀⣀ certified", "limit": "⠒⠒ bound", "paper": "⠄⠄ paper", "budget": "⠂⠐ budget"}
SHARES = {"feasible": "exposed", "unknown": "unknown", "impossible": "out of reach"}  # of labels, over budgets
CURVES = {"best": "⣀⣀ certified", "limit": "⠒⠒ ceiling"}
GUTTER = 7
FOOT = 4  # values, present value, regions, lines
ONE_LINE_LEGEND = 78


class PlotView(Widget):
    """Draws a frontier; resizing redraws it, nothing is planned anew."""

    COMPONENT_CLASSES: ClassVar = {f"plot--{name}" for name in (*REGIONS, *LINES, "axis", "present", "pending")}

    frontier: reactive[Frontier | None] = reactive(None)

    def __init__(self) -> None:
        super().__init__(id="plot")
        self._rows: list[list[Cell]] = []
        self._ticks: dict[int, str] = {}
        self._key: object = None
        self._styles: dict[tuple[object, ...], Style] = {}

    @property
    def _foot(self) -> int:
        return FOOT - (self.size.width >= ONE_LINE_LEGEND)

    def _draw(self, frontier: Frontier) -> list[list[Cell]]:
        """The cells for the present size, drawn once."""
        key = (frontier, self.size)
        if key != self._key:
            width, height = self.size.width - GUTTER - 1, self.size.height - self._foot
            self._rows = draw(frontier.points, width, height, frontier.budget)
            self._ticks = scale_of(frontier.points, frontier.budget, max(height, 1)).ticks()
            self._key = key
        return self._rows

    def render_line(self, y: int) -> Strip:
        """One line: plot, axis or legend, on the widget's own background."""
        return Strip(self._line(y)).simplify().extend_cell_length(self.size.width).apply_style(self._style("axis"))

    def _line(self, y: int) -> list[Segment]:
        frontier = self.frontier
        rows = self._draw(frontier) if frontier else []
        if frontier is None or not rows:
            return [Segment(f" {_excuse(frontier)}" if y == 1 else "", self._style("axis"))]
        if y < len(rows):
            return self._plot_line(y, rows)
        foot = (self._labels(frontier), self._marker(frontier), *self._legend(frontier))
        return foot[y - len(rows)] if y - len(rows) < len(foot) else []

    # -- colours -------------------------------------------------------------------------------------------

    def _style(self, name: str, region: str | None = None, present: bool = False) -> Style:
        """A line's colour over a region's shade, mixed once a theme: a plot has thousands of cells."""
        key = (self.app.theme, name, region, present)
        if key not in self._styles:
            self._styles[key] = self._mixed(name, region, present)
        return self._styles[key]

    def _mixed(self, name: str, region: str | None, present: bool) -> Style:
        """See-through shades mix with what lies behind them."""
        back = self.background_colors[1]
        for shade in (region, "present" if present else None):
            back = back + self._component(shade).background if shade else back
        styles = self._component(name)
        return Style(color=(back + styles.color).rich_color, bgcolor=back.rich_color, bold=styles.text_style.bold)

    def _component(self, name: str) -> RenderStyles:
        return self.get_component_styles(f"plot--{name}")

    # -- lines ---------------------------------------------------------------------------------------------

    def _plot_line(self, y: int, rows: list[list[Cell]]) -> list[Segment]:
        tick = self._ticks.get(y)
        label = " " * (GUTTER - 1) + "│" if tick is None else f"{tick:>{GUTTER - 1}}┤"
        cells = (Segment(one.glyph, self._style(one.line or "axis", one.region, one.present)) for one in rows[y])
        return [Segment(label, self._style("axis")), *cells]

    def _labels(self, frontier: Frontier) -> list[Segment]:
        """The values under their columns; those that would touch are left out, the present one never is."""
        width = self.size.width - GUTTER
        line = [" "] * width
        order = sorted(range(len(frontier.points)), key=lambda index: not frontier.points[index].present)
        spans = bands(len(frontier.points), width - 1)
        for index in order:
            label = frontier.points[index].label
            start = max(min((sum(spans[index]) - len(label)) // 2, width - len(label)), 0)
            if all(mark == " " for mark in line[max(start - 1, 0) : start + len(label) + 1]):
                line[start : start + len(label)] = label
        return [Segment(" " * GUTTER + "".join(line), self._style("axis"))]

    def _marker(self, frontier: Frontier) -> list[Segment]:
        """Where the scenario stands, and what the axes are."""
        spans = bands(len(frontier.points), self.size.width - GUTTER - 1)
        here = next(span for one, span in zip(frontier.points, spans, strict=True) if one.present)
        left = "labels ↑" if frontier.sweep.axis == BUDGETS else "queries ↑"
        right = f" {frontier.sweep.axis} →"
        place = max(GUTTER + sum(here) // 2 + 1 - len(left), 2)
        width = self.size.width - len(left)
        mark = f"{'▲':>{place}} now" if place + len(" now") + len(right) <= width else f"{'now ▲':>{place}}"
        right = right if len(mark) + len(right) <= width else ""  # the name of the view's tab says it, too
        axis = self._style("axis")
        return [
            Segment(left, axis),
            Segment(mark, self._style("best")),
            Segment(f"{right:>{width - len(mark)}}", axis),
        ]

    def _legend(self, frontier: Frontier) -> list[list[Segment]]:
        budgets = frontier.sweep.axis == BUDGETS
        named, drawn = (SHARES, CURVES) if budgets else (dict(zip(REGIONS, REGIONS, strict=True)), LINES)
        regions = [Segment(f" {text} ", self._style("budget", region)) for region, text in named.items()]
        lines = [Segment(f"  {text}", self._style(line)) for line, text in drawn.items()]
        return [[*regions, *lines]] if self._foot < FOOT else [regions, lines]


def _excuse(frontier: Frontier | None) -> str:
    if frontier is None:
        return "planning…"
    return frontier.fault or "no room for the plot here: ctrl+b hides the scenario"
