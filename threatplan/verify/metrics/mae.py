"""Mean absolute error of labels 0 and 1: a row with prediction u within [0, 1] charges label 0 u, and label 1 1 - u.

Against a weight w a label pays (1+w)/2, with it (1-w)/2: together 1, whatever w is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from threatplan.verify.intervals import Interval, real
from threatplan.verify.metrics.mse import Mse

if TYPE_CHECKING:
    from threatplan.verify.channel import Channel


class Mae(Mse):
    """The mean of |u - y|: one rounding, where a square has three."""

    name = "mae"
    predictions = ("real", "probability")

    def even(self, classes: int) -> Interval:
        """1/2."""
        return real(Fraction(1, 2))

    def light(self, p: Fraction) -> Interval:
        """p."""
        return real(p)

    def heavy(self, p: Fraction) -> Interval:
        """1 - p."""
        return real(1 - p)

    def heaviest(self, c: Channel, largest: Interval) -> Interval:
        """(1+x)/2."""
        return (1 + largest) / 2

    def corner_rest(self, weight: Interval, dear: int, cheap: int) -> Interval:
        """(1-w)/2."""
        return (1 - weight) / 2

    def payment_range(self, least: Interval, most: Interval, ratio: Fraction) -> Interval:
        """Half of the difference."""
        return (most - least) / 2

    def float_payment_range(self, least: float, most: float, ratio: float) -> float:
        """As the attacker reckons it."""
        return (most - least) / 2

    def float_even(self, classes: int) -> float:
        """1/2."""
        return 0.5

    def float_payment(self, w: float) -> float:
        """(1+w)/2."""
        return (1 + w) / 2


MAE = Mae()
