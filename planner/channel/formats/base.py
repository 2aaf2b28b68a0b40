"""What a number format is to the mathematics: which numbers it holds, and how far its roundings move them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any, ClassVar

from flint import arb

from planner.numerics.reals import Term


class Format(ABC):
    """One format. The defaults are the safe ones: a format that says nothing holds no number and bounds no error."""

    kind: ClassVar[type]
    """The value of the language that it stands for."""
    known: ClassVar[bool] = False  # a format that is finished says so
    exact: ClassVar[bool] = False  # real numbers, no rounding at all
    floating: ClassVar[bool] = False  # rounded relatively
    fixed: ClassVar[bool] = False  # multiples of one step

    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    @abstractmethod
    def text(self) -> str:
        """The format by its name and its bits, as facts are compared."""

    @property
    @abstractmethod
    def described(self) -> str:
        """The format in a few words, as refusals say it."""

    @property
    def unit(self) -> Fraction:
        """The relative error of one correctly rounded operation; 0 where none is relative."""
        return Fraction(0)

    @property
    def fraction_bits(self) -> int:
        """Bits after the point of a fixed grid; 0 for every other format."""
        return 0

    def half_step(self) -> arb:
        """By how much rounding a score to the format's own grid moves it at most."""
        return arb.pos_inf()

    def least(self) -> Fraction | None:
        """The smallest positive number that is as precise as the others; None: there is none."""
        return None

    def largest(self) -> int | None:
        """No finite number is larger; None: there is no largest."""
        return None

    def round_down(self, wanted: Fraction) -> Fraction | None:
        """The largest positive number of the format that is not above `wanted`."""
        return None

    def holds(self, number: Fraction) -> bool:
        """Whether a number between 0 and 1 is one of the format's."""
        return False

    def answers(self, interval: Term | None, least: Term, largest: Term | None) -> tuple[int, str] | None:
        """How many scores lie in an interval of this length (None: of any length), and why; None: any number.

        It lies above 0 and between `least` and `largest`, but for 0 itself; None: it may lie anywhere.
        """
        return None


class Unknown(Format):
    """A format that no kind describes: nothing is known of it."""

    kind = object

    @property
    def text(self) -> str:
        """A name that equals no other."""
        return f"unknown: {type(self.value).__name__}"

    @property
    def described(self) -> str:
        """The same."""
        return self.text


def scale_for(value: Fraction, digits: int) -> int:
    """The power of two at which `value` < 1 has `digits` significant binary digits."""
    shift = value.denominator.bit_length() - value.numerator.bit_length()
    if value.numerator << shift < value.denominator:
        shift += 1
    return int(2 ** (shift + digits - 1))


def floor_at(wanted: Fraction, scale: int) -> Fraction | None:
    """The largest positive multiple of 1/scale that is not above `wanted`."""
    steps = wanted.numerator * scale // wanted.denominator
    return Fraction(steps, scale) if steps else None
