"""Every attack of the catalogue: the paper's figures and the certified ones, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual.content import Content
from textual.coordinate import Coordinate
from textual.widgets import DataTable

from tui.numbers import human
from tui.prose import STATUS, labels_a_query

if TYPE_CHECKING:
    from planner.model import Candidate
    from planner.report import Report

COLUMNS = ("", "attack", "queries", "paper", "m", "paper m", "bits", "status")
NUMERIC = frozenset(COLUMNS[2:7])
FAINT = "dim"
NONE = "–"

Row = list[Content]


class AttackTable(DataTable[Content]):
    """One row a candidate; nothing disappears because it does not apply."""

    def __init__(self) -> None:
        super().__init__(id="attacks", cursor_type="row", zebra_stripes=True)
        self._placed: str | None = None  # where the cursor was put, as long as the user has not moved it
        self._names: list[str] = []
        self._shown: list[Row] = []

    def on_mount(self) -> None:
        """The columns; their widths follow what they hold."""
        for name in COLUMNS:
            self.add_column(name, key=name, width=len(name))

    @property
    def selected(self) -> str | None:
        """The attack under the cursor."""
        return self._names[self.cursor_row] if self._names else None

    def show(self, report: Report) -> None:
        """The report's candidates; the cursor stays on the attack that it was put on, or goes to the best."""
        best = report.best.attack if report.best else None
        moved = self.selected is not None and self.selected != self._placed
        wanted = self.selected if moved else best or report.exposure.attack
        names = [candidate.attack for candidate in report.candidates]
        rows = _aligned([_cells(candidate, candidate.attack == best) for candidate in report.candidates])
        with self.app.batch_update():
            if names == self._names and list(map(len, rows[0])) == list(map(len, self._shown[0])):
                self._update(rows)
            else:
                self._fill(names, rows)
            self._names, self._shown = names, rows
            row = names.index(wanted) if wanted in names else 0
            self.move_cursor(row=row, animate=False)
        self._placed = self._placed if moved else names[row]

    def _update(self, rows: list[Row]) -> None:
        """Change only the cells that differ: a new layout costs more than the planning."""
        for y, (old, new) in enumerate(zip(self._shown, rows, strict=True)):
            for x, (before, after) in enumerate(zip(old, new, strict=True)):
                if not before.is_same(after):
                    self.update_cell_at(Coordinate(y, x), after)

    def _fill(self, names: list[str], rows: list[Row]) -> None:
        self.clear()
        for column, name, cell in zip(self.ordered_columns, COLUMNS, rows[0], strict=True):
            column.width = len(cell)
            column.label = Text(name.rjust(len(cell)) if name in NUMERIC else name)
        for name, row in zip(names, rows, strict=True):
            self.add_row(*row, key=name)


def _cells(candidate: Candidate, best: bool) -> Row:
    glyph, word, style = STATUS[candidate.status.value]
    paper, plan = candidate.paper, candidate.certified
    dim = FAINT if candidate.status == "refused" else ""
    claim = f"strike {FAINT}" if paper and paper.erratum else dim
    return [
        Content.styled("★" if best else glyph, style),
        Content.styled(candidate.attack, "bold" if best else dim),
        Content.styled(human(plan.queries) if plan else NONE, dim),
        Content.styled(human(paper.queries) if paper else NONE, claim),
        Content.styled(labels_a_query(plan.labels_per_query) if plan else NONE, dim),
        Content.styled(human(paper.labels_per_query) if paper else NONE, claim),
        Content.styled(human(plan.precision_bits) if plan else NONE, dim),
        Content.styled(word, style),
    ]


def _aligned(rows: list[Row]) -> list[Row]:
    """Every cell as wide as its column, figures at the right."""
    heads = [Content(name) for name in COLUMNS]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    return [list(map(_cell, COLUMNS, row, widths)) for row in rows]


def _cell(name: str, cell: Content, width: int) -> Content:
    room = width - len(cell)
    return cell.pad_left(room) if name in NUMERIC else cell.pad_right(room)
