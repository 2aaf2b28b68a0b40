"""Intervals of reals that hold what they stand for, over mpmath's directed rounding, and relations that are proved.

A comparison is true only if it holds for every pair of numbers of the two intervals. Elementary functions are widened
by a few units in the last place, since mpmath rounds them in the right direction but for a last guard digit. What
mpmath has no interval function for (erfc, the logarithm of a factorial) is enclosed here by series with proved tails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache
from typing import Any

from mpmath import MPContext, libmp
from mpmath.libmp import libmpi

FIRST_BITS = 160
MOST_BITS = 6144
_PRECISION: ContextVar[int] = ContextVar("precision", default=FIRST_BITS)
Number = int | Fraction


class Interval:
    """All numbers between two ends."""

    __slots__ = ("mpi",)

    def __init__(self, mpi: Any) -> None:
        self.mpi = mpi

    def __add__(self, other: Interval | Number) -> Interval:
        return Interval(libmpi.mpi_add(self.mpi, real(other).mpi, bits()))

    def __sub__(self, other: Interval | Number) -> Interval:
        return Interval(libmpi.mpi_sub(self.mpi, real(other).mpi, bits()))

    def __mul__(self, other: Interval | Number) -> Interval:
        return Interval(libmpi.mpi_mul(self.mpi, real(other).mpi, bits()))

    def __truediv__(self, other: Interval | Number) -> Interval:
        return Interval(libmpi.mpi_div(self.mpi, real(other).mpi, bits()))

    def __radd__(self, other: Number) -> Interval:
        return self + other

    def __rsub__(self, other: Number) -> Interval:
        return real(other) - self

    def __rmul__(self, other: Number) -> Interval:
        return self * other

    def __rtruediv__(self, other: Number) -> Interval:
        return real(other) / self

    def __neg__(self) -> Interval:
        return Interval(libmpi.mpi_neg(self.mpi))

    def __abs__(self) -> Interval:
        return Interval(libmpi.mpi_abs(self.mpi))

    def __pow__(self, exponent: int) -> Interval:
        return Interval(libmpi.mpi_pow_int(self.mpi, exponent, bits()))

    def __lt__(self, other: Interval | Number) -> bool:
        return bool(libmp.mpf_lt(self.mpi[1], real(other).mpi[0]))

    def __le__(self, other: Interval | Number) -> bool:
        return bool(libmp.mpf_le(self.mpi[1], real(other).mpi[0]))

    def __gt__(self, other: Interval | Number) -> bool:
        return bool(libmp.mpf_gt(self.mpi[0], real(other).mpi[1]))

    def __ge__(self, other: Interval | Number) -> bool:
        return bool(libmp.mpf_ge(self.mpi[0], real(other).mpi[1]))

    @property
    def finite(self) -> bool:
        """Whether both ends are numbers."""
        return all(end not in (libmp.finf, libmp.fninf, libmp.fnan) for end in self.mpi)

    @property
    def whole(self) -> bool:
        """Whether this is one integer."""
        return self.finite and self.mpi[0] == self.mpi[1] and self.least().denominator == 1

    @property
    def low(self) -> Interval:
        """The lower end."""
        return Interval((self.mpi[0], self.mpi[0]))

    @property
    def high(self) -> Interval:
        """The upper end."""
        return Interval((self.mpi[1], self.mpi[1]))

    def least(self) -> Fraction:
        """The lower end, exactly."""
        return Fraction(*libmp.to_rational(self.mpi[0]))

    def most(self) -> Fraction:
        """The upper end, exactly."""
        return Fraction(*libmp.to_rational(self.mpi[1]))

    def __float__(self) -> float:
        return float(libmp.to_float(self.mpi[1]))

    def __repr__(self) -> str:
        return f"[{libmp.to_str(self.mpi[0], 12)}, {libmp.to_str(self.mpi[1], 12)}]"


def bits() -> int:
    """The working precision."""
    return _PRECISION.get()


@contextmanager
def precision(wanted: int) -> Iterator[None]:
    """A working precision for a while; threads have their own."""
    before = _PRECISION.set(wanted)
    try:
        yield
    finally:
        _PRECISION.reset(before)


def real(value: Interval | Number) -> Interval:
    """A number as an interval of the working precision."""
    if isinstance(value, Interval):
        return value
    if isinstance(value, int):
        return Interval((libmp.from_int(value, bits(), "f"), libmp.from_int(value, bits(), "c")))
    return Interval(tuple(_rational(value, way) for way in "fc"))


def _rational(value: Fraction, way: str) -> Any:
    """libmp's quotient of two integers is exact up to one rounding."""
    return libmp.mpf_rdiv_int(value.numerator, libmp.from_int(value.denominator), bits(), way)


