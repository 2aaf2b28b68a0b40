"""Arbitrary precision: real numbers, the paper's APA."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Arbitrary
from planner.channel.formats.base import Format, floor_at, scale_for

FREE_BITS = 128  # relative precision that an attacker with arbitrary precision chooses to write down


class ArbitraryFormat(Format):
    """Every real number, as it is."""

    kind = Arbitrary
    known = True
    exact = True

    @property
    def text(self) -> str:
        """Its name."""
        return "arbitrary"

    @property
    def described(self) -> str:
        """In a few words."""
        return "arbitrary precision"

    def half_step(self) -> arb:
        """Nothing is rounded."""
        return arb(0)

    def round_down(self, wanted: Fraction) -> Fraction | None:
        """To as many digits as an attacker cares to write."""
        return floor_at(wanted, scale_for(wanted, FREE_BITS)) if wanted > 0 else None

    def holds(self, number: Fraction) -> bool:
        """Every number."""
        return True
