"""Brier score of two classes: a row charges its label (u - y)^2, u the prediction of class 1 and y the label, 0 or 1.

The weight of a row is 1 - 2u: linear, and W = 1 whatever is submitted between 0 and 1. Rows are neutral at u = 1/2, with
a charge of 1/4. A label pays (1 + w)^2/4 for a weight w against it, and (1 - w)^2/4 for one in its favour.
"""

from __future__ import annotations

from fractions import Fraction
from math import fsum
from typing import TYPE_CHECKING, Any

from flint import arb

from planner.channel.metrics.base import Level, Metric
from planner.channel.sides import Sides
from planner.numerics.reals import ball, lower

if TYPE_CHECKING:
    from planner.channel.channel import Channel

# Each is derived in docs/theory/errors.md.
CHARGE_UNITS = 4  # of a charge, relative to it: a difference, which counts twice, its square, the sum of two columns
PREPARED_UNITS = 1  # of a row: a quarter where 1 - (1 - u) stands for u, and squares that underflow
CORNER_UNITS = 3  # of a weight about another: the step, its product and the sum with the middle weight
WRITTEN_UNITS = 4  # of a weight, with |w| more: the step and its product 2|w|, the difference 1, the format's own 1
OWN_UNITS = 6  # of a row: the attacker's difference, square and sum, for either label
FLOAT_UNIT = Fraction(1, 2**53)
LEVEL_BITS = 50  # a weight of few levels, as it is predicted and as it is charged, is off by 6 of 8 units
LEAST_OFFSET = 0.5  # from u = 3/4 on a row pays more for its weight than half of it
LEAST_REACH = 0.75  # offset rows that start there and do not get farther pay too little


