"""Parameters of blocks: how each label of a block is weighed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.parameters import Parameters, blocks_of
from planner.channel.conditions import EXACT_PREDICTIONS, LOGARITHMIC, TWO_CLASSES, Condition


@dataclass(frozen=True, eq=False, repr=False)
class ListedBlock(Parameters):
    """A block of labels a query, each with its own small probability of class 1; all other rows are uniform.

    `rows` ascend in weight ln((1-p)/p). With core = 0 each weight exceeds the sum of the smaller ones. Otherwise the
    weights are near multiples of one gap, the multiples being 1, 2, 4, ... and then the Conway-Guy set of `core`
    elements times the next power of two.
    """

    kind = "listed_block"
    told = 2
    rows: tuple[Fraction, ...]
    core: int = 0

    @property
    def listed(self) -> int | None:
        """A query a block."""
        return blocks_of(self.labels, self.m)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A weight a label."""
        return (TWO_CLASSES,)

    @property
    def m(self) -> int:
        """Labels a query."""
        return len(self.rows)

    @property
    def tilted(self) -> bool:
        """Powers of two are read from the largest down by tilted thresholds; levels of a set are rounded to."""
        return self.core == 0


@dataclass(frozen=True, eq=False, repr=False)
class GeometricOdds(Parameters):
    """A block of m labels a query with odds base^(exponent * 2^i), i < m: rational, of any size."""

    kind = "geometric_odds"
    tilted = True  # read from the largest down, by tilted thresholds
    told = 2
    m: int
    base: int
    exponent: int

    @property
    def listed(self) -> int | None:
        """A query a block."""
        return blocks_of(self.labels, self.m)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The odds are rationals of any length."""
        return (LOGARITHMIC, TWO_CLASSES, EXACT_PREDICTIONS)


@dataclass(frozen=True, eq=False, repr=False)
class DyadicWeights(Parameters):
    """A block of m labels with log-odds near 2^(i-m+1-shift), i < m, from probabilities of `bits` binary digits."""

    kind = "dyadic_weights"
    told = 2
    m: int
    bits: int
    shift: int

    @property
    def listed(self) -> int | None:
        """A query a block."""
        return blocks_of(self.labels, self.m)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The probabilities have as many digits as the record says."""
        return (LOGARITHMIC, TWO_CLASSES, EXACT_PREDICTIONS)


BlockRecord = ListedBlock | GeometricOdds | DyadicWeights
"""The three ways to describe a block."""
