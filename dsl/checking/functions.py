"""The operators and functions of the language, on exact numbers and on enclosures."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Final, NamedTuple, TypeAlias

from dsl.checking import intervals
from dsl.checking.faults import Fault, Place
from dsl.checking.intervals import Undecided
from dsl.numbers import Real

Value: TypeAlias = int | Fraction | Real

MAX_BITS: Final = 4096  # of any number on the way: 2^4096 is past every use, and still cheap
SIZE_HINT: Final = "numbers stay between 2^-4096 and 2^4096"


def bounded(value: Value, place: Place) -> Value:
    """The value itself, unless it is too large to go on with."""
    for end in (value.lo, value.hi) if isinstance(value, Real) else (value,):
        top, bottom = end.numerator.bit_length(), end.denominator.bit_length()
        if isinstance(value, Real):
            top, bottom = abs(top - bottom), 0  # an enclosure's own digits are bounded already
        if max(top, bottom) > MAX_BITS:
            raise Fault("T041", "this number is too large or too small", place, SIZE_HINT)
    return value


def enclosure(value: Value) -> Real:
    """A value as a Real."""
    return value if isinstance(value, Real) else Real.of(value)


def plain(value: Real) -> Value:
    """A Real as an exact number where it is one."""
    return value.lo if value.exact else value


def add(left: Value, right: Value, place: Place, bits: int) -> Value:
    """left + right."""
    if isinstance(left, Real) or isinstance(right, Real):
        return plain(intervals.add(enclosure(left), enclosure(right), bits))
    return bounded(left + right, place)


def subtract(left: Value, right: Value, place: Place, bits: int) -> Value:
    """left - right."""
    return add(left, negative(right), place, bits)


def negative(value: Value) -> Value:
    """-value."""
    return intervals.negative(value) if isinstance(value, Real) else -value


def multiply(left: Value, right: Value, place: Place, bits: int) -> Value:
    """left * right."""
    if isinstance(left, Real) or isinstance(right, Real):
        return bounded(plain(intervals.multiply(enclosure(left), enclosure(right), bits)), place)
    return bounded(left * right, place)


def divide(left: Value, right: Value, place: Place, bits: int) -> Value:
    """left / right."""
    if not isinstance(right, Real):
        if not right:
            raise Fault("T040", "division by zero", place)
        return multiply(left, Fraction(1) / right, place, bits)
    return multiply(left, intervals.inverse(right, bits), place, bits)


def power(left: Value, right: Value, place: Place, bits: int) -> Value:
    """left ^ right."""
    if not isinstance(right, Real) and right.denominator == 1:
        return _whole_power(left, right.numerator, place, bits)
    if not isinstance(right, Real) and not isinstance(left, Real):
        root = _exact_root(Fraction(left), right.denominator)
        if root is not None:
            return _whole_power(root, right.numerator, place, bits)
    if not isinstance(left, Real) and left == 0:
        raise Fault("T042", "0 to a power that is not whole", place)
    return exponential(multiply(right, logarithm(left, place, bits), place, bits), place, bits)


def _exact_root(value: Fraction, degree: int) -> Fraction | None:
    """The rational root of a positive number, if there is one."""
    if value <= 0 or degree > MAX_BITS:
        return None
    top, bottom = _root(value.numerator, degree), _root(value.denominator, degree)
    return Fraction(top, bottom) if top**degree == value.numerator and bottom**degree == value.denominator else None


def _root(value: int, degree: int) -> int:
    """The root of a positive integer, rounded down, a bit at a time from the top."""
    root = 0
    for bit in reversed(range(-(-value.bit_length() // degree))):
        if (root | 1 << bit) ** degree <= value:
            root |= 1 << bit
    return root


def _whole_power(left: Value, exponent: int, place: Place, bits: int) -> Value:
    if exponent < 0:
        return divide(1, _whole_power(left, -exponent, place, bits), place, bits)
    ends = (left.lo, left.hi) if isinstance(left, Real) else (left,)
    size = max(max(end.numerator.bit_length(), end.denominator.bit_length()) for end in ends)
    small = not isinstance(left, Real) and left in (-1, 0, 1)
    if not small and exponent > 1 and (size - 1) * exponent > (MAX_BITS if not isinstance(left, Real) else 2**20):
        raise Fault("T041", "this power is too large to compute", place, SIZE_HINT)
    if not isinstance(left, Real):
        return bounded(left ** (exponent if not small else min(exponent, 2 + exponent % 2)), place)
    if exponent == 0:
        return 1
    low, high = left.lo**exponent, left.hi**exponent
    if left.lo < 0 and exponent % 2 == 0:
        low, high = (Fraction(0) if left.hi > 0 else high), max(low, high)
    return bounded(plain(intervals.outward(low, high, bits)), place)


def square_root(value: Value, place: Place, bits: int) -> Value:
    """The square root."""
    ball = enclosure(value)
    if ball.hi < 0:
        raise Fault("T042", "the square root of a negative number", place)
    return plain(intervals.sqrt(ball, bits))


def logarithm(value: Value, place: Place, bits: int) -> Value:
    """The natural logarithm."""
    ball = enclosure(value)
    if ball.hi <= 0:
        raise Fault("T042", "the logarithm of a number that is not positive", place)
    return plain(intervals.log(ball, bits))


def exponential(value: Value, place: Place, bits: int) -> Value:
    """e to the value."""
    ball = enclosure(value)
    if max(abs(ball.lo), abs(ball.hi)) > MAX_BITS * 0.69:
        raise Fault("T041", "this number is too large or too small", place, SIZE_HINT)
    return plain(intervals.exp(ball, bits))


def _log_base(base: int) -> Callable[[list[Value], Place, int], Value]:
    def apply(values: list[Value], place: Place, bits: int) -> Value:
        (value,) = values
        exact = None if isinstance(value, Real) else _exact_log(Fraction(value), base)
        if exact is not None:
            return exact
        return divide(logarithm(value, place, bits), logarithm(base, place, bits), place, bits)

    return apply


def _exact_log(value: Fraction, base: int) -> int | None:
    """The n with base^n = value, if there is one."""
    if 1 not in (value.numerator, value.denominator) or value <= 0:
        return None
    rest, n = max(value.numerator, value.denominator), 0
    while rest % base == 0:
        rest, n = rest // base, n + 1
    return (n if value >= 1 else -n) if rest == 1 else None


def rounded(value: Value, way: Callable[[Fraction], int]) -> int:
    """A value rounded by `way`; Undecided where both ends of an enclosure do not agree."""
    if not isinstance(value, Real):
        return way(Fraction(value))
    low, high = way(value.lo), way(value.hi)
    if low != high:
        raise Undecided
    return low


def _half_up(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


def _extreme(pick: Callable[[Fraction, Fraction], Fraction]) -> Callable[[list[Value], Place, int], Value]:
    def apply(values: list[Value], place: Place, bits: int) -> Value:
        balls = [enclosure(value) for value in values]
        lo, hi = balls[0].lo, balls[0].hi
        for ball in balls[1:]:
            lo, hi = pick(lo, ball.lo), pick(hi, ball.hi)
        return plain(Real(lo, hi))

    return apply


def _absolute(values: list[Value], place: Place, bits: int) -> Value:
    ball = enclosure(values[0])
    if ball.lo < 0 < ball.hi:
        return Real(Fraction(0), max(-ball.lo, ball.hi))
    return plain(ball if ball.lo >= 0 else intervals.negative(ball))


def _between(values: list[Value], place: Place, bits: int) -> Value:
    low, high = (enclosure(value) for value in values)
    if low.lo > high.hi:
        raise Fault("T042", "the first bound is above the second", place)
    return plain(Real(low.lo, high.hi))


class Function(NamedTuple):
    """One function of the language."""

    usage: str
    documentation: str
    apply: Callable[[list[Value], Place, int], Value]
    least: int = 1
    most: int | None = 1

    @property
    def arity(self) -> str:
        """How many arguments it takes, in words."""
        if self.most is None:
            return f"at least {self.least} arguments"
        return "1 argument" if self.most == 1 else f"{self.most} arguments"


def _whole(way: Callable[[Fraction], int]) -> Callable[[list[Value], Place, int], Value]:
    return lambda values, place, bits: rounded(values[0], way)


OPERATORS: Final[dict[str, Callable[[Value, Value, Place, int], Value]]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "^": power,
}

FUNCTIONS: Final[dict[str, Function]] = {
    "log2": Function("log2(x)", "logarithm to base 2", _log_base(2)),
    "log10": Function("log10(x)", "logarithm to base 10", _log_base(10)),
    "ln": Function("ln(x)", "natural logarithm", lambda values, place, bits: logarithm(values[0], place, bits)),
    "exp": Function("exp(x)", "e to the x", lambda values, place, bits: exponential(values[0], place, bits)),
    "sqrt": Function("sqrt(x)", "square root", lambda values, place, bits: square_root(values[0], place, bits)),
    "floor": Function("floor(x)", "rounded down to a whole number", _whole(floor)),
    "ceil": Function("ceil(x)", "rounded up to a whole number", _whole(ceil)),
    "round": Function("round(x)", "rounded to the nearest whole number, halves up", _whole(_half_up)),
    "abs": Function("abs(x)", "absolute value", _absolute),
    "min": Function("min(x, y, …)", "the least of its arguments", _extreme(min), most=None),
    "max": Function("max(x, y, …)", "the greatest of its arguments", _extreme(max), most=None),
    "between": Function("between(a, b)", "a number known only to lie within [a, b]", _between, least=2, most=2),
}
