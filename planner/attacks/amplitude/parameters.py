"""Parameters of averages under weights of random size."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.parameters import Parameters
from planner.attacks.promise import COINS, NOISE_AND_COINS
from planner.attacks.spread.parameters import base_set
from planner.channel.conditions import DITHERED, Condition
from planner.channel.metrics import metric_of
from planner.channel.metrics.base import Metric

if TYPE_CHECKING:
    from planner.channel.channel import Channel

UNIFORMS = 8
"""Uniform variables that a gap is the sum of: the more of them, the fewer cells make rounding errors even."""

NOISE_SHARE = Fraction(1, 64)
"""Of delta, that random noise leaves the bound within which every score must be explained."""


@dataclass(frozen=True, eq=False, repr=False)
class AmplitudeSpread(Parameters):
    """Query (tau, t) weighs block b of the labels by H[tau, b] times row t of a butterfly, times a gap of its own.

    The gap is `least` plus `width` times the mean of UNIFORMS uniform variables, drawn from the attacker's coins, and so
    is a sign for each label: no sum of labels exceeds `lean` times the sum of the entries' sizes. Scores are rounded to
    multiples of `unit`.
    """

    kind = "amplitude_spread"
    told = 2  # two classes
    rows: int  # of a submission; labels of the first ones are recovered
    columns: int
    small: Fraction  # smallest probability that a row gives a class
    least: Fraction  # gap, in nats: the log-odds of an entry 1
    width: Fraction  # gaps stay below least + width
    order: int
    rounds: int
    base: int  # labels in the butterfly's base row
    unit: Fraction
    lean: Fraction
    repairs: bool  # sums in doubt are settled by what every score allows, there being no noise
    rate: Fraction  # at which Chernoff's bound on a mean of errors is taken, for errors in gaps
    seed: int

    @property
    def listed(self) -> int | None:
        """Every sum once."""
        return self.order * self.rounds

    def over(self, channel: Channel) -> str:
        """The coins, and the noise where it is random."""
        return NOISE_AND_COINS if channel.random else COINS

    @property
    def fixes(self) -> dict[str, str]:
        """Every row takes part in every query."""
        return {"N": f"{self.rows}", "K": "2", "columns": f"{self.columns}"}

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What a row charges, and what is shown of a score."""
        return DITHERED

    @property
    def scored_by(self) -> Metric:
        """Log-loss, which the conditions ask for."""
        return metric_of("log_loss")

    @property
    def amplitude(self) -> int:
        """The largest entry."""
        return base_set(self.base).maximum

    @property
    def block(self) -> int:
        """Labels a block."""
        return -(-self.labels // self.order)
