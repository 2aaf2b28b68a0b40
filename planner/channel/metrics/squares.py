"""Metrics that are functions of the sum of squared errors: its root, or a share of what the labels vary by.

A row at u charges label 1 by 1 - 2u more than label 0, as under the squared error itself, but a score is no mean of charges:
what an error of a score does to the sum behind it depends on the sum. `apart` is by how much scores of two sums differ at
least, `error` how far a score may be off, and `sums` which sums may be behind a score.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from flint import arb

from dsl.scenario import Arbitrary, Ieee
from planner.channel.metrics.weightless import WeightlessMetric

if TYPE_CHECKING:
    from planner.channel.channel import Channel

WIDE = (Ieee(64), Arbitrary())  # scikit-learn widens what comes in fewer bits, since its labels are integers


class SquaresMetric(WeightlessMetric):
    """A score that is made of the sum of (u - y)^2 alone, or of it and the number of ones."""

    known = True
    squares = True
    predictions = ("real", "probability")
    needs_ones: ClassVar[bool] = (
        False  # whether a sum is read off a score only by somebody who knows how many labels are 1
    )

    def unknown(self, channel: Channel) -> tuple[str, ...]:
        """Two classes in one column, in float64 or exactly; nor is it known what a clip would mean."""
        known = (
            ("K", channel.classes == 2),
            ("columns", channel.columns == 1),
            ("phi", channel.precision in WIDE),
            ("score_phi", channel.score_precision in WIDE),
            ("clip", channel.clip is None),
        )
        return tuple(field for field, is_known in known if not is_known)

    # -- scores of sums ----------------------------------------------------------------------------------

    def apart(self, channel: Channel, gap: Fraction, largest: Fraction) -> arb:
        """Scores of two sums, none above `largest`, that differ by `gap` differ by this at least, whatever n1 is."""
        return arb(0)

    def error(self, channel: Channel, queries: int, largest: Fraction) -> arb:
        """How far a shown score is off at most, in the units of `apart`, where no sum is above `largest`."""
        return arb.pos_inf()

    def sums(self, score: Fraction, error: Fraction, N: int, n1: int | None) -> tuple[Fraction, Fraction]:
        """The least and the largest sum whose score is within `error` of the one that was seen."""
        raise ValueError(f"{self.id} tells no sum")

    # -- as any metric -----------------------------------------------------------------------------------

    def prepared(self, channel: Channel) -> Fraction | None:
        """All of its errors grow with the score."""
        return Fraction(0)
