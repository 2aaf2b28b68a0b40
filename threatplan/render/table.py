"""Tables that give up columns, and at last their shape, before they break a narrow page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from threatplan.render.page import Page, display_width

GAP = "  "


class Column(NamedTuple):
    """A column: its title, the side its cells lean to, and when it is given up (the highest goes first)."""

    title: str
    right: bool = False
    spare: int = 0  # 0: never given up
    fold: int = 0  # cells are folded to this width before any column is given up; 0: they are not


class Cell(NamedTuple):
    """A text and the style it is shown in."""

    text: str
    style: str = ""


Row = Sequence[Cell]


def lay_out(columns: Sequence[Column], rows: Sequence[Row], page: Page, indent: str = "  ") -> Iterator[str]:
    """The table's lines, fitted to the page."""
    widths = fitted(columns, rows, page, indent)
    if widths is None:
        yield from _stacked(columns, rows, page, indent)
        return
    head = [Cell(column.title, "dim") for column in columns]
    for row in (head, *rows):
        lines = {i: folded(row[i].text, width) if columns[i].fold else [row[i].text] for i, width in widths.items()}
        for line in range(max(map(len, lines.values()))):
            parts = {i: Cell(cell[line] if line < len(cell) else "", row[i].style) for i, cell in lines.items()}
            cells = [_pad(parts[i], width, columns[i].right, page) for i, width in widths.items()]
            yield (indent + GAP.join(cells)).rstrip()


def fitted(columns: Sequence[Column], rows: Sequence[Row], page: Page, indent: str = "  ") -> dict[int, int] | None:
    """The places of the columns that fit side by side, each with its width; None when even folded ones do not.

    Cells are folded, the widest column first, before columns are left out, the least needed first.
    """
    texts = [[column.title, *(row[i].text for row in rows)] for i, column in enumerate(columns)]
    widths = [max(map(display_width, column)) for column in texts]
    least = [
        min(width, max(column.fold, *(display_width(word) for text in cells for word in text.split() or [""])))
        if column.fold
        else width
        for column, cells, width in zip(columns, texts, widths, strict=True)
    ]
    kept = list(range(len(columns)))
    room = page.width - len(indent)
    while (over := sum(least[i] for i in kept) + len(GAP) * (len(kept) - 1) - room) > 0:
        spare = max(kept, key=lambda i: columns[i].spare)
        if not columns[spare].spare:
            return None
        kept.remove(spare)
    over = sum(widths[i] for i in kept) + len(GAP) * (len(kept) - 1) - room
    for _ in range(over):
        widest = max((i for i in kept if widths[i] > least[i]), key=lambda i: widths[i])
        widths[widest] -= 1
    return {i: widths[i] for i in kept}


def folded(text: str, width: int) -> list[str]:
    """A text in lines of so many columns, broken between the fields that it sets where it can be, else between words."""
    parts = re.split(r"(?<=,) (?=\w+ <?= )", text) if display_width(text) > width else [text]
    return [line for part in parts for line in wrap(part, max(width, 1), break_on_hyphens=False) or [""]]


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
