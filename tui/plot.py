"""A step plot of queries on a logarithmic scale, or of shares on an even one, in braille over shaded regions; pure data.

Every column of the plot belongs to one computed point: nothing is drawn between points, because nothing was
proved between them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Region = Literal["feasible", "unknown", "impossible", "pending"]
Line = Literal["limit", "best", "paper", "budget"]

BRAILLE = 0x2800
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # rows of a cell, top first
DOT_ROWS, DOT_COLUMNS = 4, 2
ROOM_FOR_QUARTERS = 9 * DOT_ROWS  # rows, so that a line is free between two labels
STRIDES = {"budget": 3, "paper": 2, "limit": 1, "best": 1}  # dashes tell lines apart without colour
LINES: tuple[Line, ...] = ("budget", "paper", "limit", "best")  # later ones lie on top
Place = tuple[int, int]
Mark = tuple[Line, int]


@dataclass(frozen=True, slots=True)
class Point:
    """What is known at one value of the field: queries below `limit` fail, from `best` on they suffice."""

    label: str
    limit: float | None  # None: nothing is excluded; infinity: everything is
    best: float | None
    paper: int | None = None
    present: bool = False
    planned: bool = True  # False: still to come

    def region(self, queries: float) -> Region:
        """What `queries` queries can do here."""
        if not self.planned:
            return "pending"
        if self.best is not None and queries >= self.best:
            return "feasible"
        return "impossible" if self.limit is not None and queries < self.limit else "unknown"


@dataclass(frozen=True, slots=True)
class Share(Point):
    """What is known at one budget, in percent of the labels: so many are certified as `best`, none gets beyond `limit`."""

    def region(self, queries: float) -> Region:
        """What becomes of a share of the labels here."""
        if not self.planned:
            return "pending"
        if self.best is not None and queries <= self.best:
            return "feasible"
        return "impossible" if self.limit is not None and queries > self.limit else "unknown"


@dataclass(frozen=True, slots=True)
class Cell:
    """One character of the plot: a glyph, the line it belongs to and the region behind it."""

    glyph: str
    line: Line | None
    region: Region
    present: bool


@dataclass(frozen=True, slots=True)
class Scale:
    """Queries on a logarithmic axis of `rows` dot rows, from 10^low at the bottom to 10^high at the top."""

    low: float
    high: float
    rows: int

    @classmethod
    def around(cls, points: Sequence[Point], budget: int | None, cells: int) -> Scale:
        """Whole decades that hold every finite figure, with some room under the lowest one."""
        figures = [figure for point in points for figure in (point.limit, point.best, point.paper)]
        finite = [math.log10(max(one, 1)) for one in [*figures, budget] if one and one != math.inf]
        low = max(math.floor(min(finite, default=0) - 0.3), 0)
        high = math.ceil(max(finite, default=3) + 0.05)
        return cls(low, max(high, low + 1), cells * DOT_ROWS)

    def row(self, queries: float) -> int:
        """The dot row, counted from the top, of so many queries."""
        share = (self.high - math.log10(max(queries, 1))) / (self.high - self.low)
        return min(max(round(share * (self.rows - 1)), 0), self.rows - 1)

    def queries(self, cell: int) -> float:
        """The queries at the middle of a cell row."""
        share = (cell * DOT_ROWS + (DOT_ROWS - 1) / 2) / (self.rows - 1)
        return float(10.0 ** (self.high - share * (self.high - self.low)))

    def ticks(self) -> dict[int, str]:
        """Cell rows that carry a power of ten, and which; as many as fit without touching."""
        decades = range(int(self.low), int(self.high) + 1)
        stride = max(1, math.ceil(2 * len(decades) * DOT_ROWS / self.rows))
        return {self.row(10.0**power) // DOT_ROWS: _power(power) for power in decades if power % stride == 0}


@dataclass(frozen=True, slots=True)
class Percent:
    """Shares of the labels on an even axis of `rows` dot rows, all of them at the top."""

    rows: int

    def row(self, percent: float) -> int:
        """The dot row, counted from the top, of a share."""
        return min(max(round((1 - percent / 100) * (self.rows - 1)), 0), self.rows - 1)

    def queries(self, cell: int) -> float:
        """The share at the middle of a cell row."""
        return 100 * (1 - (cell * DOT_ROWS + (DOT_ROWS - 1) / 2) / (self.rows - 1))

    def ticks(self) -> dict[int, str]:
        """Quarters, or the ends alone where there is no room."""
        shares = (0, 25, 50, 75, 100) if self.rows >= ROOM_FOR_QUARTERS else (0, 100)
        return {self.row(share) // DOT_ROWS: f"{share}%" for share in shares}


def scale_of(points: Sequence[Point], budget: int | None, cells: int) -> Scale | Percent:
    """The axis that the points are drawn on."""
    if any(isinstance(one, Share) for one in points):
        return Percent(cells * DOT_ROWS)
    return Scale.around(points, budget, cells)


def _power(power: int) -> str:
    """A power of ten in full while that is short."""
    return f"{10**power:,}" if power <= 4 else f"1e{power}"


def bands(count: int, width: int) -> list[tuple[int, int]]:
    """The columns of each of `count` points: contiguous, together `width` wide."""
    edges = [round(index * width / count) for index in range(count + 1)]
    return list(pairwise(edges))


def draw(points: Sequence[Point], width: int, height: int, budget: int | None = None) -> list[list[Cell]]:
    """The plot as rows of cells; empty where there is nothing to show or no room."""
    if not points or width < len(points) or height < 1:
        return []
    scale = scale_of(points, budget, height)
    owner = [point for point, band in _banded(points, width) for _ in range(*band)]
    dots = _dots(points, scale, width, budget)
    return [
        [_cell(owner[column], dots.get((row, column)), scale.queries(row)) for column in range(width)]
        for row in range(height)
    ]


def _cell(point: Point, dots: Mark | None, queries: float) -> Cell:
    line, mask = dots or (None, 0)
    return Cell(chr(BRAILLE + mask) if mask else " ", line, point.region(queries), point.present)


def _banded(points: Sequence[Point], width: int) -> list[tuple[Point, tuple[int, int]]]:
    return list(zip(points, bands(len(points), width), strict=True))


def _dots(points: Sequence[Point], scale: Scale | Percent, width: int, budget: int | None) -> dict[Place, Mark]:
    """The braille mask of each cell that a line crosses, and the topmost line there."""
    masks: dict[Place, Mark] = {}
    for line in LINES:
        for x, y in _path(line, points, scale, width, budget):
            at = (y // DOT_ROWS, x // DOT_COLUMNS)
            held, mask = masks.get(at, (line, 0))
            masks[at] = (line, (mask if held == line else 0) | DOTS[y % DOT_ROWS][x % DOT_COLUMNS])
    return masks


def _path(
    line: Line, points: Sequence[Point], scale: Scale | Percent, width: int, budget: int | None
) -> Iterator[tuple[int, int]]:
    """The dots of one line: level over each point's columns, with risers between neighbours that have one."""
    before: int | None = None
    for point, (start, end) in _banded(points, width):
        figure = budget if line == "budget" else getattr(point, line)
        if figure is None or figure == math.inf:
            before = None
            continue
        y = scale.row(figure)
        for step in range(min(before, y), max(before, y)) if before is not None else ():
            yield start * DOT_COLUMNS, step
        for x in range(start * DOT_COLUMNS, end * DOT_COLUMNS):
            if x % STRIDES[line] == 0:
                yield x, y
        before = y