def hull(low: Interval | Number, high: Interval | Number) -> Interval:
    """Everything between two numbers."""
    return Interval((real(low).mpi[0], real(high).mpi[1]))


INFINITY = Interval((libmp.finf, libmp.finf))
MINUS_INFINITY = Interval((libmp.fninf, libmp.fninf))
ZERO, ONE = Interval((libmp.fzero, libmp.fzero)), Interval((libmp.fone, libmp.fone))


def _end(which: Callable[[Any, Any], bool], a: Any, b: Any) -> Any:
    return a if which(a, b) else b


def smaller(*values: Interval) -> Interval:
    """The least of some numbers."""
    low, high = values[0].mpi
    for value in values[1:]:
        low, high = _end(libmp.mpf_lt, low, value.mpi[0]), _end(libmp.mpf_lt, high, value.mpi[1])
    return Interval((low, high))


def larger(*values: Interval) -> Interval:
    """The greatest of some numbers."""
    low, high = values[0].mpi
    for value in values[1:]:
        low, high = _end(libmp.mpf_gt, low, value.mpi[0]), _end(libmp.mpf_gt, high, value.mpi[1])
    return Interval((low, high))


def total(values: Any) -> Interval:
    """The sum of some numbers."""
    result = ZERO
    for value in values:
        result = result + value
    return result


# -- elementary functions ------------------------------------------------------------------------------


def _widened(mpi: Any) -> Interval:
    """Two units of the last place more on either side."""
    low, high = mpi
    unit = libmp.from_man_exp(1, 1 - bits())
    wide = libmp.mpf_mul(unit, libmp.mpf_abs(low)), libmp.mpf_mul(unit, libmp.mpf_abs(high))
    return Interval((libmp.mpf_sub(low, wide[0], bits(), "f"), libmp.mpf_add(high, wide[1], bits(), "c")))


def log(value: Interval | Number) -> Interval:
    """The natural logarithm; of what is not surely positive, anything."""
    x = real(value)
    if not x > 0:
        return hull(MINUS_INFINITY, log(x.high)) if x.high > 0 else hull(MINUS_INFINITY, INFINITY)
    if not x.finite:
        return hull(log(x.low) if x.low.finite else INFINITY, INFINITY)
    return _widened(libmpi.mpi_log(x.mpi, bits()))


