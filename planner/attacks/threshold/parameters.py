"""Parameters of the attacks on deterministic rounding, and the few formulas that planning and running share.

Sums are in nats over all N rows: one cell is N times the last shown unit. For log-odds w against it a label pays
sp(w) = ln(1 + e^w); with more classes ln(m + n e^w), m classes on its own side and n on the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from planner.attacks.parameters import Parameters
from planner.attacks.promise import NOISE, NOTHING
from planner.channel.conditions import COMPARATOR, Condition
from planner.channel.errors import WHOLE
from planner.channel.mechanisms.digits import stepped
from planner.channel.metrics import metric_of
from planner.channel.metrics.base import Metric
from planner.channel.sides import bits_of, imbalance

if TYPE_CHECKING:
    from planner.channel.channel import Channel

SETTLING_REACH = 18.0
"""Largest log-odds in comparisons of many sums: there 2^-53 near a prediction of 1 still is a small relative step."""

CHARGE_BITS = 48
"""The attacker's float64 leaves a sum of charges off by 2^-48 of the largest charge in every row."""

DIGIT_SLACK = 0.25
"""How far from a whole number of units a shown score may be once it is a float64."""


@dataclass(frozen=True, eq=False, repr=False)
class Thresholds(Parameters):
    """T: rounded scores as an exact comparator.

    `offset_rows` rows at one common log-odds shift every score by an amount the attacker chooses; only how many of
    them are labelled 1 has to be known, and a bootstrap finds it. None are needed where a boundary of the rounding
    happens to lie near N ln 2. More than two classes are asked bit by bit of their number.
    """

    kind = "thresholds"
    adaptive = True  # a boundary is put where the labels found so far say
    rows: int  # of a submission; labels of the first ones are recovered
    classes: int
    metric: str
    columns: int
    unit: Fraction  # the last shown decimal
    truncates: bool  # scores are cut off, not rounded to nearest
    small: Fraction  # smallest probability used on rows whose label is asked
    offset_rows: int
    offset_small: Fraction  # smallest probability used on offset rows
    error: Fraction  # bound on what noise and floating point add to a score before it is rounded
    least: Fraction  # log-odds that offset rows start at: half of it bears the error in a bootstrap
    noise_centre: Fraction  # of what is added to a score: boundaries lie so much lower in every score

    @property
    def told(self) -> int:
        """Bit by bit of their number."""
        return self.classes

    def over(self, channel: Channel) -> str:
        """Comparisons are exact, but for noise that has no bound for certain."""
        return NOISE if channel.law.tailed else NOTHING

    @property
    def noise_share(self) -> Fraction:
        """Of delta, that noise without a bound may leave its own with: nothing else is left to chance."""
        return WHOLE

    @property
    def fixes(self) -> dict[str, str]:
        """Every row takes part in every comparison, and boundaries lie where the rounding has them."""
        return {
            "N": f"{self.rows}",
            "K": f"{self.classes}",
            "metric": self.metric,
            "columns": f"{self.columns}",
            "decimals": stepped("truncated" if self.truncates else "rounded", self.unit),
        }

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Rounding of what is off by no more than a bound, asked adaptively."""
        return COMPARATOR

    @property
    def scored_by(self) -> Metric:
        """The metric whose charges are compared."""
        return metric_of(self.metric)

    @property
    def cell(self) -> Fraction:
        """Distance of two boundaries, in nats over all rows."""
        return self.rows * self.unit

    @property
    def bits(self) -> int:
        """Passes over all labels: one for each bit of a class."""
        return bits_of(self.classes)

    @property
    def reach(self) -> float:
        """W: the largest log-odds on rows whose label is asked."""
        return self.scored_by.strength_float(self.small, self.classes)

    @property
    def smallest(self) -> Fraction:
        """The smallest prediction on any row: no row is charged more than it says."""
        return min(self.small, self.offset_small)

    @property
    def least_offset(self) -> float:
        """Offset rows start at these log-odds, a float64."""
        return float(self.least)

    @property
    def even_charge(self) -> float:
        """What a row with an even prediction is charged, whatever its label."""
        return self.scored_by.even_charge(self.classes)

    @property
    def whole(self) -> bool:
        """Whether all labels are recovered, those of the offset rows too."""
        return self.labels >= self.rows

    @property
    def asked(self) -> int:
        """Queries: one a label; what finds the offset; what verifies, which the last offset label's saves.

        Without an offset all labels can be verified at once, but not some of them.
        """
        further = self.bootstrap + (not self.whole) if self.offset_rows else int(self.whole)
        return self.bits * (self.labels + further)

    @property
    def bootstrap(self) -> int:
        """Queries that find how many offset rows are labelled 1."""
        return self.offset_rows.bit_length()

    @property
    def drift(self) -> float:
        """What the centre of the noise adds to every sum of charges before it is rounded."""
        return float(self.rows * self.noise_centre)

    def boundary(self, shown: int) -> float:
        """The sum of charges above which more than `shown` units are shown."""
        return (shown + (1 if self.truncates else 0.5)) * float(self.cell) - self.drift

    def boundary_above(self, total: float) -> int:
        """The first boundary at or above a sum."""
        return ceil((total + self.drift) / float(self.cell) - (1 if self.truncates else 0.5))

    def centre(self, shown: int) -> float:
        """The middle of the sums that are shown alike."""
        return (shown + (0.5 if self.truncates else 0)) * float(self.cell) - self.drift

    @property
    def tolerance(self) -> float:
        """Error of a sum before it is rounded, the scorer's and the attacker's together, in nats."""
        largest = self.scored_by.heavy_float(self.smallest) + abs(float(self.noise_centre))
        return self.rows * (float(self.error) + largest * 2.0**-CHARGE_BITS)


def direct_boundary(setting: Thresholds) -> tuple[int, float]:
    """The boundary best placed between the two scores of one label with all other rows even, and its margin.

    The sum is (N-1) ln 2 plus almost 0 or plus W; a margin below 0 says that no boundary lies between.
    """
    reach, rest, metric = setting.reach, (setting.rows - 1) * setting.even_charge, setting.scored_by
    above = setting.boundary_above(rest + reach / 2)

    def margin(shown: int) -> float:
        place = setting.boundary(shown) - rest
        return min(place - metric.saving(reach), metric.payment(reach, 1, 1) - place)

    best = max(above, above - 1, key=margin)
    return best, margin(best)


def verifying_weight(setting: Thresholds) -> tuple[float, float]:
    """Log-odds for all rows at which one wrong label crosses the first boundary, and the margin on both sides.

    Right labels are charged N times the saving at v, a wrong one v more. The larger v, the larger the margin, as long as the
    boundary stays above the middle.
    """
    first, N, saving = setting.boundary(0), setting.rows, setting.scored_by.saving
    low, high = 0.0, setting.reach
    if first > N * saving(high) + high / 2:
        for _ in range(100):
            v = (low + high) / 2
            low, high = (v, high) if N * saving(v) + v / 2 > first else (low, v)
    right = N * saving(high)
    return high, min(first - right, right + high - first)


def known_rows_needed(setting: Thresholds) -> int:
    """How many rows with known labels make an offset that covers a cell."""
    return ceil(float(setting.cell) / _range(setting))


def offset_rows_needed(setting: Thresholds) -> int:
    """How many rows with unknown labels make one."""
    each = offset_gain(setting)
    return ceil(float(setting.cell) / each) if each > 0 else setting.rows


def offset_gain(setting: Thresholds) -> float:
    """By how much a row with an unknown label moves a sum: at worst half of them pay, and half save as much as w."""
    return _range(setting) - (_offset_reach(setting) - setting.least_offset) / 2


def _range(setting: Thresholds) -> float:
    """How much more a row pays at the largest log-odds than at the least, on the side where that is less."""
    ratio = float(imbalance(setting.classes))
    return setting.scored_by.payment_range_float(setting.least_offset, _offset_reach(setting), ratio)


def _offset_reach(setting: Thresholds) -> float:
    """The largest weight of an offset row."""
    return setting.scored_by.strength_float(setting.offset_small, setting.classes)
