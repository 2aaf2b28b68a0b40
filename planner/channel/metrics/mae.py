"""Mean absolute error of classes 0 and 1: a row charges |u - y|.

Between 0 and 1 the weight of a row is 1 - 2u, as of the Brier score; a label pays (1 + w)/2 for a weight w against it, and
(1 - w)/2 for one in its favour. So rows whose labels are not known shift a sum of charges by nothing that could be counted
on: as many labels save as pay. Comparisons that need such rows are refused by their own inequality.
"""

from __future__ import annotations

from fractions import Fraction
from math import fsum
from typing import Any

from flint import arb

from planner.channel.metrics.base import Level
from planner.channel.metrics.mse import Mse
from planner.channel.sides import Sides
from planner.numerics.reals import ball


class Mae(Mse):
    """The mean of |u - y|; its roundings are fewer than those of a square."""

    id = "mae"
    title = "the mean absolute error"
    predictions = ("real", "probability")
    free = False
    about_half = True

    # -- charges -------------------------------------------------------------------------------------

    def neutral_charge(self, classes: int) -> arb:
        """1/2."""
        return arb(1) / 2

    def light(self, p: Fraction) -> arb:
        """p."""
        return ball(p)

    def heavy(self, p: Fraction) -> arb:
        """1 - p."""
        return ball(1 - p)

    # -- rows of a design --------------------------------------------------------------------------------

    def heaviest(self, channel: Any, largest: arb) -> arb:
        """(1 + w)/2."""
        return (1 + largest) / 2

    def total(self, xp: Any, predictions: Any, rows: Any = None) -> Fraction:
        """The sum of 1 - q, q what the label's own class was given."""
        return Fraction(fsum(1 - predictions))

    def corner_rest(self, weight: arb, dear: int, cheap: int) -> arb:
        """(1 - w)/2."""
        return (1 - weight) / 2

    def heavy_float(self, small: Fraction) -> float:
        """1 - p."""
        return float(1 - small)

    # -- rows of few levels ---------------------------------------------------------------------------

    def payment(self, w: float, own: int, other: int) -> float:
        """(1 + w)/2."""
        return (1 + w) / 2

    def saving(self, w: float) -> float:
        """(1 - w)/2."""
        return (1 - w) / 2

    def slope(self, w: float, own: int, other: int) -> float:
        """1/2."""
        return 0.5

    def payment_range(self, least: arb, most: arb, ratio: Fraction) -> arb:
        """Half the difference."""
        return (most - least) / 2

    def payment_range_float(self, least: float, most: float, ratio: float) -> float:
        """The same as a float64."""
        return (most - least) / 2

    def level(self, weight: float, columns: int, sides: Sides) -> Level:
        """u = (1 + w)/2: label 0 is charged u, label 1 is charged 1 - u."""
        u = (1 + weight) / 2
        return Level(1 - u, u, u, 1 - u)

    def even_charge(self, classes: int) -> float:
        """1/2."""
        return 0.5


MAE = Mae()
