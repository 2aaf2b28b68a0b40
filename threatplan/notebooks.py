"""`tp.plan`, `tp.harden`, `tp.sweep` and `tp.explain`: the commands' answers as values that a notebook shows as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import planner.report
from planner import plan as plan  # the planner's own, whose reports know from here on how a notebook shows them
from threatplan.render.page import Page
from threatplan.render.table import Cell, Column, lay_out

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.report import Report
    from threatplan.hardening.options import Option
    from threatplan.sweeps import Row
    from threatplan.topics import Topic

Entry = TypeVar("Entry")


class Table(Sequence[Entry], Generic[Entry]):
    """Entries that are shown as a table: `len`, indices and loops give the entries themselves."""

    def __init__(
        self,
        entries: Sequence[Entry],
        head: Sequence[str],
        cells: Callable[[Entry], Sequence[str]],
        title: str = "",
        figures: Callable[[Entry], Sequence[Any]] | None = None,  # what the cells hold, to be reckoned with
    ) -> None:
        self._entries, self._head, self._cells, self._title = tuple(entries), tuple(head), cells, title
        self._figures = figures or cells

    @overload
    def __getitem__(self, place: int) -> Entry: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Entry]: ...
    def __getitem__(self, place: int | slice) -> Entry | Sequence[Entry]:
        return self._entries[place]

    def __len__(self) -> int:
        return len(self._entries)

    def _rows(self) -> list[Sequence[str]]:
        return [self._cells(one) for one in self._entries]

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if self._title:
            yield self._title
        rows = [[Cell(cell) for cell in row] for row in self._rows()]
        yield from lay_out([Column(name) for name in self._head], rows, Page(width=200), "")

    def _repr_html_(self) -> str:
        from threatplan.render.html.page import escape, table

        title = f"<p>{escape(self._title)}</p>" if self._title else ""
        return f'<div class="threatplan">{title}{table(self._head, self._rows())}</div>'

    def frame(self) -> Any:
        """A pandas DataFrame: shares between 0 and 1, counts as numbers, nothing where nothing is known.

        pandas must be installed.
        """
        import pandas

        return pandas.DataFrame([list(self._figures(one)) for one in self._entries], columns=list(self._head))


def harden(
    scenario: Scenario, ceiling: str | float | Fraction | None = None, exposure: str | float | Fraction | None = None
) -> Table[Option]:
    """Settings at which recovery is proved impossible, what asks least of everybody first; a `report` is the new plan.

    With `ceiling` ("60%", 0.6): the mildest at which no attack gets more of the labels right on average. With `exposure`:
    the mildest at which the best attack that we know of reads off no more. With both: both.
    """
    from threatplan.hardening.advice import EXPOSED, advise
    from threatplan.hardening.aims import Aim, aimed
    from threatplan.render import options as shown

    aim = Aim(*(None if one is None else _share(one) for one in (ceiling, exposure)))
    entries: Sequence[Option]
    if aim:
        found = aimed(scenario, aim, plan)
        said, entries = shown.said(found), found.options
    else:
        now = plan(scenario)
        impossible = now.verdict == "impossible"
        entries = [] if impossible else advise(scenario, EXPOSED, plan).listed
        said = f"impossible already: {shown.already(now)}" if impossible else shown.heading(now, entries)
    numbered = {id(one): row[1:] for one, row in zip(entries, shown.rows(entries, len(entries)), strict=True)}
    return Table(entries, shown.HEAD[1:], lambda one: numbered[id(one)], said, _option)


def sweep(scenario: Scenario) -> Table[Row]:
    """Every point of the scenario's sweeps, planned."""
    from threatplan.commands.sweep import HEAD, cells
    from threatplan.sweeps import row, titles

    rows = [row(scenario, plan(point)) for point in scenario.points()]
    return Table(rows, (*titles(one.field for one in scenario.sweeps), *HEAD), cells, figures=_point)


def explain(*words: str) -> Table[Topic]:
    """What reports, files and messages speak of: an attack, a limit, a field, an error code or any word of a report."""
    from threatplan.commands.explain import explained
    from threatplan.topics import topics

    return Table(explained(words, list(topics())), ("name", "kind", "what it is", "in full"), _topic)


def _option(one: Option) -> Sequence[Any]:
    left = one.report
    return one.lines, one.price, left.exposure.labels, left.ceiling.fraction, ", ".join(one.proof)


def _point(one: Row) -> Sequence[Any]:
    found = (one.verdict, one.attack, one.queries, one.lower_bound, one.exposure, one.fraction, one.ceiling)
    return *map(_number, one.point.values()), *found


def _number(written: str) -> int | float | str:
    """A swept value as a number, a share between 0 and 1, where it is one."""
    with suppress(ValueError):
        return int(written)
    with suppress(ValueError):
        return float(_part(written))
    return written


def _topic(one: Topic) -> Sequence[str]:
    return one.id, one.kind, one.title, " ".join(one.statement.split())


def _share(value: str | float | Fraction) -> Fraction:
    """A share as people write it; 45 is none, and would be met by every board."""
    part = _part(str(value))
    if not 0 <= part <= 1:
        raise ValueError(f'{value!r} is not a share between 0% and 100%: write "60%" or 0.6')
    return part


def _part(written: str) -> Fraction:
    return Fraction(written.removesuffix("%")) / (100 if written.endswith("%") else 1)


def _html(report: Report) -> str:
    from threatplan.render.html.page import fragment

    return fragment(report)


planner.report.show_html = _html
