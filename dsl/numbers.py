"""Numbers of the language: rationals kept exact, irrationals as rigorous enclosures."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dsl.alike import ByFields


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Real(ByFields):
    """A real number known to lie in [lo, hi]; both ends are equal when it is known exactly."""

    lo: Fraction
    hi: Fraction

    @classmethod
    def of(cls, value: int | Fraction | str) -> Real:
        """The exact number `value`."""
        exact = Fraction(value)
        return cls(exact, exact)

    @property
    def exact(self) -> bool:
        """Whether the number is a known rational."""
        return self.lo == self.hi

    def __str__(self) -> str:
        return str(self.lo) if self.exact else f"[{float(self.lo)!r}, {float(self.hi)!r}]"
