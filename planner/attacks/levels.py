"""Rows of a submission as they really are: float64 probabilities, and what each label is charged for them.

A prediction is encoded on its small side: the smaller probability p is computed directly, and with two columns
both entries are submitted. With one column a prediction near 1 lies on the grid of 2^-53, so 1 - u is not the p
that was wanted; charges are those of the p that was realised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum, log, log1p
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

LN2 = log(2)


@dataclass(frozen=True, slots=True)
class Level:
    """One prediction, and the charges of the two labels for it."""

    small: float  # probability of the less likely class
    likely: int  # the more likely class
    zero: float  # charge of label 0
    one: float  # charge of label 1

    @property
    def weight(self) -> float:
        """Log-odds of class 1."""
        return self.zero - self.one

    def entries(self, columns: int) -> tuple[float, ...]:
        """The row as submitted: the probability of class 1, or both probabilities."""
        if columns == 1:
            return (1 - self.small if self.likely else self.small,)
        return (self.small, 1 - self.small) if self.likely else (1 - self.small, self.small)


EVEN = Level(0.5, 1, LN2, LN2)
"""The prediction that charges both labels alike."""


def level(weight: float, columns: int) -> Level:
    """The prediction nearest to the given log-odds of class 1."""
    if weight == 0:
        return EVEN
    odds = exp(-abs(weight))
    small = odds / (1 + odds)
    if columns == 1 and weight > 0:
        small = 1 - (1 - small)  # what is left of p once 1 - p is a float64; the outer difference is exact
    high, low = -log(small), -log1p(-small)
    return Level(small, 1, high, low) if weight > 0 else Level(small, 0, low, high)


@dataclass(frozen=True)
class Rows:
    """A submission: each row's level, by number."""

    levels: Sequence[Level]
    codes: NDArray[Any]

    def submission(self, columns: int) -> NDArray[Any]:
        """The probabilities, of shape (N,) or (N, 2)."""
        import numpy as np

        table = np.array([each.entries(columns) for each in self.levels])
        chosen: NDArray[Any] = table[self.codes]
        return chosen[:, 0] if columns == 1 else chosen

    def charge(self, skipped: int = 0) -> float:
        """The sum of charges if every label were 0, without the last `skipped` levels."""
        import numpy as np

        counts = np.bincount(self.codes, minlength=len(self.levels))
        kept = len(self.levels) - skipped
        return fsum(int(n) * each.zero for n, each in zip(counts[:kept], self.levels[:kept], strict=True))