class Brier(Metric):
    """The mean of (u - y)^2."""

    known = True
    weighs = True
    adds = True
    nonnegative = True
    cornered = True
    id = "brier"
    title = "the Brier score"

    def unknown(self, channel: Channel) -> tuple[str, ...]:
        """Two classes in one column; how a fixed grid rounds a square is not known, nor what a clip would mean."""
        known = (
            ("K", channel.classes == 2),
            ("columns", channel.columns == 1),
            ("phi", not channel.submission.fixed),
            ("clip", channel.clip is None),
        )
        return tuple(field for field, is_known in known if not is_known)

    # -- charges -------------------------------------------------------------------------------------

    def neutral_charge(self, classes: int) -> arb:
        """1/4."""
        return arb(1) / 4

    def light(self, p: Fraction) -> arb:
        """p^2."""
        return ball(p * p)

    def heavy(self, p: Fraction) -> arb:
        """(1-p)^2."""
        return ball((1 - p) ** 2)

    def weight(self, p: Fraction) -> arb:
        """1 - 2p."""
        return ball(1 - 2 * p)

    # -- rows that can be made -----------------------------------------------------------------------

    def reach(self, channel: Channel) -> arb:
        """Every format holds 0 and 1."""
        return arb(1)

    def stage_reach(self, channel: Channel, classes: int, digits: int) -> arb:
        """The same."""
        return arb(1)

    def span(self, channel: Channel) -> arb:
        """1, if nothing outside [0, 1] is charged."""
        return arb(1) if channel.checks else arb.pos_inf()

    def largest_charge(self, channel: Channel, span: arb) -> arb:
        """Charges lie between 0 and 1."""
        return span

    def largest_loss(self, channel: Channel, span: arb) -> arb:
        """With room for the error of computing it."""
        return 2 * span

    def prediction(self, channel: Channel, weight: arb) -> Fraction | None:
        """(1 - w)/2, rounded down to the format."""
        if weight > 1:
            return None
        wanted = max(lower((1 - weight) / 2), Fraction(0))
        return channel.submission.round_down(wanted) or Fraction(0)

    def takes(self, channel: Channel, p: Fraction) -> bool:
        """0, and whatever the format holds up to 1."""
        return p == 0 or (0 < p <= 1 and channel.submission.holds(p))

    def neutral_deviation(self, channel: Channel) -> arb:
        """1/2 is a number of every format."""
        return arb(0)

    # -- the error of computing a score --------------------------------------------------------------

    def charge_error(self, channel: Channel) -> Fraction | None:
        """Differences, squares and their sum, in the coarser of both formats."""
        return CHARGE_UNITS * max(channel.submission.unit, channel.scores.unit)

    def prepared(self, channel: Channel) -> Fraction | None:
        """The complement of a prediction, and its complement again."""
        return PREPARED_UNITS * channel.submission.unit

    def moved(self, channel: Channel) -> Fraction | None:
        """The same, whatever is submitted."""
        return PREPARED_UNITS * channel.submission.unit

    # -- rows of a design --------------------------------------------------------------------------------

    def mean_loss(self, channel: Channel, largest: arb, spread: arb) -> arb:
        """(1 + w)^2/4 is convex: it stays below the chord from 0 to the largest weight."""
        neutral = self.neutral_charge(2)
        if not largest > 0:
            return neutral + spread / channel.scored
        return neutral + spread / channel.scored * (self.heaviest(channel, largest) - neutral) / largest

    def heaviest(self, channel: Channel, largest: arb) -> arb:
        """(1 + w)^2/4."""
        return (1 + largest) ** 2 / 4

    def deviation(self, channel: Channel, largest: arb, spread: arb, classes: int) -> arb:
        """Predictions as they are written; the attacker reckons from midway between the labels: either misses by half."""
        unit = FLOAT_UNIT if channel.submission.exact else channel.submission.unit
        return ball(unit) * (WRITTEN_UNITS * channel.scored + spread) / 2

    def own_error(self, channel: Channel, largest: arb, spread: arb) -> arb:
        """Squares, and at last one quotient of the sum, error included, by the gap."""
        return ball(FLOAT_UNIT) * (OWN_UNITS * channel.scored + spread + largest)

    def corner_reach(self, channel: Channel, larger: int) -> arb:
        """A row at 0 or 1 charges one class nothing and the other 1."""
        return arb(1)

    def corner_rest(self, weight: arb, dear: int, cheap: int) -> arb:
        """(1 - w)^2/4."""
        return (1 - weight) ** 2 / 4

    def corner_missed(self, channel: Channel, most: arb, either: bool) -> arb:
        """A weight as it is written; no charge moves faster than the weight."""
        unit = FLOAT_UNIT if channel.submission.exact else channel.submission.unit
        return channel.scored * ball(unit) * (WRITTEN_UNITS + CORNER_UNITS * most)

    def entries(self, xp: Any, charges: Any, inside: int, classes: int, columns: int) -> tuple[Any, Any]:
        """(1 - w)/2 for class 1, and its complement."""
        return (1 - charges) / 2, (1 + charges) / 2

    def total(self, xp: Any, predictions: Any, rows: Any = None) -> Fraction:
        """The sum of (1 - q)^2, q what the label's own class was given."""
        return Fraction(fsum((1 - predictions) ** 2))

    def heavy_float(self, small: Fraction) -> float:
        """(1-p)^2."""
        return float((1 - small) ** 2)

    # -- rows of few levels ---------------------------------------------------------------------------

    def smallest_usable(self, channel: Channel) -> Fraction | None:
        """0."""
        return Fraction(0)

    def strength(self, small: Fraction, classes: int) -> arb:
        """1 - 2p."""
        return ball(1 - 2 * small)

    def strength_float(self, small: Fraction, classes: int) -> float:
        """The same as a float64."""
        return float(1 - 2 * small)

    def least_offset(self, classes: int) -> float:
        """A label pays 9/16 there, and 1 at most."""
        return LEAST_OFFSET

    def least_offset_reach(self, classes: int) -> float:
        """Between the least offset and W."""
        return LEAST_REACH

    def payment(self, w: float, own: int, other: int) -> float:
        """(1 + w)^2/4."""
        return (1 + w) ** 2 / 4

    def saving(self, w: float) -> float:
        """(1 - w)^2/4."""
        return (1 - w) ** 2 / 4

    def slope(self, w: float, own: int, other: int) -> float:
        """(1 + w)/2."""
        return (1 + w) / 2

    def payment_range(self, least: arb, most: arb, ratio: Fraction) -> arb:
        """The difference of two squares."""
        return ((1 + most) ** 2 - (1 + least) ** 2) / 4

    def payment_range_float(self, least: float, most: float, ratio: float) -> float:
        """The same as a float64."""
        return ((1 + most) ** 2 - (1 + least) ** 2) / 4

    def level(self, weight: float, columns: int, sides: Sides) -> Level:
        """u = (1 + w)/2: label 0 is charged u^2, label 1 is charged (1-u)^2."""
        u = (1 + weight) / 2
        return Level(1 - u, u, u * u, (1 - u) * (1 - u))

    def even_charge(self, classes: int) -> float:
        """1/4."""
        return 0.25

    def level_step(self, columns: int, small: Fraction) -> arb:
        """A few roundings of numbers below 2."""
        return arb(2) ** -LEVEL_BITS

    def level_deviation(self, columns: int, small: Fraction, amplitude: int) -> arb:
        """The same."""
        return arb(2) ** -LEVEL_BITS
