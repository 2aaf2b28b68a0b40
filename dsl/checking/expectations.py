"""Expectations: `expect feasible`, `expect queries <= N/5`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dsl.checking.evaluate import BITS, as_real, number
from dsl.checking.faults import Fault
from dsl.checking.functions import multiply
from dsl.checking.spelling import expression
from dsl.numbers import Real
from dsl.reading.syntax import ExpectStatement, Expr, Percent
from dsl.scenario import Comparison, Expectation, ExpectMeasure, ExpectVerdict, Measured, Verdict, scored_rows

if TYPE_CHECKING:
    from dsl.checking.assembly import Assembly
    from dsl.checking.inheritance import Definition

COMPARISONS: Final[dict[str, Comparison]] = {
    "<=": "<=",
    ">=": ">=",
    "<": "<",
    ">": ">",
    "==": "==",
    "=": "==",
}


def evaluate(definition: Definition, scope: Assembly) -> tuple[Expectation, ...]:
    """Every expectation of a scenario, in the order of the file."""
    if not definition.expectations:
        return ()
    verdicts = definition.expectations.get("verdict", [])
    for other in verdicts[1:]:
        if other.name.text != verdicts[0].name.text:
            message = f"`{other.name.text}` contradicts `expect {verdicts[0].name.text}`"
            scope.report(Fault("T062", message, other.name, "a scenario has one verdict"))
    statements = sorted((each for group in definition.expectations.values() for each in group), key=_start)
    made = [scope.attempt(lambda each=each: _expectation(each, definition, scope)) for each in statements]  # type: ignore[misc]
    return tuple(each for each in made if each is not None)


def _start(statement: ExpectStatement) -> int:
    return statement.start


def _expectation(statement: ExpectStatement, definition: Definition, scope: Assembly) -> Expectation:
    line = definition.source.place(statement.start)[0]
    name = statement.name.text
    if statement.relation is None or statement.value is None:
        verdict: Verdict = name  # type: ignore[assignment]
        return ExpectVerdict(verdict, name, line)
    measure: Measured = name  # type: ignore[assignment]
    value = bound(statement.value, name, scope)
    text = f"{name} {COMPARISONS[statement.relation.text]} {expression(statement.value)}"
    return ExpectMeasure(measure, COMPARISONS[statement.relation.text], value, text, line)


def _labels(measure: str, scope: Assembly) -> int:
    """What a percentage is a share of: exposure counts rows that were submitted, the ceiling labels that are scored."""
    rows: int = scope.value("N")
    return rows if measure == "exposure" else scored_rows(rows, scope.value("public"))[1]


def bound(node: Expr, measure: str, scope: Assembly) -> Real:
    """The right side of a comparison."""
    try:
        value = number(node, scope)
        if measure in ("exposure", "ceiling") and isinstance(node, Percent):
            value = multiply(value, _labels(measure, scope), node, BITS)  # a percentage is a share of the labels
    except Fault as fault:
        if fault.code == "T030":
            raise Fault("T061", f"the expectation cannot be evaluated: {fault.message}", fault.place) from None
        raise
    return as_real(value)
