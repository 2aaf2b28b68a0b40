"""The Brier score of two classes: a row with prediction u of class 1 charges its label y by (u - y)^2.

Label 0 is charged u^2 and label 1 (1-u)^2: they differ by 1 - 2u, which no prediction within [0, 1] takes beyond 1. Against
a weight w a label pays ((1+w)/2)^2, with it ((1-w)/2)^2; u = 1/2 charges 1/4 whatever the label.

How scikit-learn computes it: beside the column u it makes one of 1 - u, takes the indicators of both classes, and of
each row half the sum of two squared differences. Label 1: two differences that should be 1 - u, each rounded
once. Label 0: u itself, and 1 minus the rounded complement: that is u but for what the complement lost.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from threatplan.verify.formats import FLOAT64, holds
from threatplan.verify.intervals import ONE, Interval, power_of_two, real
from threatplan.verify.metrics.base import Metric

if TYPE_CHECKING:
    from threatplan.verify.channel import Channel

# A rounded difference, squared: twice its rounding; the square itself; the sum of two squares.
CHARGE_ROUNDINGS = 2 + 1 + 1
# A complement lies in [0, 1] and is off by half a roundoff e; half of (u + e)^2 - u^2 is e (u + e/2), below a roundoff. What
# is lost in squares below the least normal number is far less.
COMPLEMENT_ROUNDINGS = 1
# A design's w, a float64 product, is off by |w| roundoffs, 1 - w by one more up to 2 and by two beyond; half of that is
# rounded to the format, by half a roundoff of 1. A weight is off by twice as much: |w| + 2 + 1, and one more to spare. The
# attacker reckons from the middle of the two labels, so that either misses half.
WEIGHT_ROUNDINGS = 4
OWN_ROUNDINGS = 6  # for either label the attacker's difference, its square and the sum
LEVEL = -50  # a level and its two charges: five roundings of numbers below 2 stay below 2^LEVEL
LEAST_OFFSET = 0.5


class Brier(Metric):
    """The mean of (u - y)^2."""

    name = "brier"
    logarithmic = False
    cornered = True
    clips = False

    def knows(self, c: Channel) -> bool:
        """Two classes in one column, in floating point or exact: a fixed grid may round a square in any way."""
        return c.K == 2 and c.columns == 1 and not c.fixed

    # -- charges -----------------------------------------------------------------------------------------

    def even(self, classes: int) -> Interval:
        """1/4."""
        return real(Fraction(1, 4))

    def light(self, p: Fraction) -> Interval:
        """p^2."""
        return real(p * p)

    def heavy(self, p: Fraction) -> Interval:
        """(1-p)^2."""
        return real((1 - p) * (1 - p))

    def weight(self, p: Fraction) -> Interval:
        """1 - 2p."""
        return real(1 - 2 * p)

    # -- rows --------------------------------------------------------------------------------------------

    def lists(self, p: Fraction) -> bool:
        """0 and 1 are predictions like any other."""
        return 0 <= p <= 1

    def carries(self, c: Channel, p: Fraction) -> bool:
        """Whatever the format holds: nothing is clipped."""
        return p == 0 or (0 < p <= 1 and holds(c.precision, p))

    def reach(self, c: Channel) -> Interval:
        """Every format holds 0."""
        return ONE

    def stage_reach(self, c: Channel, classes: int, digits: int) -> Interval:
        """The same."""
        return ONE

    def span(self, c: Channel) -> Interval | None:
        """Predictions outside [0, 1] have any weight, if they are not refused."""
        return ONE if c.checks else None

    def largest_charge(self, c: Channel, span: Interval) -> Interval:
        """(1 - 0)^2."""
        return span

    def largest_loss(self, c: Channel, span: Interval) -> Interval:
        """Twice that is more than any error of computing it."""
        return 2 * span

    def least_loss(self, c: Channel) -> Interval | None:
        """Squares are as small as one likes."""
        return None

    def shows_infinity(self, c: Channel) -> bool:
        """No charge exceeds 1."""
        return False

    # -- errors ------------------------------------------------------------------------------------------

    def computed(self, c: Channel) -> Fraction:
        """In the coarser of both formats: squares may be taken before or after a prediction is widened."""
        return CHARGE_ROUNDINGS * max(c.unit, c.score_unit)

    def prepared(self, c: Channel) -> Fraction:
        """The complement's."""
        return COMPLEMENT_ROUNDINGS * c.unit

    def moved(self, c: Channel) -> Fraction:
        """The same for any submission."""
        return COMPLEMENT_ROUNDINGS * c.unit

    def written(self, c: Channel) -> Fraction:
        """It is the scorer who makes the complement."""
        return Fraction(0)

    # -- rows of a design ----------------------------------------------------------------------------------

    def mean_loss(self, c: Channel, largest: Interval, spread: Interval) -> Interval:
        """((1+x)/2)^2 is convex, hence below its chord from 0 to the largest weight."""
        nothing = self.even(2)
        if not largest > 0:
            return nothing + spread / c.N
        return nothing + spread / c.N * (self.heaviest(c, largest) - nothing) / largest

    def heaviest(self, c: Channel, largest: Interval) -> Interval:
        """((1+x)/2)^2."""
        return (1 + largest) * (1 + largest) / 4

    def missed(self, c: Channel, largest: Interval, spread: Interval, classes: int) -> Interval:
        """Roundings of predictions, in the format that they are written in."""
        unit = c.unit if c.ieee else FLOAT64
        return unit * (WEIGHT_ROUNDINGS * c.N + spread) / 2

    def own(self, c: Channel, largest: Interval, spread: Interval) -> Interval:
        """Squares, and a quotient by the gap."""
        return FLOAT64 * (OWN_ROUNDINGS * c.N + spread + largest)

    # -- corner rows ---------------------------------------------------------------------------------------

    def corner_reach(self, c: Channel, larger_part: int) -> Interval:
        """Predictions of 0 and 1 are taken."""
        return ONE

    def corner_rest(self, weight: Interval, dear: int, cheap: int) -> Interval:
        """((1-w)/2)^2."""
        return (1 - weight) * (1 - weight) / 4

    def corner_missed(self, c: Channel, most: Interval, either: bool) -> Interval:
        """Weights about the middle one, three roundings of their size, and predictions of them; charges move less."""
        unit = c.unit if c.ieee else FLOAT64
        return c.scored * unit * (WEIGHT_ROUNDINGS + 3 * most)

    # -- rows of a few levels ------------------------------------------------------------------------------

    def usable(self, small: Fraction, classes: int) -> bool:
        """Below 1/2 a row has a weight."""
        return 0 <= small < Fraction(1, 2)

    def strength(self, small: Fraction, classes: int) -> Interval:
        """1 - 2p."""
        return self.weight(small)

    def float_strength(self, small: Fraction, classes: int) -> float:
        """The same."""
        return float(1 - 2 * small)

    def step(self, columns: int, small: Fraction) -> Interval:
        """A few roundings, whatever the weight: it is linear in the prediction."""
        return power_of_two(LEVEL)

    def multiple(self, columns: int, small: Fraction, amplitude: int) -> Interval:
        """The same."""
        return power_of_two(LEVEL)

    def payment_range(self, least: Interval, most: Interval, ratio: Fraction) -> Interval:
        """The difference of two squares is sum times difference."""
        return (2 + most + least) * (most - least) / 4

    def float_payment_range(self, least: float, most: float, ratio: float) -> float:
        """As the attacker reckons it."""
        return ((1 + most) ** 2 - (1 + least) ** 2) / 4

    def float_even(self, classes: int) -> float:
        """1/4."""
        return 0.25

    def float_payment(self, w: float) -> float:
        """((1+w)/2)^2."""
        return (1 + w) ** 2 / 4

    def realised(self, w: float, columns: int, sign: int) -> float:
        """Of u = (1 + w)/2 and its complement the smaller."""
        u = (1 + sign * w) / 2
        return min(u, 1 - u)
