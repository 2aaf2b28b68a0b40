"""Parameters of blocks among rows of ones."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.digits.parameters import DigitBlock
from planner.channel.conditions import ANY_SUMS, LOGARITHMIC, Condition


@dataclass(frozen=True, eq=False, repr=False)
class OnesBlock(DigitBlock):
    """A block of labels a query, K entries a row that need not sum to 1; every other row gives `idle` to all classes."""

    kind = "ones_block"
    idle: Fraction

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Rows are charged as they are."""
        return (LOGARITHMIC, ANY_SUMS)
