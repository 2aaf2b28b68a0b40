"""Fixed point: multiples of one step, the paper's FPA(phi)."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import FixedPoint
from planner.channel.formats.base import Format, floor_at
from planner.numerics.reals import Term, upper


class FixedFormat(Format):
    """`fraction_bits` after the point, `integer_bits` before it, and a sign."""

    kind = FixedPoint
    known = True
    fixed = True
    value: FixedPoint

    @property
    def text(self) -> str:
        """Its name and its bits."""
        return f"fixed({self.value.integer_bits}, {self.value.fraction_bits})"

    @property
    def described(self) -> str:
        """In a few words."""
        return f"{self.value.fraction_bits} bits after the point, {self.value.integer_bits} before"

    @property
    def fraction_bits(self) -> int:
        """Bits after the point."""
        return self.value.fraction_bits

    def half_step(self) -> arb:
        """Half of 2^-fraction_bits."""
        return arb(2) ** -(self.value.fraction_bits + 1)

    def least(self) -> Fraction | None:
        """One step."""
        return Fraction(1, 2**self.value.fraction_bits)

    def largest(self) -> int | None:
        """What the bits before the point reach."""
        return int(2**self.value.integer_bits)

    def round_down(self, wanted: Fraction) -> Fraction | None:
        """Whole steps."""
        return floor_at(wanted, 2**self.value.fraction_bits) if wanted > 0 else None

    def holds(self, number: Fraction) -> bool:
        """Multiples of the step."""
        denominator = number.denominator
        return denominator.bit_count() == 1 and denominator.bit_length() <= self.value.fraction_bits + 1

    def answers(self, interval: Term | None, least: Term, largest: Term | None) -> tuple[int, str] | None:
        """One for each step of the interval and one for either end, and no more than the format has in all."""
        bits = self.value.integer_bits + self.value.fraction_bits + 1
        if interval is None:
            return 2**bits, f"{bits}-bit scores"
        length = interval()
        steps = 1 if length == 0 else int(upper(length * 2**self.value.fraction_bits)) + 2
        return min(2**bits, steps), "the fixed-point grid over what one submission can be scored"
