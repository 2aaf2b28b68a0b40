"""The values of a sweep, kept as parts that know how many they are and can give any one of them.

No list of values is ever made: a sweep of 10^12 points is as cheap to declare as one of ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Final, NamedTuple, TypeAlias

from dsl.checking import intervals
from dsl.checking.evaluate import BITS
from dsl.checking.spelling import expression, rational
from dsl.numbers import Real
from dsl.reading.syntax import Call, Exact, Expr
from dsl.scenario import Sweep

DIGITS: Final = 6  # significant, of a point between the ends of a `log` range


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
        chosen = [part.at(digit) for part, digit in zip(self.arguments, digits(index, self.arguments), strict=True)]
        return self.call._replace(arguments=tuple(chosen))

    @property
    def text(self) -> str:
        """Its canonical form."""
        return f"{self.call.name.text}({', '.join(part.text for part in self.arguments)})"


Part: TypeAlias = One | Steps | Ratio | Product


def digits(index: int, parts: Sequence[Part | Sweep]) -> list[int]:
    """The index of a product as one index for each factor."""
    found = []
    for part in reversed(parts):
        index, digit = divmod(index, part.size)
        found.append(digit)
    return found[::-1]


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
