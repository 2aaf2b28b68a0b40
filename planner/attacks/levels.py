"""Rows of a submission as they really are: float64 probabilities, and what each label is charged for them.

A question splits the classes in two sides; "label 1" stands for any class of the one side. A prediction is encoded
on its small side: the smaller probability p is computed directly, and with a column a class every entry is
submitted. With one column a prediction near 1 lies on the grid of 2^-53, so 1 - u is not the p that was wanted;
charges are those of the p that was realised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, log1p
from typing import TYPE_CHECKING, Any

from planner.designs.sides import BINARY, Sides

if TYPE_CHECKING:
    from numpy.typing import NDArray

LN2 = log(2)


@dataclass(frozen=True, slots=True)
class Level:
    """One prediction, and the charges of the two sides for it."""

    off: float  # probability of each class on the side of label 0
    on: float  # probability of each class on the side of label 1
    zero: float  # charge of label 0
    one: float  # charge of label 1

    @property
    def weight(self) -> float:
        """Log-odds of a class on the side of label 1 against one on the other."""
        return self.zero - self.one

    @property
    def small(self) -> float:
        """The smaller probability."""
        return min(self.off, self.on)

    def entries(self, columns: int, sides: Sides = BINARY) -> tuple[float, ...]:
        """The row as submitted: the probability of class 1, or those of all classes."""
        return (self.on,) if columns == 1 else tuple(self.on if side else self.off for side in sides)


EVEN = Level(0.5, 0.5, LN2, LN2)
"""The prediction of two classes that charges both labels alike."""


def level(weight: float, columns: int, sides: Sides = BINARY) -> Level:
    """The prediction nearest to the given log-odds of the side of label 1."""
    if len(sides) > len(BINARY):
        return _side_level(weight, sides)
    if weight == 0:
        return EVEN
    odds = exp(-abs(weight))
    small = odds / (1 + odds)
    if columns == 1 and weight > 0:
        small = 1 - (1 - small)  # what is left of p once 1 - p is a float64; the outer difference is exact
    high, low = -log(small), -log1p(-small)
    return Level(small, 1 - small, high, low) if weight > 0 else Level(1 - small, small, low, high)


def _side_level(weight: float, sides: Sides) -> Level:
    """The prediction of several classes, alike within a side."""
    ones = sum(sides)
    zeros = len(sides) - ones
    if weight >= 0:
        on = 1 / (ones + zeros * exp(-weight))
        off = exp(-weight) * on
    else:
        off = 1 / (zeros + ones * exp(weight))
        on = exp(weight) * off
    return Level(off, on, -log(off), -log(on))


@dataclass(frozen=True)
class Rows:
    """A submission: each row's level, by number."""

    levels: Sequence[Level]
    codes: NDArray[Any]
    sides: Sides = BINARY

    def submission(self, columns: int) -> NDArray[Any]:
        """The probabilities, of shape (N,) or (N, K)."""
        import numpy as np

        table = np.array([each.entries(columns, self.sides) for each in self.levels])
        chosen: NDArray[Any] = table[self.codes]
        return chosen[:, 0] if columns == 1 else chosen
