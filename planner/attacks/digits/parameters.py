"""Parameters of blocks of digits."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.parameters import Parameters, blocks_of
from planner.channel.conditions import COLUMN_A_CLASS, LOGARITHMIC, Condition


@dataclass(frozen=True, eq=False, repr=False)
class DigitBlock(Parameters):
    """A block of labels of K classes a query; row i predicts class k with probability rows[i][k].

    Rows ascend: the step between two classes of a row exceeds the spread of all rows before it.
    """

    kind = "digit_block"
    tilted = True  # read from the largest row down, by tilted thresholds
    rows: tuple[tuple[Fraction, ...], ...]

    @property
    def m(self) -> int:
        """Labels a query."""
        return len(self.rows)

    @property
    def told(self) -> int:
        """As many as the shortest row has levels."""
        return min(map(len, self.rows), default=1)

    @property
    def listed(self) -> int | None:
        """A query a block."""
        return blocks_of(self.labels, self.m)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A level a class."""
        return (LOGARITHMIC, COLUMN_A_CLASS)

    @property
    def fixes(self) -> dict[str, str]:
        """Rows are submitted as they are written."""
        return {"K": f"{self.told}"}
