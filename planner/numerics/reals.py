"""Rigorous real arithmetic: python-flint balls, outward decimal bounds, and comparisons that prove or refuse.

A ball comparison is true only when it holds for every pair of numbers in the two balls. `compare` raises
the working precision until the comparison is decided either way; what stays undecided counts as not proved.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import fields
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache, wraps
from typing import Any, TypeVar

from flint import arb, ctx, fmpq, fmpz

from dsl.numbers import Real
from planner.numerics.inequality import Bound, Inequality
from planner.numerics.patience import look

Number = int | Fraction | Real
Term = Callable[[], arb]  # a number that can be had at any working precision
Value = TypeVar("Value")
START_BITS = 96
CAP_BITS = 6144
SHOWN_DIGITS = 8
SHOWN_BITS = 27  # as many, for numbers too far from 1 to be written in decimal
BRIEF_DIGITS = 4  # of numbers that people read beside each other
MOST_BRIEF = 40  # where fewer do not tell them apart
MOST_DIGITS = 2000  # of two equal numbers
LARGEST_EXACT = 10**30  # integers up to here are written out
LONG = 1024  # bits beyond which an exact number is written in hexadecimal
LARGEST_SHOWN_EXPONENT = 10_000  # beyond 2^this a decimal expansion is of no use to a reader


class _Thread(threading.local):
    bits = 0  # the working precision of the innermost section that this thread is in; 0: in none


_thread = _Thread()
_owner = threading.RLock()  # held by the one thread whose precision flint's global context has
_next = threading.Lock()  # held by the thread that has it next: one that waits is not overtaken for ever


class working:  # noqa: N801 - reads as what it does: with working(bits)
    """A section that computes with balls at a precision of its own. Nothing else touches flint's global context.

    One thread at a time is in a section, sections nest, and each leaves the precision as it found it.
    """

    __slots__ = ("_bits", "_caller", "_outer")

    def __init__(self, bits: int) -> None:
        self._bits = bits

    def __enter__(self) -> None:
        look()
        self._outer = _thread.bits
        if not self._outer:
            with _next:
                _owner.acquire()
        self._caller = ctx.prec
        _thread.bits = ctx.prec = self._bits

    def __exit__(self, *fault: object) -> None:
        ctx.prec = self._caller
        _thread.bits = self._outer
        if not self._outer:
            _owner.release()


def settled() -> working:
    """A section at the precision of the one that it is in, or at the least: never at the caller's own."""
    return working(_thread.bits or START_BITS)


def ball(value: Number) -> arb:
    """The number as a ball at the working precision."""
    if isinstance(value, int):
        return arb(fmpz(value))
    if isinstance(value, Real):  # before Fraction, whose abstract base makes the question slow
        return ball(value.lo) if value.exact else ball(value.lo).union(ball(value.hi))
    return arb(fmpq(value.numerator, value.denominator))


def per_precision(compute: Callable[[Any], Value]) -> Callable[[Any], Value]:
    """A method of a record that is computed once for each working precision: nothing else can change its balls."""
    name = f"{compute.__name__} by precision"

    @wraps(compute)
    def recall(record: Any) -> Value:
        known: dict[int, Value] = record.__dict__.setdefault(name, {})
        bits = _thread.bits or START_BITS
        if bits not in known:
            with working(bits):
                known[bits] = compute(record)
        return known[bits]

    return recall


def recalled(most: int) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """A function whose last `most` values are kept, each for the working precision that it was computed at."""

    def decorate(compute: Callable[..., Value]) -> Callable[..., Value]:
        @lru_cache(maxsize=most)
        def at(bits: int, *arguments: Any) -> Value:
            with working(bits):
                return compute(*arguments)

        @wraps(compute)
        def recall(*arguments: Any) -> Value:
            return at(_thread.bits or START_BITS, *arguments)

        return recall

    return decorate


def log2(value: arb) -> arb:
    """The binary logarithm."""
    return value.log() / arb(2).log()


