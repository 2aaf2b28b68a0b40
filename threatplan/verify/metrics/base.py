"""What a metric is to this checker: what a row charges its label, how far rows reach, how exactly charges are computed.

A score is the mean of what every row charges its label. A row of weight w charges one label w more than the other.
Predictions are of class 1; `small` is the smaller prediction of a row's two sides. Bounds are from above, but for what a row
surely reaches.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from threatplan.verify.intervals import INFINITY, MINUS_INFINITY, Interval
from threatplan.verify.reading import Unreadable

if TYPE_CHECKING:
    from threatplan.verify.channel import Channel


class Metric(ABC):
    """One metric, asked about a channel or about the numbers of a record."""

    name: ClassVar[str]
    logarithmic: ClassVar[bool]  # whether charges are logarithms of predictions, so that products become sums
    cornered: ClassVar[bool] = False  # whether a row can charge one class next to nothing, and the other its weight
    clips: ClassVar[bool]  # whether scorers keep predictions away from 0
    predictions: ClassVar[tuple[str, ...]] = ("probability",)  # what rows may hold
    weighs: ClassVar[bool] = True  # whether a row may have any weight up to its reach
    adds: ClassVar[bool] = True  # whether a score is the mean of what every row charges by itself

    def weightless(self) -> Unreadable:
        """The refusal of what asks for rows of some weight, where a metric has none."""
        return Unreadable(f"rows have no weights in {self.name}")

    @abstractmethod
    def knows(self, c: Channel) -> bool:
        """Whether it is known what the scorer of this channel computes."""

    # -- charges -----------------------------------------------------------------------------------------

    @abstractmethod
    def even(self, classes: int) -> Interval:
        """What a row that favours no class charges."""

    @abstractmethod
    def light(self, p: Fraction) -> Interval:
        """What a row charges the label that it favours, p the prediction of the other."""

    @abstractmethod
    def heavy(self, p: Fraction) -> Interval:
        """What it charges the other."""

    @abstractmethod
    def weight(self, p: Fraction) -> Interval:
        """The difference of both, with its sign."""

    # -- rows --------------------------------------------------------------------------------------------

    @abstractmethod
    def lists(self, p: Fraction) -> bool:
        """Whether a record may list p as a prediction."""

    @abstractmethod
    def carries(self, c: Channel, p: Fraction) -> bool:
        """Whether the scorer takes p, and with it 1 - p, as it is."""

    @abstractmethod
    def reach(self, c: Channel) -> Interval:
        """W for attacks on two classes: a weight that a row surely has."""

    @abstractmethod
    def stage_reach(self, c: Channel, classes: int, digits: int) -> Interval:
        """The same for rows of a design, written as float64."""

    @abstractmethod
    def span(self, c: Channel) -> Interval | None:
        """W for limits: no two charges of one row differ by more; None: they may differ by anything."""

    def breadth(self, c: Channel, span: Interval) -> Interval | None:
        """No two charges of any rows are farther apart; None: no bound is known."""
        return None

    @abstractmethod
    def largest_charge(self, c: Channel, span: Interval) -> Interval:
        """What no row charges more than."""

    @abstractmethod
    def largest_loss(self, c: Channel, span: Interval) -> Interval:
        """What no computed score exceeds."""

    @abstractmethod
    def least_loss(self, c: Channel) -> Interval | None:
        """The least score that is not 0; None: as small as one likes."""

    def steadiness(self, c: Channel) -> tuple[Interval, Interval] | None:
        """The variance of a row's charge over its mean, times the least mean of a row, at most; and that mean.

        None: no charge is known to cost anything.
        """
        return None

    @abstractmethod
    def shows_infinity(self, c: Channel) -> bool:
        """Whether a row can be made that surely shows as an infinite score."""

    def lattice(self, c: Channel) -> Fraction | None:
        """Of what exact scores are whole multiples, if of anything."""
        return None

    # -- errors ------------------------------------------------------------------------------------------

    @abstractmethod
    def computed(self, c: Channel) -> Fraction:
        """The relative error of a charge: the sum of its roundings."""

    @abstractmethod
    def prepared(self, c: Channel) -> Fraction:
        """The absolute error of a charge by what becomes of its prediction before."""

    @abstractmethod
    def moved(self, c: Channel) -> Fraction:
        """The same for limits, whatever is submitted."""

    @abstractmethod
    def written(self, c: Channel) -> Fraction:
        """The part of it that whoever knows the entries as they were written need not count."""

    # -- rows of a design ----------------------------------------------------------------------------------

    def mean_loss(self, c: Channel, largest: Interval, spread: Interval) -> Interval:
        """The most that rows of weight up to `largest`, `spread` in all, charge on average."""
        raise self.weightless()

    def heaviest(self, c: Channel, largest: Interval) -> Interval:
        """The most that one of them charges."""
        raise self.weightless()

    def missed(self, c: Channel, largest: Interval, spread: Interval, classes: int) -> Interval:
        """How far their charges, as they are written, are off what a design wants, together."""
        raise self.weightless()

    def own(self, c: Channel, largest: Interval, spread: Interval) -> Interval:
        """The attacker's own float64 in adding up what they charge."""
        raise self.weightless()

    # -- corner rows ---------------------------------------------------------------------------------------

    def corner_reach(self, c: Channel, larger_part: int) -> Interval:
        """A weight by which a row can charge some classes more than the others, no more than so many of either."""
        return MINUS_INFINITY

    def corner_rest(self, weight: Interval, dear: int, cheap: int) -> Interval:
        """What every label of such a row is charged beside the weight."""
        return INFINITY

    def corner_missed(self, c: Channel, most: Interval, either: bool) -> Interval:
        """By how much such rows are off together, as they are written down."""
        return INFINITY

    # -- rows of a few levels ------------------------------------------------------------------------------

    def usable(self, small: Fraction, classes: int) -> bool:
        """Whether rows with no prediction below `small` have a weight at all."""
        raise self.weightless()

    def strength(self, small: Fraction, classes: int) -> Interval:
        """Their largest weight."""
        raise self.weightless()

    def float_strength(self, small: Fraction, classes: int) -> float:
        """The same as the attacker's float64 has it."""
        raise self.weightless()

    def heaviest_level(self, small: Fraction, classes: int) -> Interval:
        """The most that one of them charges."""
        return self.heavy(small)

    def step(self, columns: int, small: Fraction) -> Interval:
        """How far a row's weight is off what is wanted."""
        raise self.weightless()

    def multiple(self, columns: int, small: Fraction, amplitude: int) -> Interval:
        """The same for whole multiples of the largest weight over `amplitude`."""
        raise self.weightless()

    def payment_range(self, least: Interval, most: Interval, ratio: Fraction) -> Interval:
        """How much more a label pays against a weight `most` than against `least`."""
        raise self.weightless()

    def float_payment_range(self, least: float, most: float, ratio: float) -> float:
        """The same as the attacker's float64 has it."""
        raise self.weightless()

    def float_even(self, classes: int) -> float:
        """What an even row charges, as the attacker's float64 has it."""
        raise self.weightless()

    def float_payment(self, w: float) -> float:
        """What one of two labels pays against a weight w; for -w what it pays with it."""
        raise self.weightless()

    def realised(self, w: float, columns: int, sign: int) -> float:
        """The smaller prediction of a row of weight w, once it is a float64."""
        raise self.weightless()
