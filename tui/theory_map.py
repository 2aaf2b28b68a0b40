"""The theory as a drawing: scenario, reductions, channel, then attacks and limits, joined by lines. Pure data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from threatplan.render.numbers import whole
from threatplan.render.text import ranked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from planner.model import Candidate, Limit
    from planner.report import Report

Tone = Literal["lit", "plain", "dim"]
Piece = tuple[str, Tone, str]  # text, tone, and the node that it belongs to ("" for a line)

ARM = 1  # characters of line on each side of a trunk
LIGHT = {"ud": "│", "udr": "├", "udl": "┤", "udlr": "┼", "dr": "┌", "ur": "└", "dl": "┐", "ul": "┘"}
HEAVY = {"ud": "┃", "udr": "┣", "udl": "┫", "udlr": "╋", "dr": "┏", "ur": "┗", "dl": "┓", "ul": "┛"}
LIGHT |= {"lr": "─", "ulr": "┴", "dlr": "┬"}
HEAVY |= {"lr": "━", "ulr": "┻", "dlr": "┳"}
DASH = {"lit": "━", "plain": "─", "dim": "╌"}


@dataclass(frozen=True, slots=True)
class Node:
    """A problem, reduction, attack or limit, and what the present plan has to do with it."""

    id: str
    title: str
    tone: Tone
    mark: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class TheoryMap:
    """The columns of the drawing, from left to right."""

    columns: tuple[tuple[Node, ...], ...]

    @property
    def goal(self) -> str:
        """Where the lit path ends: the attack of the plan, or the limit that proves it impossible."""
        ends = [node.id for node in self.columns[-1] if node.tone == "lit"]
        return ends[-1] if ends else "channel"

    def within(self, width: int) -> TheoryMap:
        """The drawing without its first columns, as far as it takes to fit: where a plan ends is what is looked for."""
        fits = self
        while len(fits.columns) > 2 and fits.width > width:
            fits = TheoryMap(fits.columns[1:])
        return fits

    @property
    def width(self) -> int:
        """Columns of the screen that the longest row takes."""
        return max(sum(len(text) for text, _, _ in line) for line in self.lines())

    def find(self, name: str) -> Node | None:
        """The node of that name."""
        return next((node for column in self.columns for node in column if node.id == name), None)

    @property
    def height(self) -> int:
        """Rows of the drawing."""
        return max(len(column) for column in self.columns)

    def row(self, column: int, index: int) -> int:
        """Where a node of a column stands: columns are centred."""
        return (self.height - len(self.columns[column])) // 2 + index

    def at(self, column: int, row: int) -> Node | None:
        """The node of a column in a row."""
        index = row - self.row(column, 0)
        return self.columns[column][index] if 0 <= index < len(self.columns[column]) else None

    def start(self, column: int) -> int:
        """Where a column begins, from the left."""
        line = self._line(self.row(column, 0))
        first = next(index for index, piece in enumerate(line) if piece[2] == self.columns[column][0].id)
        return sum(len(text) for text, _, _ in line[:first])

    def lines(self) -> list[list[Piece]]:
        """The drawing, row by row."""
        return [self._line(row) for row in range(self.height)]

    def _line(self, row: int) -> list[Piece]:
        pieces: list[Piece] = []
        last = len(self.columns) - 1
        for column in range(last + 1):
            node = self.at(column, row)
            pieces += _node(node, column, last, _width(self.columns[column]))
            if column < last:
                pieces += self._joint(column, row)
        return pieces

    def _joint(self, column: int, row: int) -> list[Piece]:
        """The lines between a column and the next one, in one row."""
        here, there = self.at(column, row), self.at(column + 1, row)
        left, right = _tone(here), _tone(there)
        tone, glyph = self._trunk(column, row, here, there)
        return [
            (DASH[left] * ARM if here else " " * ARM, left, ""),
            (glyph, tone, ""),
            ("▸ " if there else "  ", right, ""),
        ]

    def _trunk(self, column: int, row: int, here: Node | None, there: Node | None) -> tuple[Tone, str]:
        """The vertical line between two columns; lit as far as the lit nodes reach."""
        ends = [*self._rows(column), *self._rows(column + 1)]
        lit = [*self._rows(column, lit=True), *self._rows(column + 1, lit=True)]
        reaches = {way for way, holds in _ways(row, ends, here, there) if holds}
        if not reaches:
            return "plain", " "
        glowing = bool(lit) and min(lit) <= row <= max(lit)
        key = "".join(way for way in "udlr" if way in reaches)
        return ("lit", HEAVY[key]) if glowing else ("plain", LIGHT[key])

    def _rows(self, column: int, lit: bool = False) -> Iterable[int]:
        for index, node in enumerate(self.columns[column]):
            if not lit or node.tone == "lit":
                yield self.row(column, index)


def _ways(row: int, ends: Sequence[int], here: Node | None, there: Node | None) -> list[tuple[str, bool]]:
    inside = min(ends) <= row <= max(ends)
    up, down = inside and row > min(ends), inside and row < max(ends)
    return [("u", up), ("d", down), ("l", here is not None), ("r", there is not None)]


def _width(column: Sequence[Node]) -> int:
    return max(len(node.mark) + len(node.id) for node in column)


def _tone(node: Node | None) -> Tone:
    return node.tone if node else "plain"


def _node(node: Node | None, column: int, last: int, width: int) -> list[Piece]:
    """A node's name, its line drawn on to the edge of the column; the last column has notes instead."""
    if node is None:
        return [(" " * (width + 1), "plain", "")]
    name = f"{node.mark}{node.id}"
    if column == last:
        note: Tone = "plain" if node.tone == "lit" else "dim"
        return [(f"{name:<{width}}", node.tone, node.id), (f"  {node.note}", note, "")]
    return [(name, node.tone, node.id), (f" {DASH[node.tone] * (width - len(name))}", node.tone, "")]


