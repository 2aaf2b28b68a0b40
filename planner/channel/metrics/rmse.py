"""Root of the mean squared error: sqrt(S/N), S the sum of (u - y)^2.

The root is concave: sums that differ by a gap are scored nearest to each other where they are largest. With weights g, 2g,
4g, .. and g beyond all bounds that is g/(2 sqrt(N C)), C about g^2 (4^m - 1)/12: however large the gap, m labels are told
to an error of 10^-d/2 only while 4^m - 1 < 3 * 10^(2d)/N.

By the triangle inequality two labelings that differ in one label are scored within 1/sqrt N of each other, whatever is
submitted.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

from flint import arb

from planner.channel.formats.summation import additions
from planner.channel.metrics.squares import SquaresMetric
from planner.numerics.reals import ball

if TYPE_CHECKING:
    from planner.channel.channel import Channel

# Of a mean of squares, relative to it: a difference, which counts twice, its square, and one more to spare. A root halves
# that, and is rounded itself: 5 units are more than all of it.
CHARGE_UNITS = 5
MOVED_UNITS = 8  # of a score that is at most 1, beside the additions: charges, division, root and its rounding
ROOT_BITS = 64


class Rmse(SquaresMetric):
    """sqrt(S/N)."""

    id = "rmse"
    title = "the root of the mean squared error"

    def apart(self, channel: Channel, gap: Fraction, largest: Fraction) -> arb:
        """sqrt(C/N) - sqrt((C - g)/N)."""
        if largest < gap:
            return arb(0)
        return ball(largest / channel.scored).sqrt() - ball((largest - gap) / channel.scored).sqrt()

    def error(self, channel: Channel, queries: int, largest: Fraction) -> arb:
        """Of the largest score."""
        return channel.errors(queries).score_error(ball(largest / channel.scored).sqrt())

    def sums(self, score: Fraction, error: Fraction, N: int, n1: int | None) -> tuple[Fraction, Fraction]:
        """N s^2 at both ends."""
        return N * max(score - error, Fraction(0)) ** 2, N * max(score + error, Fraction(0)) ** 2

    # -- what limits ask -----------------------------------------------------------------------------------

    def scores_within(self, channel: Channel) -> arb | None:
        """Between 0 and 1, as they are computed, if predictions are."""
        moved = self.moved(channel)
        return 1 + 2 * ball(moved) if channel.predictions == "probability" and moved is not None else None

    def pair(self, N: int) -> Fraction | None:
        """1/sqrt N, rounded up: any two neighbours."""
        return Fraction(isqrt(N << 2 * ROOT_BITS) + 1, N << ROOT_BITS)

    # -- the error of computing a score --------------------------------------------------------------------

    def charge_error(self, channel: Channel) -> Fraction | None:
        """Differences, squares, and the root of their mean."""
        return CHARGE_UNITS * channel.scores.unit

    def moved(self, channel: Channel) -> Fraction | None:
        """Of scores up to 1; those of any numbers are off by any amount, unless they are exact."""
        if channel.predictions != "probability" and not channel.scores.exact:
            return None
        return 2 * (additions(channel.scored, channel.summation) + MOVED_UNITS) * channel.scores.unit


RMSE = Rmse()
