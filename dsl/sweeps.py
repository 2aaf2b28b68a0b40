"""Sweeps: how one scenario becomes many, a point at a time.

A sweep's values are kept as parts that know how many they are and can give any one of them; no list of
points is ever made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor, prod
from typing import Any, Final, NamedTuple, TypeAlias

from dsl import intervals
from dsl.assembly import Assembly
from dsl.diagnostics import ThreatError
from dsl.evaluate import BITS, number
from dsl.faults import Fault
from dsl.fields import FIELDS, NAMES
from dsl.inheritance import Definition, Report
from dsl.numbers import Real
from dsl.presets import FILLED
from dsl.scenario import Scenario, Sweep
from dsl.spelling import expression, field_value, rational
from dsl.syntax import Binary, Call, Exact, Expr, Name, Negative, Percent, Range, SweepStatement

MOST_LOG: Final = 100_000
WHOLE: Final = frozenset({"N", "K", "columns", "queries", "decimals", "phi"})
DIGITS: Final = 6  # significant, of a point between the ends of a `log` range
CHECKED: Final = 32  # points of one sweep that are tried out when the file is read; past that, both ends


class One(NamedTuple):
    """A single value."""

    node: Expr
    size: int = 1

    def at(self, index: int) -> Expr:
        """The value."""
        return self.node

    @property
    def text(self) -> str:
        """Its canonical form."""
        return expression(self.node)


class Steps(NamedTuple):
    """`a..b step s`."""

    first: Fraction
    step: Fraction
    size: int
    start: int
    end: int

    def at(self, index: int) -> Expr:
        """The value at `index`."""
        return Exact(self.first + index * self.step, self.start, self.end)

    @property
    def text(self) -> str:
        """Its canonical form."""
        last = self.first + (self.size - 1) * self.step
        ends = f"{rational(self.first)}..{rational(last)}"
        usual = 1 if self.step > 0 else -1
        return ends if self.step == usual else f"{ends} step {rational(self.step)}"


class Ratio(NamedTuple):
    """`a..b log n`: n values from a to b, each the same multiple of the last, rounded to be readable."""

    first: Fraction
    last: Fraction
    size: int
    whole: bool
    start: int
    end: int

    def at(self, index: int) -> Expr:
        """The value at `index`."""
        return Exact(self._value(index), self.start, self.end)

    def _value(self, index: int) -> Fraction:
        if index in (0, self.size - 1):
            return self.last if index else self.first
        exponent = Real.of(Fraction(index, self.size - 1))
        growth = intervals.multiply(intervals.log(Real.of(self.last / self.first), BITS), exponent, BITS)
        exact = self.first * intervals.exp(growth, BITS).lo
        return Fraction(floor(exact + Fraction(1, 2))) if self.whole else _significant(exact)

    @property
    def text(self) -> str:
        """Its canonical form."""
        return f"{rational(self.first)}..{rational(self.last)} log {self.size}"


class Product(NamedTuple):
    """A call whose arguments are ranges: `gaussian(1e-4..1e-1 log 4)`."""

    call: Call
    arguments: tuple[Part, ...]
    size: int

    def at(self, index: int) -> Expr:
        """The value at `index`, the last argument turning fastest."""
        chosen = [
            part.at(digit) for part, digit in zip(self.arguments, _digits(index, self.arguments), strict=True)
        ]
        return self.call._replace(arguments=tuple(chosen))

    @property
    def text(self) -> str:
        """Its canonical form."""
        return f"{self.call.name.text}({', '.join(part.text for part in self.arguments)})"


Part: TypeAlias = One | Steps | Ratio | Product


def _digits(index: int, parts: Sequence[Part | Sweep]) -> list[int]:
    """The index of a product as one index for each factor."""
    digits = []
    for part in reversed(parts):
        index, digit = divmod(index, part.size)
        digits.append(digit)
    return digits[::-1]


def _significant(value: Fraction) -> Fraction:
    """A positive number rounded to a few significant digits."""
    scale = Fraction(1)
    while value * scale >= 10**DIGITS:
        scale /= 10
    while value * scale < 10 ** (DIGITS - 1):
        scale *= 10
    return Fraction(floor(value * scale + Fraction(1, 2))) / scale


def pick(sweep: Sweep, index: int) -> Expr:
    """The value of a sweep at `index`."""
    for part in sweep.parts:
        if index < part.size:
            return part.at(index)
        index -= part.size
    raise IndexError(index)


# -- reading ---------------------------------------------------------------------------------------------


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
        if name.text not in FIELDS[field].words and NAMES.get(name.text) in moving:
            message = (
                f"the values of a sweep cannot depend on `{name.text}`, which is swept or follows a sweep"
            )
            raise Fault("T053", message, name, "write the values out")
    if isinstance(node, Range):
        return _range(node, field in WHOLE, scope)
    if isinstance(node, Call) and any(isinstance(argument, Range) for argument in node.arguments):
        whole = node.name.text in ("fixed", "significant")
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
        raise Fault(
            "T051", "the ends and the step of a range must be rational", node, "round it, or write a/b"
        )
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


def _follows(field: str, definition: Definition, moving: set[str]) -> bool:
    statement = definition.fields.get(field)
    if statement is not None:
        words = FIELDS[field].words
        return any(
            NAMES.get(name.text) in moving for name in names(statement.value) if name.text not in words
        )
    if field == "columns":
        return "K" in moving
    return field in FILLED and ("scorer" in moving or (field == "clip" and "phi" in moving))


def formulas(definition: Definition) -> tuple[tuple[str, str], ...]:
    """How the fields that follow a sweep follow it; those that follow by default have an empty formula."""
    if not definition.sweeps:
        return ()
    moving = dependents(definition) - set(definition.sweeps)
    found = ((field, definition.fields.get(field)) for field in FIELDS if field in moving)
    return tuple((field, expression(statement.value) if statement else "") for field, statement in found)


# -- points ----------------------------------------------------------------------------------------------


def bases(parts: tuple[Sweep, ...], definition: Definition) -> dict[str, Expr]:
    """What swept fields without a value of their own hold at the base: their first value."""
    return {sweep.field: pick(sweep, 0) for sweep in parts if sweep.field not in definition.fields}


def points(scenario: Scenario) -> Iterator[Scenario]:
    """One scenario for each point, the last sweep turning fastest."""
    definition = scenario.definition
    assert definition is not None, "a scenario with sweeps keeps its definition"
    moving = {sweep.field for sweep in scenario.sweeps} | {field for field, _ in scenario.formulas}
    fixed = {name: getattr(scenario, field.slot) for name, field in FIELDS.items() if name not in moving}
    for index in range(scenario.sweep_size()):
        digits = zip(scenario.sweeps, _digits(index, scenario.sweeps), strict=True)
        yield _point(
            scenario, definition, {sweep.field: pick(sweep, digit) for sweep, digit in digits}, fixed
        )


def _point(
    scenario: Scenario, definition: Definition, chosen: dict[str, Expr], fixed: dict[str, Any]
) -> Scenario:
    faults: list[Fault] = []
    assembly = Assembly(definition, faults.append, chosen, fixed)
    made = assembly.scenario()
    if made is None or faults:
        where = ", ".join(f"{field} = {expression(node)}" for field, node in chosen.items())
        raise ThreatError(diagnose(definition, fault, where) for fault in faults)
    label = ", ".join(f"{field}={field_value(field, getattr(made, FIELDS[field].slot))}" for field in chosen)
    object.__setattr__(made, "name", f"{scenario.name}[{label}]")
    return made


def diagnose(definition: Definition, fault: Fault, where: str) -> Any:
    """A fault at one point of a sweep, saying which."""
    message = f"{fault.message} (at {where})"
    return definition.source.diagnostic(fault.code, message, *fault.place, fault.hint)


def try_out(made: tuple[Sweep, ...], definition: Definition, base: dict[str, Expr], report: Report) -> None:
    """Check the points of each sweep by itself: all of a short one, both ends of a long one."""
    for sweep in made:
        tried = range(sweep.size) if sweep.size <= CHECKED else (0, sweep.size - 1)
        for index in tried:
            node = pick(sweep, index)
            faults: list[Fault] = []
            Assembly(definition, faults.append, {**base, sweep.field: node}).scenario()
            for fault in faults:
                fault.message += f" (at {sweep.field} = {expression(node)})"
                report(fault)
            if faults:
                break
