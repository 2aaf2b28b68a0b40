"""Parameters of comparisons by a prefix code."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.promise import COINS, NOISE_AND_COINS
from planner.attacks.scaled.parameters import ScaledThresholds
from planner.channel.conditions import ADAPTIVE, Condition
from planner.channel.errors import WHOLE

if TYPE_CHECKING:
    from planner.channel.channel import Channel

HALF = Fraction(1, 2)


@dataclass(frozen=True, eq=False, repr=False)
class PrefixThresholds(ScaledThresholds):
    """The same comparisons, each row's classes in an order of their own, asked until one is left.

    2^(a+1) - K places of the order are told by a = floor(log2 K) comparisons, the others by one more.
    """

    kind = "prefix_thresholds"
    adaptive = True  # the next side depends on the last answer
    listed = None  # made up on the way
    seed: int

    def over(self, channel: Channel) -> str:
        """How many comparisons are needed hangs on coins."""
        return NOISE_AND_COINS if channel.law.tailed else COINS

    @property
    def noise_share(self) -> Fraction:
        """Noise without a bound for certain has half of delta, the attacker's coins the other half."""
        return HALF

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Later comparisons depend on earlier ones."""
        return (*super().conditions, ADAPTIVE)

    @property
    def depth(self) -> int:
        """Comparisons that every label takes."""
        return self.classes.bit_length() - 1

    @property
    def deep(self) -> int:
        """Places of the order that take one more."""
        return 2 * (self.classes - (1 << self.depth))

    @property
    def further(self) -> int:
        """Labels that may take one more within the queries that are promised."""
        return self.queries - self.labels * self.depth

    def left_to_coins(self, channel: Channel) -> Fraction:
        """What noise that may leave its bound does not have of delta."""
        return channel.delta * (WHOLE - self.noise_share) if channel.law.tailed else channel.delta
