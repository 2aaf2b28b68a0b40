"""What is shown of a score: all of it, a number of decimals, digits that are cut off, significant digits."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Decimals, Percentage, Significant, Truncated
from planner.channel.mechanisms.base import Digits, Reduction
from planner.numerics.reals import Term, ball, lower, upper

DECIMALS = Reduction(
    "decimals",
    "Shown digits as bounded noise",
    "section 4, remark on tau and precision",
    "A score rounded to d decimals is off by at most half a unit of the last place, whatever else is added; so is one that "
    "is cut off, once half a unit is added to it.",
)


class Full(Digits):
    """Every digit."""

    kind = type(None)
    known = True
    roundings = 0

    @property
    def text(self) -> str:
        """As facts are compared."""
        return "full"

    def half_unit(self) -> arb:
        """Nothing is hidden."""
        return arb(0)


class Rounded(Digits):
    """To the nearest multiple of a decimal; of two that are as near, either may be shown."""

    kind = Decimals
    known = True
    steps = True
    value: Decimals

    @property
    def text(self) -> str:
        """As facts are compared."""
        return stepped("truncated" if self.truncates else "rounded", self.unit)

    @property
    def digits(self) -> int:
        """Decimals."""
        return self.value.digits

    @property
    def unit(self) -> Fraction:
        """The last decimal."""
        return Fraction(1, self.parts * 10**self.digits)

    def half_unit(self) -> arb:
        """Half of the last decimal; of what is cut off the attacker adds half a unit."""
        return ball(self.unit / 2)

    def answers(self, interval: Term, largest: Term, least: Term | None) -> tuple[int, str] | None:
        """One for each unit of the interval, and one for either end: of a whole number of units both may be ties."""
        decimals = "1 decimal" if self.digits == 1 else f"{self.digits} decimals"
        units = int(upper(interval() * self.parts * 10**self.digits))
        return units + 2, f"{decimals} over what one submission can be scored"

    def explained(self) -> str:
        """The step in a plan's chain."""
        return f"{self.digits} decimals: half a unit of the last place is part of the error"


class InPercent(Rounded):
    """A percentage, rounded: what is shown of the score is rounded two digits later."""

    kind = Percentage
    roundings = 2  # a hundred times the score is rounded before its digits are: 0.07 * 100 is 7.000000000000001

    def explained(self) -> str:
        """The step in a plan's chain."""
        return f"percent to {self.digits - 2} decimals: half a unit of the last place is part of the error"


class CutOff(Rounded):
    """Cut off after a number of decimals, never rounded up."""

    kind = Truncated  # type: ignore[assignment]
    truncates = True
    roundings = 2  # what is cut off may be cut off a multiple of the score: 0.29 * 100 is 28.999999999999996

    @property
    def centre(self) -> Fraction:
        """Half a unit is lost on average."""
        return -self.unit / 2

    def explained(self) -> str:
        """The step in a plan's chain."""
        return f"cut off after {self.digits} decimals: half a unit is added to every score, half is in the error"


class SignificantDigits(Digits):
    """A number of digits from the first one that is not 0: what is hidden grows with the score."""

    kind = Significant
    known = True
    grows = True
    value: Significant

    @property
    def text(self) -> str:
        """As facts are compared."""
        return f"significant({self.digits})"

    @property
    def digits(self) -> int:
        """Significant ones."""
        return self.value.digits

    def half_unit(self) -> arb:
        """No part of it is constant."""
        return arb(0)

    def relative(self, largest: arb) -> arb:
        """Half a unit of the last digit of the largest score that is rounded, noise included."""
        if not largest.is_finite():
            return arb.pos_inf()
        top = (self.parts * largest).upper()
        if not top > 0:
            return arb(0)
        exponent = int((top.log() / arb(10).log()).upper().floor().unique_fmpz()) + 1
        return arb(10) ** (exponent - self.digits) / (2 * self.parts)

    def answers(self, interval: Term, largest: Term, least: Term | None) -> tuple[int, str] | None:
        """All from a quarter of the least score on, where they are densest, to the largest, and one more at either end.

        Dividing a row by its sum, and rounding, may take half of the least charge, and hardly more. Random noise can bring a
        score as near to 0 as it likes, where it has digits of its own: then there is no least.
        """
        if least is None:
            return None
        low = self.parts * lower(least() / 4)
        high = min(self.parts * upper(largest()), low + self.parts * upper(interval()))
        return self.place(high) - self.place(low) + 3, f"{self.digits} significant digits from the least score on"

    def place(self, number: Fraction) -> int:
        """How many numbers of so many digits are not above this one, counted from 1 on; below 1 they count backwards."""
        exponent = _decade(number)
        leading = int(number / Fraction(10) ** (exponent - self.digits + 1))
        each: int = 10 ** (self.digits - 1)
        return 9 * each * exponent + leading - each

    def explained(self) -> str:
        """The step in a plan's chain."""
        return f"{self.digits} significant digits: half a unit of the last place is part of the error"


def _decade(number: Fraction) -> int:
    """The power of ten of its first digit: about that of its first bit, and then exactly."""
    exponent = (number.numerator.bit_length() - number.denominator.bit_length()) * 3 // 10
    while Fraction(10) ** exponent > number:
        exponent -= 1
    while Fraction(10) ** (exponent + 1) <= number:
        exponent += 1
    return exponent


def stepped(how: str, unit: Fraction) -> str:
    """A rule of steps, as facts are compared: by its decimals, where the step is one."""
    digits = len(str(unit.denominator)) - 1
    return f"{how}({digits})" if unit == Fraction(1, 10**digits) else f"{how} to steps of {unit}"
