"""Parameters of the dithered spread."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log

from planner.attacks.promise import COINS, NOISE_AND_COINS
from planner.attacks.spread.parameters import base_set
from planner.attacks.threshold.parameters import Thresholds
from planner.channel.channel import Channel

HALF = Fraction(1, 2)


@dataclass(frozen=True, eq=False, repr=False)
class DitheredSpread(Thresholds):
    """D: a Hadamard matrix of blocks, each a butterfly of `rounds` queries, under a random offset.

    Labels outside the offset rows form `order` blocks; query (tau, t) weighs block b by H[tau, b] times row t of
    the butterfly. `settle` is the number of comparisons within which all doubtful sums are settled, with the
    promised probability. Where fewer labels are asked for, the other rows are idle.
    """

    kind = "dithered_spread"
    order: int
    rounds: int
    base: int  # labels in the butterfly's base row, a Conway-Guy set
    settle: int
    seed: int

    def over(self, channel: Channel) -> str:
        """Labels are certain, but for noise that has no bound for certain; how many queries settle them is not."""
        return NOISE_AND_COINS if channel.law.tailed else COINS

    @property
    def noise_share(self) -> Fraction:
        """Noise without a bound for certain has half of delta, the attacker's coins the other half."""
        return HALF

    @property
    def measured(self) -> int:
        """Labels that are measured: those of the first rows, none of which belongs to the offset."""
        return min(self.labels, self.rows - self.offset_rows)

    @property
    def own(self) -> int:
        """Queries for the offset's own labels, where they are asked for: the last one follows from their count."""
        return min(self.labels - self.measured, max(self.offset_rows - 1, 0))

    @property
    def block(self) -> int:
        """Labels a block."""
        return -(-self.measured // self.order)

    @property
    def gap(self) -> float:
        """The log-odds of an entry 1, in nats."""
        return self.reach / base_set(self.base).maximum

    @property
    def doubt_step(self) -> float:
        """Distance from a half integer at which the odds of a sum being right double: variance * ln 2."""
        spread = float(self.cell) / self.gap
        return spread * spread / (12 * self.order) * log(2)