def log1p(value: Interval) -> Interval:
    """ln(1 + x) for x > 0, however small: between x - x^2/2 and x where 1 + x would lose it."""
    if value.high < Fraction(1, 2 ** (bits() // 2)) and value >= 0:
        return hull(value - value * value / 2, value)
    return log(1 + value)


def exp(value: Interval | Number) -> Interval:
    """The exponential function."""
    x = real(value)
    if x.mpi[1] == libmp.finf:
        return hull(ZERO if x.mpi[0] == libmp.fninf else exp(x.low) if x.low.finite else INFINITY, INFINITY)
    if x.mpi[0] == libmp.fninf:
        return hull(ZERO, exp(x.high) if x.high.finite else ZERO)
    return _widened(libmpi.mpi_exp(x.mpi, bits()))


def sqrt(value: Interval | Number) -> Interval:
    """The square root."""
    return _widened(libmpi.mpi_sqrt(real(value).mpi, bits()))


def sin(value: Interval) -> Interval:
    """The sine, widened by an absolute amount: near its zeros a relative one would not do."""
    mpi = libmpi.mpi_cos_sin(value.mpi, bits())[1]
    return Interval(mpi) + hull(-power_of_two(4 - bits()), power_of_two(4 - bits()))


def pi() -> Interval:
    """3.14..."""
    return _widened((libmp.mpf_pi(bits(), "f"), libmp.mpf_pi(bits(), "c")))


def power_of_two(exponent: int) -> Interval:
    """2^exponent, exactly."""
    one = libmp.from_man_exp(1, exponent)
    return Interval((one, one))


def log2(value: Interval | Number) -> Interval:
    """The binary logarithm; exact for powers of two."""
    if isinstance(value, int) and value > 0 and value & (value - 1) == 0:
        return real(value.bit_length() - 1)
    return log(value) / log(2)


# -- functions that mpmath has no interval for ---------------------------------------------------------

INVERSE_BITS, NEWTON_STEPS = 192, 12
NEAR = 4  # up to here erf is summed, beyond erfc is a continued fraction


def erfc(value: Interval | Number) -> Interval:
    """1 - erf, monotone: from the enclosures at both ends."""
    x = real(value)
    if not x.finite:
        return hull(ZERO, 2)
    return hull(_erfc_at(x.high).low, _erfc_at(x.low).high)


def _erfc_at(x: Interval) -> Interval:
    if not x >= 0:
        return 2 - _erfc_at(-x)
    return 1 - _erf_series(x) if x <= NEAR else _erfc_fraction(x)


def _erf_series(x: Interval) -> Interval:
    """2/sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1)/(2n+1)!!: all terms are positive, and at last at least halved."""
    square = x * x
    term, found, n = x, x, 0
    while not (term <= power_of_two(-bits() - 8) and 4 * square <= 2 * n + 3):
        n += 1
        term = term * square * 2 / (2 * n + 1)
        found = found + term
    return 2 / sqrt(pi()) * exp(-square) * (found + hull(ZERO, 2 * term))


def _erfc_fraction(x: Interval) -> Interval:
    """exp(-x^2)/sqrt(pi) / (x + (1/2)/(x + 1/(x + (3/2)/(x + ...)))): convergents lie on either side in turn."""
    ends = []
    enough = 16 + int((bits() / (3.5 * min(float(x), 1e6))) ** 2)  # for the working precision; any number is right
    for depth in (enough, enough + 1):
        tail = x
        for k in range(depth, 0, -1):
            tail = x + real(Fraction(k, 2)) / tail
        ends.append(1 / tail)
    return exp(-x * x) / sqrt(pi()) * hull(smaller(*ends), larger(*ends))


@lru_cache(maxsize=512)
def erfc_inverse_above(chance: Fraction) -> Interval:
    """A number, hardly above the inverse of erfc, at which erfc is proved to be at most `chance` < 1."""
    with precision(INVERSE_BITS):
        x = (_erfc_inverse(chance) * (1 + power_of_two(-INVERSE_BITS // 2))).high
        if not erfc(x) <= chance:
            raise ArithmeticError(f"no inverse of erfc was found at {float(chance):g}")
        return x


def _erfc_inverse(chance: Fraction) -> Interval:
    """A number near the inverse, in floats, whose worth is for others to prove: Newton on ln erfc(x) = ln(chance)."""
    floats = MPContext()
    floats.prec = INVERSE_BITS
    wanted = floats.log(floats.mpf(chance.numerator) / chance.denominator)
    x = floats.sqrt(min(-wanted, 10**9))
    for _ in range(NEWTON_STEPS):
        value = floats.erfc(x)
        step = value * floats.sqrt(floats.pi) / 2 * floats.exp(x * x) * (floats.log(value) - wanted)
        x = max(x + step, x / 16)
    return Interval((x._mpf_, x._mpf_))


SUMMED_FACTORIALS = 256
BERNOULLI = ((1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510))


def log_factorial(n: int) -> Interval:
    """ln n!: the product where it is short, else Stirling's series, whose first term left out bounds the rest."""
    if n <= SUMMED_FACTORIALS:
        product = 1
        for factor in range(2, n + 1):
            product *= factor
        return log(product)
    x = real(n + 1)
    result = (x - Fraction(1, 2)) * log(x) - x + log(2 * pi()) / 2
    for k, (top, bottom) in enumerate(BERNOULLI[:-1], 1):
        result = result + real(Fraction(top, bottom * 2 * k * (2 * k - 1))) / x ** (2 * k - 1)
    k, (top, bottom) = len(BERNOULLI), BERNOULLI[-1]
    rest = real(Fraction(abs(top), bottom * 2 * k * (2 * k - 1))) / x ** (2 * k - 1)
    return result + hull(-rest, rest)


# -- relations -----------------------------------------------------------------------------------------

Term = Callable[[], Interval]
ARITHMETIC = (ArithmeticError, ValueError, libmp.ComplexResult)


def decided(left: Interval, relation: str, right: Interval) -> bool | None:
    """Whether the relation holds for all numbers of the intervals, for none, or neither."""
    if relation in ("<", "<="):
        left, right, relation = right, left, {"<": ">", "<=": ">="}[relation]
    holds, fails = (left > right, left <= right) if relation == ">" else (left >= right, left < right)
    return True if holds else False if fails else None


def prove(left: Term, relation: str, right: Term, start: int = FIRST_BITS) -> tuple[Interval, Interval, bool]:
    """Both sides, and whether the relation is proved, at whatever precision decides it."""
    wanted = max(start, FIRST_BITS)
    while True:
        with precision(wanted):
            a, b = left(), right()
            verdict = decided(a, relation, b)
        if verdict is not None or wanted >= max(MOST_BITS, start):
            return a, b, verdict is True
        wanted *= 2


def floor_above(value: Term, start: int = FIRST_BITS) -> int:
    """The floor of the least number that is surely not below this one."""
    with precision(max(start, FIRST_BITS)):
        top = value().most()
    return top.numerator // top.denominator


def ceiling_above(value: Term, start: int = FIRST_BITS) -> int:
    """The least integer that is surely not below the number."""
    with precision(max(start, FIRST_BITS)):
        top = value().most()
    return -(-top.numerator // top.denominator)