def upper_end(value: Number) -> Fraction:
    """The largest rational that the number can be."""
    return value.hi if isinstance(value, Real) else Fraction(value)


def lower(value: arb) -> Fraction:
    """A rational not above the number."""
    return _dyadic(value.lower())


def upper(value: arb) -> Fraction:
    """A rational not below the number."""
    return _dyadic(value.upper())


def midpoint(value: arb) -> Fraction:
    """The midpoint of a ball, all digits of it."""
    return _dyadic(value.mid())


def _dyadic(exact: arb) -> Fraction:
    mantissa, exponent = exact.man_exp()
    if exponent >= 0:
        return Fraction(int(mantissa) << int(exponent))
    return Fraction(int(mantissa), 1 << -int(exponent))


def floor_of(compute: Callable[[], arb]) -> int:
    """The floor of a real, at whatever precision decides it; the smaller candidate where nothing does."""
    return int(_integer_part(compute, lambda value: value.floor(), lambda value: value.lower()))


def ceil_of(compute: Callable[[], arb]) -> int:
    """The ceiling of a real, at whatever precision decides it; the larger candidate where nothing does."""
    return int(_integer_part(compute, lambda value: value.ceil(), lambda value: value.upper()))


def _integer_part(
    compute: Callable[[], arb], integer_part: Callable[[arb], arb], outward: Callable[[arb], arb]
) -> fmpz:
    bits = max(START_BITS, _thread.bits)
    while True:
        with working(bits):
            value = compute()
            decided = integer_part(value).unique_fmpz()
            if decided is not None:
                return decided
            if bits >= CAP_BITS:
                return integer_part(outward(value)).unique_fmpz()
        bits *= 2


def compare(name: str, left: Callable[[], arb], relation: str, right: Callable[[], arb]) -> Inequality:
    """Prove or refute `left relation right` (one of > >= < <=), raising the precision until it is decided."""
    return Decided(name, relation, *_settled(left, relation, right))


