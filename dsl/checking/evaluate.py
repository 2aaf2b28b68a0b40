"""Expressions to numbers: exact where rational, rigorous enclosures where not, never a float.

Sizes are bounded before anything large is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import Final, Protocol, TypeAlias, TypeVar

from dsl.checking import functions
from dsl.checking.faults import Fault
from dsl.checking.functions import MAX_BITS, Value
from dsl.checking.intervals import Undecided
from dsl.numbers import Real
from dsl.reading.suggest import nearest
from dsl.reading.syntax import Binary, Call, Exact, Expr, Name, Negative, Number, Percent, Range, Text

BITS: Final = 256  # of an enclosure that nothing asks to be finer
FINEST: Final = 4096  # where a question that is still open is given up
MAX_DIGITS: Final = 2000  # of a written number: more than 2^4096 has, however it is grouped

T = TypeVar("T")


class Scope(Protocol):
    """Where names get their meaning."""

    def lookup(self, name: Name, bits: int) -> Value:
        """The number that a name stands for."""


def evaluate(node: Expr, scope: Scope, bits: int) -> Value:
    """The number that an expression stands for."""
    return _EVALUATORS[type(node)](node, scope, bits)


def settle(node: Expr, scope: Scope, question: Callable[[Value], T]) -> T:
    """Answer a question about an expression's value, with as much precision as the answer needs."""
    bits = BITS
    while True:
        try:
            return question(evaluate(node, scope, bits))
        except Undecided:
            bits *= 2
        except RecursionError:
            raise Fault("T005", "this value is nested too deeply", node, "split it up") from None
        if bits > FINEST:
            message = "this is too close to a whole number, or to a limit, to tell on which side it lies"
            raise Fault("T043", message, node, "write the exact value")


def number(node: Expr, scope: Scope) -> Value:
    """The value of an expression, to the usual precision."""
    return settle(node, scope, lambda value: value)


def real(node: Expr, scope: Scope) -> Real:
    """The same as a Real."""
    return as_real(number(node, scope))


def as_real(value: Value) -> Real:
    """A value as an enclosure."""
    return value if isinstance(value, Real) else Real.of(value)


def floored(node: Expr, scope: Scope) -> int:
    """The value rounded down, decided rigorously."""
    return settle(node, scope, lambda value: functions.rounded(value, floor))


def _number(node: Number, scope: Scope, bits: int) -> Value:
    text = node.text
    if len(text) > MAX_DIGITS:
        raise Fault("T041", f"a number of {len(text):,} characters is too long", node, f"at most {MAX_DIGITS:,}")
    if text.isdigit():
        value = int(text)
        return value if value < 2**64 else functions.bounded(value, node)
    mantissa, _, exponent = text.replace("_", "").lower().partition("e")
    if exponent and (len(exponent) > 6 or abs(int(exponent)) > MAX_BITS):
        raise Fault("T041", f"`{text}` is too large or too small", node, functions.SIZE_HINT)
    return functions.bounded(Fraction(mantissa) * Fraction(10) ** int(exponent or "0"), node)


def _name(node: Name, scope: Scope, bits: int) -> Value:
    return scope.lookup(node, bits)


def _text(node: Text, scope: Scope, bits: int) -> Value:
    raise Fault("T030", "expected a number, found a string", node, "numbers stand without quotes")


def _exact(node: Exact, scope: Scope, bits: int) -> Value:
    return node.value


def _range(node: Range, scope: Scope, bits: int) -> Value:
    raise Fault("T050", "a range can only stand in a `sweep`", node, "write `sweep FIELD = a..b`")


def _negative(node: Negative, scope: Scope, bits: int) -> Value:
    return functions.negative(evaluate(node.operand, scope, bits))


def _percent(node: Percent, scope: Scope, bits: int) -> Value:
    return functions.multiply(evaluate(node.operand, scope, bits), Fraction(1, 100), node, bits)


def _binary(node: Binary, scope: Scope, bits: int) -> Value:
    left, right = evaluate(node.left, scope, bits), evaluate(node.right, scope, bits)
    return functions.OPERATORS[node.operator](left, right, node, bits)


def _call(node: Call, scope: Scope, bits: int) -> Value:
    name = node.name.text
    if name not in functions.FUNCTIONS:
        raise Fault("T028", f"unknown function `{name}`", node.name, _function_hint(name))
    function = functions.FUNCTIONS[name]
    count = len(node.arguments)
    if count < function.least or (function.most is not None and count > function.most):
        raise Fault("T044", f"`{name}` takes {function.arity}, not {count}", node, f"write `{function.usage}`")
    values = [evaluate(argument, scope, bits) for argument in node.arguments]
    return function.apply(values, node, bits)


def _function_hint(name: str) -> str:
    if name == "log":
        return "say which: `ln`, `log2` or `log10`"
    return nearest(name, functions.FUNCTIONS) or f"there are {', '.join(functions.FUNCTIONS)}"


_Evaluator: TypeAlias = Callable[[Expr, Scope, int], Value]
_EVALUATORS: Final[dict[type, _Evaluator]] = {
    Number: _number,  # type: ignore[dict-item]
    Name: _name,  # type: ignore[dict-item]
    Text: _text,  # type: ignore[dict-item]
    Exact: _exact,  # type: ignore[dict-item]
    Range: _range,  # type: ignore[dict-item]
    Negative: _negative,  # type: ignore[dict-item]
    Percent: _percent,  # type: ignore[dict-item]
    Binary: _binary,  # type: ignore[dict-item]
    Call: _call,  # type: ignore[dict-item]
}
