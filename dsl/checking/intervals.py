"""Rigorous arithmetic on enclosures, in integers only: every result encloses the true one.

`bits` is the precision asked for; ends are rounded outward to about that many significant bits.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt

from dsl.numbers import Real

GUARD = 32


class Undecided(Exception):  # noqa: N818 - a request for more precision
    """An enclosure is too wide to settle a question; more precision may settle it."""


def outward(lo: Fraction, hi: Fraction, bits: int) -> Real:
    """[lo, hi] with its ends rounded outward to `bits` significant bits."""
    return Real(_rounded(lo, bits, up=False), _rounded(hi, bits, up=True))


def _rounded(value: Fraction, bits: int, up: bool) -> Fraction:
    numerator, denominator = value.numerator, value.denominator
    if not numerator:
        return value
    shift = bits - numerator.bit_length() + denominator.bit_length()
    scaled = numerator << shift if shift >= 0 else numerator
    divisor = denominator if shift >= 0 else denominator << -shift
    whole = -(-scaled // divisor) if up else scaled // divisor
    return Fraction(whole, 1 << shift) if shift >= 0 else Fraction(whole << -shift)


def add(a: Real, b: Real, bits: int) -> Real:
    """a + b."""
    return outward(a.lo + b.lo, a.hi + b.hi, bits)


def negative(a: Real) -> Real:
    """-a."""
    return Real(-a.hi, -a.lo)


def multiply(a: Real, b: Real, bits: int) -> Real:
    """a * b."""
    ends = (a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi)
    return outward(min(ends), max(ends), bits)


def inverse(a: Real, bits: int) -> Real:
    """1 / a, for an `a` that is known not to be zero."""
    if a.lo <= 0 <= a.hi:
        raise Undecided
    return outward(1 / a.hi, 1 / a.lo, bits)


def sqrt(a: Real, bits: int) -> Real:
    """The square root of `a`, which is known not to be negative."""
    if a.lo < 0:
        raise Undecided
    return Real(_root(a.lo, bits)[0], _root(a.hi, bits)[1])


def _root(value: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Bounds on a square root, equal where it is rational."""
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    if top * top == value.numerator and bottom * bottom == value.denominator:
        exact = Fraction(top, bottom)
        return exact, exact
    shift = max(0, bits + (value.denominator.bit_length() - value.numerator.bit_length()) // 2 + 1)
    root = isqrt((value.numerator << (2 * shift)) // value.denominator)
    return Fraction(root, 1 << shift), Fraction(root + 1, 1 << shift)


def log(a: Real, bits: int) -> Real:
    """The natural logarithm of `a`, which is known to be positive."""
    if a.lo <= 0:
        raise Undecided
    low = _log(a.lo, bits)
    return outward(low.lo, low.hi if a.exact else _log(a.hi, bits).hi, bits)


def _log(value: Fraction, bits: int) -> Real:
    """ln(value) = k ln 2 + 2 atanh((m-1)/(m+1)) with value = m 2^k and m within [2/3, 4/3]."""
    if value == 1:
        return Real(Fraction(0), Fraction(0))
    power = value.numerator.bit_length() - value.denominator.bit_length()
    m = value / 2**power if power >= 0 else value * 2**-power
    while m > Fraction(4, 3):
        m, power = m / 2, power + 1
    while m < Fraction(2, 3):
        m, power = m * 2, power - 1
    offset = abs(m - 1)
    nearness = offset.denominator.bit_length() - offset.numerator.bit_length() if offset else 0
    work = bits + GUARD + nearness
    total, error = _atanh((m - 1) / (m + 1), work)
    result = Real(Fraction(2 * (total - error), 1 << work), Fraction(2 * (total + error), 1 << work))
    if not power:
        return result
    shift = multiply(log_two(work), Real.of(power), work)
    return Real(result.lo + shift.lo, result.hi + shift.hi)


@lru_cache(maxsize=16)
def log_two(bits: int) -> Real:
    """ln 2 = 2 atanh(1/3)."""
    work = bits + GUARD
    total, error = _atanh(Fraction(1, 3), work)
    return Real(Fraction(2 * (total - error), 1 << work), Fraction(2 * (total + error), 1 << work))


def _atanh(z: Fraction, work: int) -> tuple[int, int]:
    """atanh(z) in units of 2^-work, and a bound on the error, for |z| <= 1/3.

    Each term is off by less than 3 units: one each for z^2, for the running power and for the division; what
    is left out after the power reaches zero is below a geometric tail of 2 more.
    """
    fixed = (z.numerator << work) // z.denominator
    square = (fixed * fixed) >> work
    total, power, odd = fixed, fixed, 1
    while power not in (0, -1):
        power = (power * square) >> work
        odd += 2
        total += power // odd
    return total, 2 * odd + 8


def exp(a: Real, bits: int) -> Real:
    """e to the `a`."""
    low = _exp(a.lo, bits)
    return outward(low.lo, low.hi if a.exact else _exp(a.hi, bits).hi, bits)


def _exp(value: Fraction, bits: int) -> Real:
    """e^value = 2^k e^r, r = value - k ln 2, by its Taylor series."""
    if not value:
        return Real.of(1)
    two = log_two(64)
    power = round(value / two.lo)
    work = bits + GUARD + abs(power).bit_length()
    two = log_two(work + abs(power).bit_length())
    ends = (value - power * two.lo, value - power * two.hi)
    lo, hi = _taylor(min(ends), work)[0], _taylor(max(ends), work)[1]
    scale = Fraction(2) ** power
    return Real(lo * scale, hi * scale)


def _taylor(r: Fraction, work: int) -> tuple[Fraction, Fraction]:
    """Bounds on e^r for |r| <= 1/2: every term is off by less than two units of 2^-work."""
    fixed = (r.numerator << work) // r.denominator
    total = term = 1 << work
    count = 0
    while term not in (0, -1):
        count += 1
        term = ((term * fixed) >> work) // count
        total += term
    error = 4 * count + 8
    return Fraction(total - error, 1 << work), Fraction(total + error, 1 << work)