class Decided(Inequality):
    """An inequality whose sides are written in decimal when they are first read: a search asks only whether it holds."""

    def __init__(self, name: str, relation: str, verdict: bool | None, bits: int, a: arb, b: arb) -> None:
        self.__dict__.update(name=name, relation=relation, holds=verdict is True, _sides=(verdict, bits, a, b))

    def __getattr__(self, name: str) -> Any:
        if name not in ("left", "right"):
            raise AttributeError(name)
        verdict, bits, a, b = self.__dict__["_sides"]
        with working(bits):
            digits = SHOWN_DIGITS if verdict is None else digits_apart(a, b)
            self.__dict__.update(left=bound(a, digits), right=bound(b, digits))
        return self.__dict__[name]

    def __getstate__(self) -> dict[str, Any]:
        """What is copied and pickled: what is written, and not the balls."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def proved(left: Callable[[], arb], relation: str, right: Callable[[], arb]) -> bool:
    """Whether the relation is proved; for searches that need no record."""
    return _settled(left, relation, right)[0] is True


def _settled(left: Callable[[], arb], relation: str, right: Callable[[], arb]) -> tuple[bool | None, int, arb, arb]:
    """What the least precision says that decides the relation, that precision, and both sides at it."""
    bits = max(START_BITS, _thread.bits)
    while True:
        with working(bits):
            a, b = left(), right()
            verdict = _decided(a, relation, b)
        if verdict is not None or bits >= CAP_BITS:
            return verdict, bits, a, b
        bits *= 2


def _decided(a: arb, relation: str, b: arb) -> bool | None:
    if a.is_nan() or b.is_nan():
        return False
    if relation in ("<", "<="):
        a, b, relation = b, a, {"<": ">", "<=": ">="}[relation]
    holds, fails = (a > b, a <= b) if relation == ">" else (a >= b, a < b)
    return True if holds else False if fails else None


def digits_apart(a: arb, b: arb) -> int:
    """Digits at which bounds that are rounded outward still tell the two numbers apart, or show that they are one.

    Each of d digits is rounded by less than 10^(1-d) of the number: 2 size 10^(1-d) must stay below the gap.
    """
    if not (a.is_finite() and b.is_finite()):
        return SHOWN_DIGITS
    gap = (a.lower() - b.upper()).max(b.lower() - a.upper())
    if not gap > 0:
        return max(SHOWN_DIGITS, *map(_all_digits, (a, b))) if a.is_exact() and b.is_exact() else SHOWN_DIGITS
    size = abs(a).upper().max(abs(b).upper())
    needed = ((2 * size / gap).log() / arb(10).log()).upper().floor().unique_fmpz()
    return max(SHOWN_DIGITS, int(needed) + 2)


def _all_digits(exact: arb) -> int:
    """No fewer than the digits of an exact number, for as long as anybody would read them."""
    mantissa, exponent = (int(part) for part in exact.man_exp())
    return min(mantissa.bit_length() + abs(exponent), MOST_DIGITS)


def bound(value: arb, digits: int = SHOWN_DIGITS) -> Bound:
    """The ball as decimal bounds of so many digits, rounded outward."""
    if not value.is_finite():
        text = "∞" if value > 0 else str(value)
        return Bound(text, text)
    exact = value.is_exact() and value.is_integer() and abs(value) < LARGEST_EXACT
    if exact:
        text = str(int(value.unique_fmpz()))
        return Bound(text, text)
    return Bound(_decimal(value.lower(), ROUND_FLOOR, digits), _decimal(value.upper(), ROUND_CEILING, digits))


def brief(value: arb) -> str:
    """About what the ball holds, in words for people: nothing is proved with it."""
    return _brief(bound(value), BRIEF_DIGITS)


def told_apart(have: Bound, need: Bound) -> tuple[str, str]:
    """Two numbers in as few digits as show that they differ, where they are known to."""
    for digits in range(BRIEF_DIGITS, MOST_BRIEF):
        left, right = _brief(have, digits), _brief(need, digits)
        if left != right:
            return left, right
    return "as much, as far as can be told", right


def _brief(value: Bound, digits: int) -> str:
    """The middle of an enclosure; what is no decimal number stays as it is written."""
    try:
        low, high = Decimal(value.lo), Decimal(value.hi)
        if low < 0 < high:
            return "0"
    except InvalidOperation:  # also of "nan", which is read but not compared
        return "not known" if "inf" in value.lo or "nan" in value.lo else value.lo
    return _plain(Context(prec=digits).create_decimal((low + high) / 2).normalize())


def _decimal(exact: arb, rounding: str, digits: int) -> str:
    mantissa, exponent = (int(part) for part in exact.man_exp())
    if abs(exponent + mantissa.bit_length()) > LARGEST_SHOWN_EXPONENT:
        return _binary(mantissa, exponent, rounding == ROUND_CEILING, digits)
    context = Context(prec=digits, rounding=rounding, Emin=-(10**6), Emax=10**6)
    if exponent >= 0:
        return _plain(context.create_decimal(mantissa << exponent))
    return _plain(context.divide(Decimal(mantissa), Decimal(1 << -exponent)))


def _binary(mantissa: int, exponent: int, up: bool, digits: int) -> str:
    """The number as a short integer times a power of two, rounded up or down."""
    spare = max(0, mantissa.bit_length() - SHOWN_BITS * -(-digits // SHOWN_DIGITS))
    short = -(-mantissa >> spare) if up else mantissa >> spare
    return f"{short}*2^{exponent + spare}"


def _plain(value: Decimal) -> str:
    return f"{value:g}" if -5 < value.adjusted() < 12 else f"{value:e}"


def number_text(value: Any) -> str:
    """An exact number, or the two ends of what encloses it; long ones in hexadecimal, which is quick at any length."""
    if isinstance(value, Real):
        return number_text(value.lo) if value.exact else f"{number_text(value.lo)}..{number_text(value.hi)}"
    exact = Fraction(value)
    if max(exact.numerator.bit_length(), exact.denominator.bit_length()) <= LONG:
        return f"{exact}"
    return f"{exact.numerator:#x}/{exact.denominator:#x}"
