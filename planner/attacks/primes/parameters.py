"""Parameters of attacks by primes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from planner.attacks.parameters import Parameters, blocks_of
from planner.channel.conditions import COLUMN_A_CLASS, EXACT_PREDICTIONS, LOGARITHMIC, Condition


@dataclass(frozen=True, eq=False, repr=False)
class PrimePowers(Parameters):
    """A block of m labels a query whose odds are powers 0..`powers` of the first m primes.

    Two classes need one power. With more classes, each query looks at `powers` classes at a time, and all other
    classes share the power 0. Predictions are rounded to `bits` binary digits; None: they are exact rationals.
    """

    kind = "prime_powers"
    m: int
    powers: int
    class_blocks: int
    decoder: Literal["nearest", "divide"]
    exact: bool

    @property
    def told(self) -> int:
        """Those of all class blocks, and the class that none of them looks at."""
        return self.powers * self.class_blocks + 1

    @property
    def listed(self) -> int | None:
        """A query for each block of labels and of classes."""
        return blocks_of(self.labels, self.m) * self.class_blocks

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Exact rationals are submitted as they are."""
        common = (LOGARITHMIC, COLUMN_A_CLASS)
        return (*common, EXACT_PREDICTIONS) if self.exact else common
