"""Changing lines of one scenario in its source, leaving every other character alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from dsl.reading.lexer import Block, Lines, Statement, blocks

LEFT_OUT = "# no longer: "  # before a statement that is kept as a comment


@dataclass(frozen=True, slots=True)
class Change:
    """Replace `text[start:end]` by `replacement`."""

    start: int
    end: int
    replacement: str

    def apply(self, text: str) -> str:
        """The changed text."""
        return text[: self.start] + self.replacement + text[self.end :]


def find(text: str, scenario: str) -> Block | None:
    """The block of the named scenario."""
    return next((block for block in blocks(text) if block.name == scenario), None)


def set_field(text: str, scenario: str, field: str, value: str, operator: str = "=") -> Change | None:
    """The change that gives `field` this value in the named scenario; None where there is no such scenario.

    A sweep of the same field gives way to the plain value: the two can't stand together.
    """
    block = find(text, scenario)
    if block is None:
        return None
    written = [one for one in block.statements if one.field == field]
    plain = [one for one in written if not one.sweep]
    if plain and len(written) == 1:
        return Change(plain[0].value_start, plain[0].end, _spaced(text, plain[0], value))
    if written:
        return Change(written[0].start, written[0].end, f"{field} {operator} {value}")
    return _insert(text, block, field, value, operator)


def together(before: str, after: str) -> Change:
    """The one change that makes one text of another: what they have in common at either end stays."""
    start = _alike(before, after)
    tail = _alike(before[start:][::-1], after[start:][::-1])
    return Change(start, len(before) - tail, after[start : len(after) - tail])


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def fields_at(text: str, lines: set[int]) -> set[str]:
    """The fields that are written on these lines (counted from 1)."""
    place = Lines(text).place
    return {one.field for block in blocks(text) for one in block.statements if place(one.start)[0] + 1 in lines}


def add_sweep(text: str, scenario: str, field: str, values: list[str]) -> str | None:
    """The text with the named scenario swept over `values` of `field`, and over nothing else."""
    for statement in reversed(_swept(text, scenario)):
        text = text[: statement.start] + text[statement.end :]
    block = find(text, scenario)
    if block is None:
        return None
    at = block.opened
    return f"{text[:at]}\nsweep {field} = {', '.join(values)}\n{text[at:]}"


def add_comment(text: str, scenario: str, lines: Sequence[str]) -> Change | None:
    """Lines of comment above the named scenario; None where there is no such scenario."""
    block = find(text, scenario)
    if block is None:
        return None
    line = text.rfind("\n", 0, block.start) + 1
    alone = not text[line : block.start].strip()
    at = line if alone else block.start
    return Change(at, at, ("" if alone else "\n") + "".join(f"# {one}\n" for one in lines))


def add_expectations(text: str, scenario: str, expectations: Sequence[str]) -> Change | None:
    """What the named scenario expects beside what it does, at its end; None where there is no such scenario."""
    block = find(text, scenario)
    if block is None:
        return None
    line = text.rfind("\n", 0, block.closed) + 1
    if line <= block.opened or text[line : block.closed].strip():  # the brace stands behind a statement
        body = text[block.opened : block.closed].rstrip()
        at = block.opened + len(body)
        joint = ";" if body.strip() and not body.endswith(";") else ""
        return Change(at, at, joint + ";".join(f" expect {one}" for one in expectations))
    above = text[block.opened : line].rstrip().rpartition("\n")[2]
    indent = above[: len(above) - len(above.lstrip())] or "    "
    apart = "" if not above.strip() or above.lstrip().startswith(("expect", LEFT_OUT)) else "\n"
    return Change(line, line, apart + "".join(f"{indent}expect {one}\n" for one in expectations))


def leave_out(text: str, start: int, end: int) -> Change:
    """A statement made a comment where it has its line to itself; else it goes, with the semicolon beside it."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    before, after = text[first:start].strip(), text[end : last if last >= 0 else len(text)].strip()
    if not before and (not after or after.startswith("#")):
        return Change(start, start, LEFT_OUT)
    if following := re.compile(r"[ \t]*;[ \t]*").match(text, end):
        return Change(start, following.end(), "")
    return Change(text.rindex(";", 0, start) if before.endswith(";") else start, end, "")


def _swept(text: str, scenario: str) -> list[Statement]:
    block = find(text, scenario)
    return [one for one in block.statements if one.sweep] if block else []


def _spaced(text: str, statement: Statement, value: str) -> str:
    """The value, with a space before it where the text has none after its operator."""
    return value if text[statement.value_start - 1].isspace() else f" {value}"


def _insert(text: str, block: Block, field: str, value: str, operator: str) -> Change:
    """A new line after the last plain field, in the manner of the line above it."""
    plain = [one for one in block.statements if not one.sweep]
    if not plain:
        return _first(text, block, field, value, operator)
    above = plain[-1]
    line_start = text.rfind("\n", 0, above.start) + 1
    if text[line_start : above.start].strip():  # several statements on one line
        return Change(above.end, above.end, f"; {field} {operator} {value}")
    indent = text[line_start : above.start]
    width = above.operator_end - above.start - len(operator)
    name = f"{field:<{width}}" if len(field) < width else f"{field} "
    line_end = text.find("\n", above.end)
    at = line_end if line_end >= 0 else len(text)
    if at > block.closed:  # the brace stands on the same line
        return Change(above.end, above.end, f"; {field} {operator} {value}")
    return Change(at, at, f"\n{indent}{name}{operator} {value}")


def _first(text: str, block: Block, field: str, value: str, operator: str) -> Change:
    """The first field of a scenario that has none of its own."""
    tail = "" if text[block.opened : block.closed].lstrip(" \t").startswith("\n") else "\n"
    return Change(block.opened, block.opened, f"\n    {field} {operator} {value}{tail}")
