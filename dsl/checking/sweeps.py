"""Sweeps as they are written: `sweep N = 10..100 step 10, 1000` and its like, and what follows them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor, prod
from typing import Final

from dsl.checking.assembly import Assembly
from dsl.checking.evaluate import number
from dsl.checking.faults import Fault
from dsl.checking.fields import FIELDS, NAMES
from dsl.checking.inheritance import Definition
from dsl.checking.metrics import NEUTRAL
from dsl.checking.presets import FILLED
from dsl.checking.progressions import One, Part, Product, Ratio, Steps
from dsl.checking.spelling import expression
from dsl.numbers import Real
from dsl.reading.syntax import Binary, Call, Expr, Name, Negative, Percent, Range, SweepStatement
from dsl.scenario import Sweep

MOST_LOG: Final = 100_000
WHOLE: Final = frozenset({"N", "K", "columns", "queries", "decimals", "phi", "score_phi"})


def sweeps(definition: Definition, scope: Assembly) -> tuple[Sweep, ...]:
    """The sweeps of a scenario; what is wrong with one is reported, and it is left out."""
    moving = dependents(definition)
    made = []
    for field, statement in definition.sweeps.items():
        sweep = scope.attempt(lambda f=field, s=statement: _sweep(f, s, scope, moving))  # type: ignore[misc]
        if sweep is not None:
            made.append(sweep)
    return tuple(made)


def _sweep(field: str, statement: SweepStatement, scope: Assembly, moving: set[str]) -> Sweep:
    parts = tuple(_part(node, field, scope, moving) for node in statement.values)
    text = ", ".join(part.text for part in parts)
    return Sweep(field, text, sum(part.size for part in parts), parts)


def _part(node: Expr, field: str, scope: Assembly, moving: set[str]) -> Part:
    for name in names(node):
        if not _is_word(node, field) and NAMES.get(name.text) in moving:
            message = f"the values of a sweep cannot depend on `{name.text}`, which is swept or follows a sweep"
            raise Fault("T053", message, name, "write the values out")
    if isinstance(node, Range):
        return _range(node, field in WHOLE, scope)
    if isinstance(node, Call) and any(isinstance(argument, Range) for argument in node.arguments):
        whole = node.name.text in ("fixed", "significant", "truncated", "percent")
        parts = tuple(_argument(argument, whole, scope) for argument in node.arguments)
        return Product(node, parts, prod(part.size for part in parts))
    return One(node)


def _argument(node: Expr, whole: bool, scope: Assembly) -> Part:
    return _range(node, whole, scope) if isinstance(node, Range) else One(node)


def _range(node: Range, whole: bool, scope: Assembly) -> Part:
    first, last = (_end(each, whole, scope) for each in (node.first, node.last))
    if node.spacing is None or node.amount is None:
        return _steps(node, first, last, Fraction(1 if last >= first else -1))
    if node.spacing.text == "step":
        return _steps(node, first, last, _end(node.amount, whole, scope))
    if node.spacing.text == "log":
        return _ratio(node, first, last, whole, scope)
    message = f"expected `step` or `log`, found `{node.spacing.text}`"
    raise Fault("T051", message, node.spacing, "write `a..b step s` or `a..b log n`")


def _end(node: Expr, whole: bool, scope: Assembly) -> Fraction:
    value = number(node, scope)
    if isinstance(value, Real):
        raise Fault("T051", "the ends and the step of a range must be rational", node, "round it, or write a/b")
    if whole and value.denominator != 1:
        raise Fault("T051", f"this field holds whole numbers, not {value}", node, "round it with `floor(…)`")
    return Fraction(value)


def _steps(node: Range, first: Fraction, last: Fraction, step: Fraction) -> Steps:
    if step == 0:
        raise Fault("T051", "the step is zero", node.amount or node)
    if (last - first) * step < 0:
        way = "below" if last < first else "above"
        message = f"the range never gets there: its end is {way} its start"
        raise Fault("T051", message, node, "turn the step's sign, or the ends around")
    return Steps(first, step, floor((last - first) / step) + 1, node.start, node.end)


def _ratio(node: Range, first: Fraction, last: Fraction, whole: bool, scope: Assembly) -> Ratio:
    assert node.amount is not None
    if first <= 0 or last <= 0:
        raise Fault("T051", "a `log` range needs ends above 0", node)
    count = number(node.amount, scope)
    if isinstance(count, Real) or count.denominator != 1 or not 2 <= count <= MOST_LOG:
        message = f"`log` takes the number of points, from 2 to {MOST_LOG:,}"
        raise Fault("T051", message, node.amount, "for example `1e-5..1e-1 log 5`")
    return Ratio(first, last, int(count), whole, node.start, node.end)


def names(node: Expr) -> Iterator[Name]:
    """Every name that an expression refers to, functions left out."""
    stack: list[Expr | None] = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, Name):
            yield at
        elif isinstance(at, Call):
            stack.extend(at.arguments)
        elif isinstance(at, Binary):
            stack += [at.left, at.right]
        elif isinstance(at, Negative | Percent):
            stack.append(at.operand)
        elif isinstance(at, Range):
            stack += [at.first, at.last, at.amount]


def dependents(definition: Definition) -> set[str]:
    """The fields that are swept, and those that follow them."""
    moving = set(definition.sweeps)
    while True:
        more = {field for field in FIELDS if field not in moving and _follows(field, definition, moving)}
        if not more:
            return moving
        moving |= more


def _is_word(node: Expr, field: str) -> bool:
    """Whether a field is set to one of its words, which may be the name of another field."""
    return isinstance(node, Name) and node.text in FIELDS[field].words


def _follows(field: str, definition: Definition, moving: set[str]) -> bool:
    statement = definition.fields.get(field)
    if field in NEUTRAL and "metric" in moving and _filled(field, definition, moving):
        return True
    if statement is not None:
        value = statement.value
        return not _is_word(value, field) and any(NAMES.get(name.text) in moving for name in names(value))
    if field in ("columns", "predictions"):
        return {"columns": "K", "predictions": "metric"}[field] in moving
    return field in FILLED and ("scorer" in moving or (field in ("clip", "score_phi") and "phi" in moving))


def _filled(field: str, definition: Definition, moving: set[str]) -> bool:
    """Whether a field that some metrics pass over is set at all: by the file, or by a preset."""
    preset = field in FILLED and ("scorer" in moving or "scorer" in definition.fields)
    return preset or field in definition.fields


def formulas(definition: Definition) -> tuple[tuple[str, str], ...]:
    """How the fields that follow a sweep follow it; those that follow by default have an empty formula."""
    if not definition.sweeps:
        return ()
    moving = dependents(definition) - set(definition.sweeps)
    found = ((field, definition.fields.get(field)) for field in FIELDS if field in moving)
    return tuple((field, expression(statement.value) if statement else "") for field, statement in found)
