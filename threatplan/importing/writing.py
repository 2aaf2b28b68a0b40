"""A board as text of the language: a scenario a phase, what the file does not say as comments to fill in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from unicodedata import normalize

from dsl import format_text
from dsl.checking.metrics import BY_NAME
from dsl.checking.platforms import PLATFORMS
from dsl.checking.spelling import field_value, quoted
from dsl.scenario import Several
from dsl.visible import visible
from threatplan.importing.board import Board, Phase
from threatplan.importing.names import grouped, metric_of

MISSING = "# N = ?"
BESIDE = (
    "# The same board by what else it shows. Whoever submits reads all of it: what one score gives away is given away, and",
    "# what is impossible by each of them is not proved to be so by both together.",
)
WIDEST = 80  # characters that are taken of a name


def written(board: Board, file: str, rows: int | None) -> str:
    """The text: a head, then a scenario for every phase whose metric the language knows."""
    scenarios = (_scenario(board, phase, name, rows) for phase, name in _named(board))
    return format_text("\n".join([*_head(board, file), *chain.from_iterable(scenarios)]) + "\n")


def planned(board: Board) -> tuple[Phase, ...]:
    """The phases of which a scenario can be made."""
    return tuple(phase for phase in board.phases if chosen(phase))


def chosen(phase: Phase) -> tuple[tuple[str, ...], ...]:
    """The metrics that the language knows, together where they take the same rows."""
    found = (metric_of(one.name) for one in phase.columns)
    return grouped(one for one in found if one in BY_NAME)


def _head(board: Board, file: str) -> Iterator[str]:
    known = PLATFORMS[board.platform]
    yield f"# {known.title}: {plain(board.title) or 'a board without a title'}, from {plain(file)}."
    yield f"# {known.shown[:1].upper()}{known.shown[1:]}."
    yield from (f"# {note[:1].upper()}{note[1:]}." for note in board.notes)
    if board.unknown:
        yield f"# Keys of the file that are not known here: {', '.join(map(plain, board.unknown[:20]))}."


def _named(board: Board) -> Iterator[tuple[Phase, str]]:
    """The phases, each under a name that the language takes and no other phase has."""
    taken: set[str] = set()
    for phase in board.phases:
        letters = normalize("NFKD", phase.name[:WIDEST]).encode("ascii", "ignore").decode().lower()
        base = re.sub(r"[^a-z0-9]+", "_", letters).strip("_")[:40]
        base = base if base[:1].isalpha() else f"phase_{base}".rstrip("_")
        name, number = base, 1
        while name in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name)
        yield phase, name


def _scenario(board: Board, phase: Phase, name: str, rows: int | None) -> Iterator[str]:
    groups = chosen(phase)
    shown = ", ".join(plain(one.name) for one in phase.columns) or "nothing"
    if not groups:
        yield ""
        yield f"# No scenario for the phase {plain(phase.name)}: it shows {shown}, which the language does not know."
    for metrics in groups:
        yield ""
        if metrics is not groups[0]:
            yield from BESIDE
        own = name if metrics is groups[0] else f"{name}__{metrics[0]}"  # no phase's name has two of these
        yield f"scenario {own} {quoted(plain(phase.name))} {{"
        yield from (
            f"    {line}" for line in (*_rows(phase, rows), *_metric(board, phase, metrics), *_place(board, phase))
        )
        yield from (f"    {line}" for line in _budget(phase))
        yield "}"


def _rows(phase: Phase, rows: int | None) -> Iterator[str]:
    if rows is not None:
        yield f"N = {rows}"
    elif phase.rows:
        yield f"N = {phase.rows}  # rows of a submission, as the file has it"
    else:
        yield f"{MISSING}  (rows that the score is computed on: the file does not say)"
    yield "# K = 2 classes is assumed; guess = none: see `plan explain guess` for what a model of one's own adds"


def _metric(board: Board, phase: Phase, metrics: tuple[str, ...]) -> Iterator[str]:
    named = [next(one.name for one in phase.columns if metric_of(one.name) == metric) for metric in metrics]
    held = metrics[0] if len(metrics) == 1 else field_value("metric", Several(metrics))
    yield f"metric = {held}  # shown as {', '.join(map(plain, named))}"
    if "log_loss" in metrics:
        assumed = "assumed: which function the scoring program calls is not in the file"
        yield f"scorer = sklearn  # {'the file names its function' if board.by_name else assumed}"
    others = [one.name for one in phase.columns if one.name not in named]
    if others:
        yield f"# shown beside it: {', '.join(map(plain, others[:12]))}{' ...' if len(others) > 12 else ''}"


def _place(board: Board, phase: Phase) -> Iterator[str]:
    page = sorted({one.decimals for one in phase.columns if one.decimals is not None})
    shown = f"  # the board shows {' or '.join(map(str, page))} decimals" if page else ""
    yield f"platform = {board.platform}{shown}"
    if hidden := [plain(one.name) for one in phase.columns if one.hidden]:
        yield f"# stored, though not on the board: {', '.join(hidden)}"


def _budget(phase: Phase) -> Iterator[str]:
    said = [f"{count:,} {unit}" for count, unit in
            ((phase.total, "in all"), (phase.day, "a day"), (phase.month, "a month")) if count is not None]  # fmt: skip
    lasts = f"{phase.days:,} days" if phase.days is not None else "how long is not said"
    if phase.closed:
        yield "queries <= 0  # closed: the file allows no submission"
    elif phase.budget is not None:
        yield f"queries <= {phase.budget}  # {', '.join(said)}; {lasts}"
    elif said:
        yield f"# queries <= ?  ({', '.join(said)}; {lasts})"
    else:
        yield "# queries <= ?  (the file sets no limit)"


def plain(text: str) -> str:
    """A name on one line, of no more than so many characters, with nothing in it that is obeyed."""
    return visible(" ".join(text.split()))[:WIDEST]
