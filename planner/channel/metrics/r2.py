"""Coefficient of determination: 1 - S/T, S the sum of (u - y)^2 and T that of (y - mean y)^2, which is n0 n1/N.

Once n1 is known a score tells S to T times its error, and T is at most N/4. All rows at t tell
n1 where t is 1 or large, and else two submissions do, at t and at 1 - t. Labels that are all alike vary by nothing:
scikit-learn shows 1 where they are predicted exactly, and 0 otherwise.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner.channel.formats.summation import additions
from planner.channel.metrics.squares import SquaresMetric
from planner.numerics.reals import ball

if TYPE_CHECKING:
    from planner.channel.channel import Channel

# Relative to 1 + S/T. Of S: a difference, which counts twice, its square, and one to spare; the quotient S/T and its
# difference from 1. Of T, beside its additions: the same 4. That the mean is off by e adds N e^2 to T and, since differences
# from the mean add up to 0, nothing else; T is at least 1/2.
CHARGE_UNITS = 4 + 2 + 4


class RSquared(SquaresMetric):
    """1 - S N/(n0 n1)."""

    id = "r2"
    title = "the coefficient of determination"
    one_class = False
    needs_ones = True

    def apart(self, channel: Channel, gap: Fraction, largest: Fraction) -> arb:
        """The gap itself: scores are taken times T."""
        return ball(gap)

    def error(self, channel: Channel, queries: int, largest: Fraction) -> arb:
        """Times T <= N/4: what is constant, and what grows with 1 + S/T."""
        errors, most = channel.errors(queries), Fraction(channel.scored, 4)
        if channel.digits.grows:
            return arb.pos_inf()  # digits of scores of any size
        return ball(most) * errors.constant() + errors.relative() * ball(most + largest)

    def score(self, total: Fraction, n1: int, N: int) -> Fraction:
        """1 - S N/(n0 n1)."""
        return 1 - total * N / (n1 * (N - n1))

    def sums(self, score: Fraction, error: Fraction, N: int, n1: int | None) -> tuple[Fraction, Fraction]:
        """(1 - s) T, give or take an error that is taken times T already."""
        assert n1 is not None
        middle = (1 - score) * n1 * (N - n1) / N
        return middle - error, middle + error

    # -- the error of computing a score --------------------------------------------------------------------

    def charge_error(self, channel: Channel) -> Fraction | None:
        """Of both sums, and of what is made of them."""
        added, unit = additions(channel.scored, channel.summation), channel.scores.unit
        return (added + CHARGE_UNITS) * unit + 2 * channel.scored * ((added + 2) * unit) ** 2


R2 = RSquared()
