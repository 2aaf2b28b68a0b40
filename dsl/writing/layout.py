"""The canonical form of a file: one statement a line, relations aligned, comments kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from dsl.checking.expectations import COMPARISONS
from dsl.checking.fields import NAMES
from dsl.checking.spelling import expression, quoted
from dsl.diagnostics import ThreatError
from dsl.pipeline import as_source
from dsl.reading.language import comments
from dsl.reading.parser import parse
from dsl.reading.syntax import Block, Broken, FieldStatement, Statement, SweepStatement
from dsl.reading.text import Source

INDENT = "    "


@dataclass(slots=True)
class Row:
    """One line to be: its text, where it came from, and the comment at its end."""

    text: str
    start: int  # offsets in the source, by which comments and blank lines find their place
    end: int
    opens: bool = False
    closes: bool = False
    comment: str = ""
    apart: bool = False  # whether a blank line stands before it


def format_text(text: str | bytes, file: str = "<string>") -> str:
    """The canonical form of a text; a ThreatError if it cannot be read."""
    source = as_source(text, file)
    blocks, faults = parse(source)
    if faults:
        raise ThreatError(faults)
    rows = _merge([row for block in blocks for row in _block(block)], source)
    _space(rows, source)
    return "".join(_lines(rows))


def _block(block: Block) -> list[Row]:
    """The rows of a scenario."""
    assert block.name is not None
    header = f"scenario {block.name.text}"
    header += f" : {block.parent.text}" if block.parent else ""
    header += f" {quoted(block.title.text)}" if block.title else ""
    fields = [each for each in block.body if isinstance(each, FieldStatement)]
    width = max((len(_name(each)) + 1 + len(each.relation.text) for each in fields), default=0)
    rows = [Row(INDENT + statement(each, width), each.start, each.end) for each in block.body]
    opening = Row(f"{header} {{", block.start, block.brace + 1, opens=True)
    return [opening, *rows, Row("}", block.end - 1, block.end, closes=True)]


def _name(statement: FieldStatement | SweepStatement) -> str:
    return NAMES.get(statement.name.text, statement.name.text)


def statement(node: Statement, width: int = 0) -> str:
    """One statement; a field's relation ends at column `width`."""
    if isinstance(node, FieldStatement):
        name, relation = _name(node), node.relation.text
        padding = max(len(relation) + 1, width - len(name))
        return f"{name}{relation.rjust(padding)} {expression(node.value)}"
    if isinstance(node, SweepStatement):
        values = ", ".join(expression(value) for value in node.values)
        return f"sweep {_name(node)} {node.relation.text} {values}"
    assert not isinstance(node, Broken), "a file with faults is not formatted"
    if node.relation is None or node.value is None:
        return f"expect {node.name.text}"
    return f"expect {node.name.text} {COMPARISONS[node.relation.text]} {expression(node.value)}"


def _merge(rows: list[Row], source: Source) -> list[Row]:
    """The rows with the comments among them: at the end of a row's line, or on lines of their own."""
    merged: list[Row] = []
    queue = iter(rows)
    row = next(queue, None)
    for token in comments(source.text):
        start, end = token.start_pos or 0, token.end_pos or 0
        # A comment within a scenario's first line, before its brace, goes above it.
        while row is not None and (row.end <= start):
            merged.append(row)
            row = next(queue, None)
        comment = token.rstrip()
        last = merged[-1] if merged else None
        if last and not last.comment and source.place(last.end)[0] == source.place(start)[0]:
            last.comment = comment
        else:
            inside = row is not None and not row.opens
            merged.append(Row((INDENT if inside else "") + comment, start, end))
    if row is not None:
        merged.append(row)
    return [*merged, *queue]


def _space(rows: list[Row], source: Source) -> None:
    """Blank lines: one where there were some, one between scenarios, none just inside braces."""
    for before, row in pairwise(rows):
        gap = source.place(row.start)[0] - source.place(before.end)[0] > 1
        row.apart = (gap or before.closes) and not (before.opens or row.closes)


def _lines(rows: list[Row]) -> list[str]:
    """The finished lines, the comments at the ends of neighbouring lines aligned."""
    lines: list[str] = []
    for run in _runs(rows):
        column = max(len(row.text) for row in run)
        for row in run:
            text = f"{row.text.ljust(column)}  {row.comment}" if row.comment else row.text
            lines.append(("\n" if row.apart else "") + text + "\n")
    return lines


def _runs(rows: list[Row]) -> Iterator[list[Row]]:
    """Neighbouring rows that all have comments at their ends; any other row is a run of its own."""
    run: list[Row] = []
    for row in rows:
        if run and not (row.comment and run[-1].comment and not row.apart):
            yield run
            run = []
        run.append(row)
    if run:
        yield run
