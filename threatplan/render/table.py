"""Tables that give up columns, and at last their shape, before they break a narrow page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from threatplan.render.page import Page, display_width

GAP = "  "


class Column(NamedTuple):
    """A column: its title, the side its cells lean to, and when it is given up (the highest goes first)."""

    title: str
    right: bool = False
    spare: int = 0  # 0: never given up


class Cell(NamedTuple):
    """A text and the style it is shown in."""

    text: str
    style: str = ""


Row = Sequence[Cell]


def lay_out(columns: Sequence[Column], rows: Sequence[Row], page: Page, indent: str = "  ") -> Iterator[str]:
    """The table's lines, fitted to the page."""
    widths = [
        max([display_width(column.title), *(display_width(row[i].text) for row in rows)])
        for i, column in enumerate(columns)
    ]
    kept = _fitting(columns, widths, page.width - len(indent))
    if kept is None:
        yield from _stacked(columns, rows, page, indent)
        return
    head = [Cell(column.title, "dim") for column in columns]
    for row in (head, *rows):
        cells = [_pad(row[i], widths[i], columns[i].right, page) for i in kept]
        yield (indent + GAP.join(cells)).rstrip()


def _fitting(columns: Sequence[Column], widths: Sequence[int], room: int) -> list[int] | None:
    """The columns that fit side by side, least needed ones left out; None when even the rest do not."""
    kept = list(range(len(columns)))
    while sum(widths[i] for i in kept) + len(GAP) * (len(kept) - 1) > room:
        spare = max(kept, key=lambda i: columns[i].spare)
        if not columns[spare].spare:
            return None
        kept.remove(spare)
    return kept


def _stacked(columns: Sequence[Column], rows: Sequence[Row], page: Page, indent: str) -> Iterator[str]:
    """One line a cell: the shape for pages too narrow for any table."""
    for row in rows:
        yield from page.wrap(page.ink(row[0].text, row[0].style), indent)
        for column, cell in zip(columns[1:], row[1:], strict=True):
            if cell.text.strip("-–"):
                yield from page.wrap(f"{column.title}: {page.ink(cell.text, cell.style)}", indent + "  ")


def _pad(cell: Cell, width: int, right: bool, page: Page) -> str:
    space = " " * (width - display_width(cell.text))
    text = page.ink(cell.text, cell.style) if cell.style else cell.text
    return space + text if right else text + space
