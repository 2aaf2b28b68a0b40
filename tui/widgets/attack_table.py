"""Every attack of the catalogue: the paper's figures and the certified ones, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual.content import Content
from textual.widgets import DataTable
from textual.widgets.data_table import Column

from tui.numbers import human
from tui.prose import STATUS, labels_a_query

if TYPE_CHECKING:
    from planner.model import Candidate, Report

COLUMNS = ("", "attack", "paper m", "paper queries", "m", "queries", "bits", "status")
NUMERIC = frozenset(COLUMNS[2:7])


class AttackTable(DataTable[Content]):
    """One row a candidate; nothing disappears because it does not apply."""

    def __init__(self) -> None:
        super().__init__(id="attacks", cursor_type="row", zebra_stripes=True)
        self._placed: str | None = None

    def on_mount(self) -> None:
        """The columns; their widths follow what they hold."""
        for name in COLUMNS:
            self.add_column(name, key=name, width=len(name))

    def show(self, report: Report) -> None:
        """The report's candidates; the cursor stays on the attack that it was on, or goes to the best."""
        best = report.best.attack if report.best else None
        rows = [_cells(candidate, candidate.attack == best) for candidate in report.candidates]
        heads = [Content(name) for name in COLUMNS]
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        names = [candidate.attack for candidate in report.candidates]
        moved = self.selected is not None and self.selected != self._placed  # by the user
        wanted = self.selected if moved else best or report.exposure.attack
        at = names.index(wanted) if wanted in names else 0
        with self.app.batch_update():
            self.clear()
            for column, width in zip(self.ordered_columns, widths, strict=True):
                _widen(column, width)
            for name, row in zip(names, rows, strict=True):
                self.add_row(*map(_aligned, COLUMNS, row, widths), key=name)
            self.move_cursor(row=at, animate=False)
        self._placed = self._placed if moved else names[at]

    @property
    def selected(self) -> str | None:
        """The attack under the cursor."""
        if not self.row_count:
            return None
        return self.coordinate_to_cell_key(self.cursor_coordinate).row_key.value


def _cells(candidate: Candidate, best: bool) -> list[Content]:
    glyph, word, style = STATUS[candidate.status.value]
    paper, plan = candidate.paper, candidate.certified
    figures = [
        human(paper.labels_per_query) if paper else "–",
        human(paper.queries) if paper else "–",
        labels_a_query(plan.labels_per_query) if plan else "–",
        human(plan.queries) if plan else "–",
        human(plan.precision_bits) if plan else "–",
    ]
    dim = "$foreground 60%" if candidate.status == "refused" else ""
    claim = "strike $foreground 60%" if paper and paper.erratum else dim
    name = Content.styled(candidate.attack, "bold" if best else dim)
    cells = [Content.styled(figure, claim if index < 2 else dim) for index, figure in enumerate(figures)]
    return [Content.styled("★" if best else glyph, style), name, *cells, Content.styled(word, style)]


def _aligned(name: str, cell: Content, width: int) -> Content:
    """Figures stand at the right of their column."""
    return cell.pad_left(width - len(cell)) if name in NUMERIC else cell


def _widen(column: Column, width: int) -> None:
    name = column.label.plain.strip()
    column.width, column.label = width, Text(name.rjust(width) if name in NUMERIC else name)
