"""Metrics of the sum S of squared errors: its root, sqrt(S/N), and the share of what labels vary by, 1 - S N/(n0 n1).

What is needed of them: how far apart the scores of two sums are that differ by a gap, none above a largest one; how far a
score may be off; both in the same unit, which for the share is n0 n1/N of a score, N/4 at most.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, ClassVar

from threatplan.verify.intervals import INFINITY, ONE, ZERO, Interval, real, sqrt
from threatplan.verify.metrics.mse import wide
from threatplan.verify.metrics.weightless import Weightless

if TYPE_CHECKING:
    from threatplan.verify.channel import Channel

# A squared difference: its rounding twice, the square's, one to spare. The root of their mean has half of these, and its own.
ROOT_ROUNDINGS = 5
ROOT_OF_SHARES = 8  # with additions, of a root of numbers within [0, 1], in absolute terms: twice as much is enough
# For both sums of squares 4; the quotient, and 1 less it. Relative to 1 and the quotient.
SHARE_ROUNDINGS = 10


class Squares(Weightless):
    """A function of a sum of squares."""

    predictions = ("real", "probability")
    ones_first: ClassVar[bool] = False  # whether the number of ones must be known to read a sum off a score

    def knows(self, c: Channel) -> bool:
        """Two classes in one column, in doubles or exactly."""
        return c.K == 2 and c.columns == 1 and wide(c.precision) and wide(c.score_precision) and c.clip is None

    def apart(self, c: Channel, gap: Fraction, largest: Fraction) -> Interval:
        """Of scores of sums that differ by the gap."""
        return ZERO

    def error(self, c: Channel, queries: int, largest: Fraction) -> Interval:
        """Of a score, where no sum exceeds the largest."""
        return INFINITY

    def pair(self, N: int) -> Fraction | None:
        """How far apart two labelings are scored at most."""
        return None

    def length(self, c: Channel) -> Interval | None:
        """Of an interval that holds all scores; None: there is none."""
        return None

    def prepared(self, c: Channel) -> Fraction:
        """Errors grow with scores."""
        return Fraction(0)

    def drift(self, c: Channel) -> Fraction | None:
        """How far a computed score may be off whatever is submitted; None: any amount."""
        return None

    def moved(self, c: Channel) -> Fraction:
        """Asked only where there is such a bound."""
        found = self.drift(c)
        if found is None:
            raise self.weightless()
        return found


class Rmse(Squares):
    """sqrt(S/N): concave in S, so that equal steps of sums are nearest at the top."""

    name = "rmse"

    def apart(self, c: Channel, gap: Fraction, largest: Fraction) -> Interval:
        """The topmost step."""
        if largest < gap:
            return ZERO
        return sqrt(real(largest / c.scored)) - sqrt(real((largest - gap) / c.scored))

    def error(self, c: Channel, queries: int, largest: Fraction) -> Interval:
        """Errors that grow with the score are largest there."""
        return c.score_error(queries, sqrt(real(largest / c.scored)))

    def pair(self, N: int) -> Fraction | None:
        """Vectors of labels that differ in one entry by 1: their distances from anything differ by 1 at most, over sqrt N."""
        return Fraction(isqrt(N << 128) + 1, N << 64)

    def length(self, c: Channel) -> Interval | None:
        """0 to 1 where predictions are."""
        drift = self.drift(c)
        return ONE + 2 * drift if c.predictions == "probability" and drift is not None else None

    def computed(self, c: Channel) -> Fraction:
        """Relative to the score."""
        return ROOT_ROUNDINGS * c.score_unit

    def drift(self, c: Channel) -> Fraction | None:
        """Of roots up to 1."""
        if c.predictions != "probability" and c.ieee_scores:
            return None
        return 2 * (c.additions(c.scored) + ROOT_OF_SHARES) * c.score_unit


class RSquared(Squares):
    """1 - S N/(n0 n1)."""

    name = "r2"
    ones_first = True

    def apart(self, c: Channel, gap: Fraction, largest: Fraction) -> Interval:
        """N gap/(n0 n1) of a score, times n0 n1/N."""
        return real(gap)

    def error(self, c: Channel, queries: int, largest: Fraction) -> Interval:
        """n0 n1/N is N/4 at most; what is relative is so to 1 + S N/(n0 n1)."""
        if c.shown is not None and c.shown.name == "significant":
            return INFINITY
        quarter = Fraction(c.scored, 4)
        return quarter * c.constant(queries) + c.relative() * (quarter + largest)

    def computed(self, c: Channel) -> Fraction:
        """Both sums are added up; an error e of the mean adds N e^2 to n0 n1/N, which is 1/2 at least."""
        added, unit = c.additions(c.scored), c.score_unit
        return (added + SHARE_ROUNDINGS) * unit + 2 * c.scored * ((added + 2) * unit) ** 2


SQUARES: tuple[Squares, ...] = (Rmse(), RSquared())
