"""Mean squared error of labels 0 and 1: what the Brier score charges, of any number.

Integer labels make doubles of every difference: of narrower formats nothing is said. Of predictions that need not lie within
[0, 1] no charge is bounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from threatplan.verify.formats import Kind
from threatplan.verify.intervals import Interval
from threatplan.verify.metrics.brier import Brier

if TYPE_CHECKING:
    from threatplan.verify.channel import Channel


class Mse(Brier):
    """The mean of (u - y)^2."""

    name = "mse"
    predictions = ("real", "probability")

    def knows(self, c: Channel) -> bool:
        """Two classes, computed in doubles or exactly."""
        return super().knows(c) and wide(c.precision) and wide(c.score_precision)

    def span(self, c: Channel) -> Interval | None:
        """No number is too large where any is taken."""
        return super().span(c) if c.predictions == "probability" else None


def wide(format: Kind) -> bool:
    """float64, or all digits."""
    return format.name == "arbitrary" or (format.name == "ieee" and format.bits == 64)


MSE = Mse()
