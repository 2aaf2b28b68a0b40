"""Every attack of the catalogue, best first: the certified figures beside the paper's; refused ones folded into a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text
from textual import events
from textual.content import Content
from textual.coordinate import Coordinate
from textual.widgets import DataTable

from threatplan.render.numbers import rate, whole
from threatplan.render.text import ranked
from tui.prose import STATUS

if TYPE_CHECKING:
    from planner.model import Candidate
    from planner.report import Report


class Heading(NamedTuple):
    """A column: its title, whether it holds figures, and when it is given up (the highest first; 0: never)."""

    title: str
    numeric: bool = False
    spare: int = 0


COLUMNS = (
    Heading(""),
    Heading("attack"),
    Heading("queries", numeric=True),
    Heading("paper", numeric=True, spare=3),
    Heading("m", numeric=True, spare=1),
    Heading("paper m", numeric=True, spare=5),
    Heading("bits", numeric=True, spare=4),
    Heading("status", spare=2),  # the sign before the attack says as much
)
FAINT = "dim"
NONE = "–"
FOLD = "refused"  # the row that stands for all refused attacks; no attack is called so
PADDING = 2  # columns of the screen that a cell takes beside its text

Row = list[Content]


class AttackTable(DataTable[Content]):
    """What works stands first, the fewest queries first; what does not apply is one row that opens."""

    def __init__(self) -> None:
        super().__init__(id="attacks", cursor_type="row", zebra_stripes=True)
        self._placed: str | None = None  # where the cursor was put, as long as the user has not moved it
        self._names: list[str] = []
        self._shown: list[Row] = []
        self._kept: list[int] = []  # columns that there is room for
        self._report: Report | None = None
        self._wished = False  # whether the user opened the fold

    @property
    def selected(self) -> str | None:
        """The attack under the cursor; None on the fold."""
        name = self._under_cursor
        return None if name == FOLD else name

    @property
    def opened(self) -> bool:
        """Whether refused attacks are shown: when the user says so, and where there are no others."""
        report = self._report
        return self._wished or (report is not None and all(one.certified is None for one in report.candidates))

    @property
    def _under_cursor(self) -> str | None:
        return self._names[self.cursor_row] if 0 <= self.cursor_row < len(self._names) else None

    def show(self, report: Report) -> None:
        """The report's candidates; the cursor stays on the attack that it was put on, or goes to the best."""
        self._report = report
        best = report.best.attack if report.best else None
        moved = self._under_cursor is not None and self._under_cursor != self._placed
        wanted = self._under_cursor if moved else best or report.exposure.attack
        names, rows = self._rows(report, best)
        kept = _fitting(rows, self.size.width)
        rows = _aligned([[row[i] for i in kept] for row in rows], kept)
        with self.app.batch_update():
            if (names, kept) == (self._names, self._kept) and _widths(rows) == _widths(self._shown):
                self._update(rows)
            else:
                self._fill(names, rows, kept)
            self._names, self._shown, self._kept = names, rows, kept
            row = names.index(wanted) if wanted in names else 0
            self.move_cursor(row=row, animate=False)
        self._placed = self._placed if moved else names[row]

    def _rows(self, report: Report, best: str | None) -> tuple[list[str], list[Row]]:
        """The names and cells of all rows, the fold among them where there is something to fold."""
        order = ranked(report)
        standing = [one for one in order if one.certified is not None]
        refused = [one for one in order if one.certified is None]
        names = [one.attack for one in standing]
        rows = [_cells(one, one.attack == best) for one in standing]
        if refused:
            names.append(FOLD)
            rows.append(_fold(len(refused), self.opened))
        if refused and self.opened:
            names += [one.attack for one in refused]
            rows += [_cells(one, False) for one in refused]
        return names, rows

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Enter, or a click, on the fold opens or closes it."""
        if event.row_key.value == FOLD and self._report is not None:
            self._wished = not self._wished
            self.show(self._report)

    def on_resize(self, event: events.Resize) -> None:
        """Another width has room for other columns."""
        if self._report is not None:
            self.show(self._report)

    def _update(self, rows: list[Row]) -> None:
        """Change only the cells that differ: a new layout costs more than the planning."""
        for y, (old, new) in enumerate(zip(self._shown, rows, strict=True)):
            for x, (before, after) in enumerate(zip(old, new, strict=True)):
                if not before.is_same(after):
                    self.update_cell_at(Coordinate(y, x), after)

    def _fill(self, names: list[str], rows: list[Row], kept: list[int]) -> None:
        self.clear(columns=True)
        for i, cell in zip(kept, rows[0], strict=True):
            title = COLUMNS[i].title
            label = Text(title.rjust(len(cell)) if COLUMNS[i].numeric else title)
            self.add_column(label, key=title, width=len(cell))
        for name, row in zip(names, rows, strict=True):
            self.add_row(*row, key=name)


def _cells(candidate: Candidate, best: bool) -> Row:
    glyph, word, style = STATUS[candidate.status.value]
    paper, plan = candidate.paper, candidate.certified
    dim = FAINT if candidate.status == "refused" else ""
    claim, mark = (f"strike {FAINT}", "*") if paper and paper.erratum else (dim, "")
    return [
        Content.styled("★" if best else glyph, style),
        Content.styled(candidate.attack, "bold" if best else dim),
        Content.styled(whole(plan.queries) if plan else NONE, dim),
        Content.styled(whole(paper.queries) + mark if paper else NONE, claim),
        Content.styled(rate(plan.labels_per_query) if plan else NONE, dim),
        Content.styled(whole(paper.labels_per_query) + mark if paper else NONE, claim),
        Content.styled(whole(plan.precision_bits) if plan else NONE, dim),
        Content.styled(word, style),
    ]


def _fold(count: int, opened: bool) -> Row:
    """The row of the refused ones."""
    hint = "enter folds" if opened else "enter shows"
    texts = ["▾" if opened else "▸", f"{count} {FOLD}", *[""] * (len(COLUMNS) - 3), hint]
    return [Content.styled(text, FAINT) for text in texts]


def _fitting(rows: Sequence[Row], room: int) -> list[int]:
    """The columns that say anything and for which there is room, the least needed given up first."""
    told = [i for i, _ in enumerate(COLUMNS) if any(row[i].plain not in ("", NONE) for row in rows)]
    while room and sum(_width(rows, i) + PADDING for i in told) > room:
        spare = max(told, key=lambda i: COLUMNS[i].spare)
        if not COLUMNS[spare].spare:
            break
        told.remove(spare)
    return told


def _width(rows: Sequence[Row], column: int) -> int:
    return max(len(COLUMNS[column].title), *(len(row[column]) for row in rows))


def _widths(rows: Sequence[Row]) -> list[int]:
    return [len(cell) for cell in rows[0]] if rows else []


def _aligned(rows: list[Row], kept: list[int]) -> list[Row]:
    """Every cell as wide as its column, figures at the right."""
    headings = [COLUMNS[i] for i in kept]
    cells = zip([Content(heading.title) for heading in headings], *rows, strict=True)
    widths = [max(map(len, column)) for column in cells]
    return [list(map(_cell, headings, row, widths)) for row in rows]


def _cell(heading: Heading, cell: Content, width: int) -> Content:
    room = width - len(cell)
    return cell.pad_left(room) if heading.numeric else cell.pad_right(room)
