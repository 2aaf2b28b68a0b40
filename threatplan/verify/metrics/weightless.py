"""Metrics of which no row charges anything by itself: what asks for rows of some weight is told that there are none."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from threatplan.verify.intervals import MINUS_INFINITY, ZERO, Interval
from threatplan.verify.metrics.base import Metric

if TYPE_CHECKING:
    from threatplan.verify.channel import Channel


class Weightless(Metric):
    """Rows that weigh nothing."""

    logarithmic = False
    clips = False
    weighs = False
    adds = False

    def even(self, classes: int) -> Interval:
        """Nothing."""
        return ZERO

    def light(self, p: Fraction) -> Interval:
        """Nothing."""
        return ZERO

    def heavy(self, p: Fraction) -> Interval:
        """Nothing."""
        return ZERO

    def weight(self, p: Fraction) -> Interval:
        """Nothing that could be told."""
        return MINUS_INFINITY

    def lists(self, p: Fraction) -> bool:
        """No record lists predictions."""
        return False

    def carries(self, c: Channel, p: Fraction) -> bool:
        """The same."""
        return False

    def reach(self, c: Channel) -> Interval:
        """None."""
        return ZERO

    def stage_reach(self, c: Channel, classes: int, digits: int) -> Interval:
        """None."""
        return MINUS_INFINITY

    def span(self, c: Channel) -> Interval | None:
        """Rows charge nothing by themselves."""
        return None

    def largest_charge(self, c: Channel, span: Interval) -> Interval:
        """1, where rows are worth anything."""
        return span

    def largest_loss(self, c: Channel, span: Interval) -> Interval:
        """Twice that is more than any error of computing it."""
        return 2 * span

    def least_loss(self, c: Channel) -> Interval | None:
        """None that is of use."""
        return None

    def shows_infinity(self, c: Channel) -> bool:
        """Never."""
        return False

    def written(self, c: Channel) -> Fraction:
        """Nothing is lost in writing."""
        return Fraction(0)
