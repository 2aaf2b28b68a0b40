"""Parameters of the attacks on deterministic rounding, and the few formulas that planning and running share.

Sums are in nats over all N rows: one cell is N times the last shown unit, sp(w) = ln(1 + e^w) is what a label
pays for log-odds w against it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, log, log1p

from planner.parameters import Parameters
from planner.spreads import base_set

LEAST_OFFSET = 1.0
"""Offset rows start at these log-odds: below, the bootstrap's two candidates lie too near each other."""

SETTLING_REACH = 18.0
"""Largest log-odds in comparisons of many sums: there 2^-53 near a prediction of 1 still is a small relative step."""


def softplus(w: float) -> float:
    """ln(1 + e^w)."""
    return w + log1p(exp(-w)) if w > 0 else log1p(exp(w))


def log_odds(small: Fraction) -> float:
    """ln((1-p)/p)."""
    return log(small.denominator - small.numerator) - log(small.numerator)


@dataclass(frozen=True)
class Thresholds(Parameters):
    """T: rounded scores as an exact comparator.

    `offset_rows` rows at one common log-odds shift every score by an amount the attacker chooses; only how many of
    them are labelled 1 has to be known, and a bootstrap finds it. None are needed where a boundary of the rounding
    happens to lie near N ln 2.
    """

    kind = "thresholds"
    columns: int
    unit: Fraction  # the last shown decimal
    truncates: bool  # scores are cut off, not rounded to nearest
    small: Fraction  # smallest probability used on rows whose label is asked
    offset_rows: int
    offset_small: Fraction  # smallest probability used on offset rows
    error: Fraction  # bound on what floating point adds to a score before it is rounded

    @property
    def cell(self) -> Fraction:
        """Distance of two boundaries, in nats over all rows."""
        return self.labels * self.unit

    @property
    def bootstrap(self) -> int:
        """Queries that find how many offset rows are labelled 1."""
        return self.offset_rows.bit_length()

    def boundary(self, shown: int) -> float:
        """The sum of charges above which more than `shown` units are shown."""
        return (shown + (1 if self.truncates else 0.5)) * float(self.cell)

    def boundary_above(self, total: float) -> int:
        """The first boundary at or above a sum."""
        return ceil(total / float(self.cell) - (1 if self.truncates else 0.5))

    def centre(self, shown: int) -> float:
        """The middle of the sums that are shown alike."""
        return (shown + (0.5 if self.truncates else 0)) * float(self.cell)

    @property
    def tolerance(self) -> float:
        """Floating-point error of a sum, the scorer's and the attacker's together, in nats."""
        return self.labels * (float(self.error) + log_odds(self.small) * 2.0**-48)


@dataclass(frozen=True)
class DitheredSpread(Thresholds):
    """D: a Hadamard matrix of blocks, each a butterfly of `rounds` queries, under a random offset.

    Labels outside the offset rows form `order` blocks; query (tau, t) weighs block b by H[tau, b] times row t of
    the butterfly. `settle` is the number of comparisons within which all doubtful sums are settled, with the
    promised probability.
    """

    kind = "dithered_spread"
    order: int
    rounds: int
    base: int  # labels in the butterfly's base row, a Conway-Guy set
    settle: int
    seed: int

    @property
    def block(self) -> int:
        """Labels a block."""
        return -(-(self.labels - self.offset_rows) // self.order)

    @property
    def gap(self) -> float:
        """The log-odds of an entry 1, in nats."""
        return log_odds(self.small) / base_set(self.base).maximum

    @property
    def doubt_step(self) -> float:
        """Distance from a half integer at which the odds of a sum being right double: variance * ln 2."""
        spread = float(self.cell) / self.gap
        return spread * spread / (12 * self.order) * log(2)


def direct_boundary(setting: Thresholds) -> tuple[int, float]:
    """The boundary best placed between the two scores of one label with all other rows even, and its margin.

    The sum is (N-1) ln 2 plus almost 0 or plus W; a margin below 0 says that no boundary lies between.
    """
    reach, rest = log_odds(setting.small), (setting.labels - 1) * log(2)
    above = setting.boundary_above(rest + reach / 2)

    def margin(shown: int) -> float:
        return min(setting.boundary(shown) - rest, rest + reach - setting.boundary(shown))

    best = max(above, above - 1, key=margin)
    return best, margin(best)


def verifying_weight(setting: Thresholds) -> tuple[float, float]:
    """Log-odds for all rows at which one wrong label crosses the first boundary, and the margin on both sides.

    Right labels are charged N sp(-v), a wrong one v more. The larger v, the larger the margin, as long as the
    boundary stays above the middle N sp(-v) + v/2.
    """
    first, N = setting.boundary(0), setting.labels
    low, high = 0.0, log_odds(setting.small)
    if first > N * softplus(-high) + high / 2:
        for _ in range(100):
            v = (low + high) / 2
            low, high = (v, high) if N * softplus(-v) + v / 2 > first else (low, v)
    right = N * softplus(-high)
    return high, min(first - right, right + high - first)


def known_rows_needed(setting: Thresholds) -> int:
    """How many rows with known labels make an offset that covers a cell."""
    each = softplus(log_odds(setting.offset_small)) - softplus(LEAST_OFFSET)
    return ceil(float(setting.cell) / each)


def offset_rows_needed(cell: float, reach: float) -> int:
    """How many rows with unknown labels make one: at worst half of them pay, f = j (sp(w) - w/2)."""
    each = softplus(reach) - reach / 2 - softplus(LEAST_OFFSET) + LEAST_OFFSET / 2
    return ceil(cell / each)