# -- from a report -----------------------------------------------------------------------------------------


UNUSED, REFUSED, SILENT = "unused", "refused", "silent"
FOLDS = (
    UNUSED,
    REFUSED,
    SILENT,
)  # nodes that stand for many: reductions, attacks and limits without a part in the plan


def theory_map(
    report: Report, shown: Candidate | None, kinds: Mapping[str, tuple[str, str]], folded: bool = False
) -> TheoryMap:
    """The theory with the path of one candidate lit; `kinds` gives each entry's kind and title.

    Folded, whatever has no part in the plan is one node a kind: a drawing that fits the screen it is looked at on.
    """
    path = {step.id for step in shown.certified.chain} if shown and shown.certified else set()
    proofs = {limit.id for limit in report.limits if report.verdict == "impossible" and _decides(limit, report)}
    ends = {candidate.attack for candidate in report.candidates}
    reductions = [id for id, (kind, _) in kinds.items() if kind == "reduction" and id not in ends]
    used = [Node(id, kinds[id][1], "lit" if id in path else "dim") for id in reductions]
    attacks = [_attack(candidate, candidate is shown, kinds) for candidate in ranked(report)]
    limits = [_limit(limit, limit.id in proofs) for limit in report.limits]
    if folded:
        used, attacks, limits = (
            _fold(used, UNUSED, ""),
            _fold(attacks, REFUSED, "attack"),
            _fold(limits, SILENT, "limit"),
        )
    source = Node("scenario", "", "lit" if path else "plain")
    channel = Node("channel", "", "lit" if path or proofs else "plain")
    return TheoryMap(((source,), tuple(used), (channel,), (*attacks, *limits)))


def _fold(nodes: Sequence[Node], name: str, noun: str) -> list[Node]:
    """The nodes that matter, and one for the dim ones."""
    dim = [node for node in nodes if node.tone == "dim"]
    if not dim:
        return list(nodes)
    note = f"{len(dim)} {noun}{'s' * (len(dim) > 1)}" if noun else ""
    standing = [node for node in nodes if node.tone != "dim"]
    return [*standing, Node(name, ", ".join(node.id for node in dim), "dim", "+ ", note)]


def _attack(candidate: Candidate, lit: bool, kinds: Mapping[str, tuple[str, str]]) -> Node:
    title = kinds.get(candidate.attack, ("", ""))[1]
    plan = candidate.certified
    if plan:
        note = f"{whole(plan.queries)} queries"
        over = candidate.status == "over_budget"
        return Node(candidate.attack, title, "lit" if lit else "plain", "◐ " if over else "● ", note)
    first = next(iter(candidate.reasons), None)
    note = f"{first}" if first else ""
    return Node(candidate.attack, title, "dim", "○ ", note)


def _limit(limit: Limit, lit: bool) -> Node:
    if limit.excludes_all:
        note = "no number of queries"
    else:
        note = f"≥ {whole(limit.queries)} queries" if limit.queries else "excludes nothing here"
    dim = not limit.excludes_all and not limit.queries
    return Node(limit.id, limit.title, "lit" if lit else "dim" if dim else "plain", "■ ", note)


def _decides(limit: Limit, report: Report) -> bool:
    budget = report.scenario.queries
    return limit.excludes_all or (budget is not None and limit.queries is not None and limit.queries > budget)
