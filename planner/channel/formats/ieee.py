"""IEEE 754 binary formats: numbers of one relative precision."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Ieee
from planner.channel.formats.base import Format, floor_at, scale_for
from planner.numerics.reals import Term, ball, lower, upper

SIGNIFICAND = {16: 11, 32: 24, 64: 53}  # bits, the hidden one included
SMALLEST_NORMAL = {16: 14, 32: 126, 64: 1022}  # 2^-this
LARGEST = {16: 2**16 - 2**5, 32: 2**128 - 2**104, 64: 2**1024 - 2**971}  # finite
UNDERFLOWS = (
    4  # half of the least number there is, for charges, mean and noise each; a factor of noise doubles it at most
)
LEAST_EXPONENT = 1022  # of float64: what an attacker writes is written as float64


class IeeeFormat(Format):
    """float16, float32 or float64."""

    kind = Ieee
    known = True
    floating = True
    value: Ieee

    @property
    def text(self) -> str:
        """Its name."""
        return f"float{self.value.bits}"

    @property
    def described(self) -> str:
        """The same."""
        return self.text

    @property
    def significand(self) -> int:
        """Binary digits, the hidden one included."""
        return SIGNIFICAND[self.value.bits]

    @property
    def unit(self) -> Fraction:
        """2^-significand: half the distance of two neighbours, relative to the smaller."""
        return Fraction(1, 2**self.significand)

    def half_step(self) -> arb:
        """What a float hides grows with the score, but for numbers below the least normal one, which are on a grid.

        Charges are computed as float64, where none is that small: what is written as a prediction is a normal number.
        """
        narrow = self.value.bits < 64
        return ball(UNDERFLOWS * Fraction(2) ** (1 - self.significand - SMALLEST_NORMAL[self.value.bits]) * narrow)

    def least(self) -> Fraction | None:
        """The smallest normal number."""
        return Fraction(1, 2 ** SMALLEST_NORMAL[self.value.bits])

    def largest(self) -> int | None:
        """The largest finite number."""
        return LARGEST[self.value.bits]

    def round_down(self, wanted: Fraction) -> Fraction | None:
        """To the significand's digits, towards 0."""
        return floor_at(wanted, scale_for(wanted, self.significand)) if wanted > 0 else None

    def holds(self, number: Fraction) -> bool:
        """Normal numbers of so many digits that float64 holds, too."""
        least = self.least()
        assert least is not None
        digits = number.denominator.bit_length() - 1 <= LEAST_EXPONENT + self.significand
        return bool(number >= least and self.round_down(number) == number and digits)

    def answers(self, interval: Term | None, least: Term, largest: Term | None) -> tuple[int, str] | None:
        """As many as there are bit patterns: in all, or from the least score on, where they are densest; and two zeros."""
        bits = self.value.bits
        if interval is None or largest is None:
            return 2**bits, f"{bits}-bit scores"
        low = lower(least())
        high = min(upper(largest()), low + upper(interval()))
        return self.place(high) - self.place(low) + 4, f"{bits}-bit scores from the least that a submission can get"

    def place(self, number: Fraction) -> int:
        """How many positive numbers of the format are not above this one: the bit pattern of the one just below."""
        if number <= 0:
            return 0
        exponent = number.numerator.bit_length() - number.denominator.bit_length()
        exponent -= number < Fraction(2) ** exponent
        smallest = -SMALLEST_NORMAL[self.value.bits]
        exponent = max(exponent, smallest)
        digits = self.significand - 1
        above: int = (exponent - smallest) << digits
        return above + int(number / Fraction(2) ** (exponent - digits))
