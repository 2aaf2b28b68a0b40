"""The Brier score of several classes: a row charges its label the squared distance to the label's own corner.

That is 1 - 2 u_k + sum of u_c^2: of a row that sums to 1 no more than 2, of any row within [0, 1] no more than K, and two
labels are charged 2 (u_k - u_j) apart, at most 2. scikit-learn halves it for two classes, or when told to: `unit` is 1/2.

Two groups of a and b classes that differ by d in each entry: ((1 - b d)/K, (1 + a d)/K), entries of 0 or more while
d max(a, b) <= 1. Levels that all differ, by d times their distance from the mean: the lowest entry is 1/K - d (spread of the
levels) (K-1)/K at worst.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from threatplan.verify.formats import FLOAT64
from threatplan.verify.intervals import Interval, power_of_two, real
from threatplan.verify.metrics.brier import Brier
from threatplan.verify.sides import larger_side, sizes

if TYPE_CHECKING:
    from threatplan.verify.channel import Channel

# Relative, of a charge: a difference counts twice in its square, which is rounded; then an addition a class, one to spare.
SQUARE_ROUNDINGS = 2 + 1
# Entries 1/K off by a rounding each move a charge by 2/K + 2/K of it; squares that underflow by far less than what is left.
EVEN_ROUNDINGS = 4
# Two entries with their products, sums and quotients: 8/K of roundings whatever the weight; written down, together 1, twice.
PAIR_ROUNDINGS = 6
# And of the weight: a step, three roundings of each entry about it, twice where levels all differ.
STEP_ROUNDINGS = 8
OWN_ROUNDINGS = 8  # differences, squares and three sums of numbers up to 2, beside an addition a class
LEVEL = -46  # entries of a level 7 roundings, its weight 3, its two charges 10 each


class ClassesBrier(Brier):
    """Squares over all classes; of two classes what is left of them."""

    def unit(self, classes: int) -> Fraction:
        """What the sum of squares is multiplied by."""
        return Fraction(1, 2) if classes == 2 else Fraction(1)

    def knows(self, c: Channel) -> bool:
        """A column a class, taken as it is, of all rows; or what is known of two classes."""
        if c.K == 2:
            return super().knows(c)
        return c.columns == c.K and not c.renormalises and not c.split and not c.fixed

    def even(self, classes: int) -> Interval:
        """1 - 2/K + 1/K."""
        return real(self.unit(classes) * Fraction(classes - 1, classes))

    # -- rows --------------------------------------------------------------------------------------------

    def reach(self, c: Channel) -> Interval:
        """Between two sides."""
        return self.strength(Fraction(0), c.K)

    def stage_reach(self, c: Channel, classes: int, digits: int) -> Interval:
        """Twice the largest difference of entries."""
        parted = c.K - 1 if classes > 2 else max(max(pair) for pair in sizes(c.K)[:digits])
        return real(2 * self.unit(c.K) / parted)

    def span(self, c: Channel) -> Interval | None:
        """Entries within [0, 1] differ by 1."""
        return real(2 * self.unit(c.K)) if c.checks else None

    def largest_charge(self, c: Channel, span: Interval) -> Interval:
        """A row of ones but for the label: K squares of 1."""
        return span if c.K == 2 else real(c.K * self.unit(c.K))

    def largest_loss(self, c: Channel, span: Interval) -> Interval:
        """Twice that."""
        return 2 * self.largest_charge(c, span)

    # -- errors ------------------------------------------------------------------------------------------

    def computed(self, c: Channel) -> Fraction:
        """No term is below 0: relative errors stay what they are in a sum."""
        return super().computed(c) if c.K == 2 else (SQUARE_ROUNDINGS + c.K) * max(c.unit, c.score_unit)

    def prepared(self, c: Channel) -> Fraction:
        """Even rows as they are written."""
        return super().prepared(c) if c.K == 2 else EVEN_ROUNDINGS * c.unit

    def moved(self, c: Channel) -> Fraction:
        """The same."""
        return self.prepared(c)

    # -- rows of a design ----------------------------------------------------------------------------------

    def mean_loss(self, c: Channel, largest: Interval, spread: Interval) -> Interval:
        """Weights up to 4/K: the entry costs at most the weight, K squares of half the difference each a quarter of it."""
        if c.K == 2:
            return super().mean_loss(c, largest, spread)
        return self.even(c.K) + 5 * spread / (4 * c.N)

    def heaviest(self, c: Channel, largest: Interval) -> Interval:
        """The same, of a row."""
        return super().heaviest(c, largest) if c.K == 2 else self.even(c.K) + 5 * largest / 4

    def missed(self, c: Channel, largest: Interval, spread: Interval, classes: int) -> Interval:
        """From midway between two groups half of what two labels are off."""
        if c.K == 2:
            return super().missed(c, largest, spread, classes)
        off = (c.unit if c.ieee else FLOAT64) * (PAIR_ROUNDINGS * c.N + STEP_ROUNDINGS * spread)
        return off / 2 if classes == 2 else off

    def own(self, c: Channel, largest: Interval, spread: Interval) -> Interval:
        """K squares a row, and a quotient by the gap."""
        if c.K == 2:
            return super().own(c, largest, spread)
        return FLOAT64 * ((OWN_ROUNDINGS + c.K) * c.N + spread + largest)

    # -- rows of a few levels ------------------------------------------------------------------------------

    def usable(self, small: Fraction, classes: int) -> bool:
        """Less than an even share."""
        return 0 <= small < Fraction(1, classes)

    def strength(self, small: Fraction, classes: int) -> Interval:
        """What the larger side has left above `small`, twice."""
        return real(self._strength(small, classes))

    def float_strength(self, small: Fraction, classes: int) -> float:
        """The same."""
        return float(self._strength(small, classes))

    def _strength(self, small: Fraction, classes: int) -> Fraction:
        return self.unit(classes) * 2 * (1 - small * classes) / larger_side(classes)

    def heaviest_level(self, small: Fraction, classes: int) -> Interval:
        """1 and another 1, where nothing is left for the label."""
        return super().heaviest_level(small, classes) if classes == 2 else real(2 * self.unit(classes))

    def step(self, columns: int, small: Fraction) -> Interval:
        """A few roundings."""
        return super().step(columns, small) if columns == 1 else power_of_two(LEVEL)

    def multiple(self, columns: int, small: Fraction, amplitude: int) -> Interval:
        """The same."""
        return super().multiple(columns, small, amplitude) if columns == 1 else power_of_two(LEVEL)

    def float_even(self, classes: int) -> float:
        """As the attacker reckons it."""
        return float(self.unit(classes) * Fraction(classes - 1, classes))


class HalfBrier(ClassesBrier):
    """Halved always."""

    name = "half_brier"

    def unit(self, classes: int) -> Fraction:
        """1/2."""
        return Fraction(1, 2)


BRIER, HALF_BRIER = ClassesBrier(), HalfBrier()
