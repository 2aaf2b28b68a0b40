"""Metrics whose scores are made of all rows together: no row charges by itself, or weighs one label against another."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.channel.metrics.base import Metric


class WeightlessMetric(Metric):
    """A score that is no sum of charges."""

    def neutral_charge(self, classes: int) -> arb:
        """No row charges anything by itself."""
        return arb(0)

    def light(self, p: Fraction) -> arb:
        """The same."""
        return arb(0)

    def heavy(self, p: Fraction) -> arb:
        """The same."""
        return arb(0)

    def weight(self, p: Fraction) -> arb:
        """Nothing that could be told."""
        return arb.neg_inf()
