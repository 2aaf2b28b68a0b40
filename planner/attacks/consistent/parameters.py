"""Parameters of averages under a free random offset."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.parameters import Parameters
from planner.attacks.promise import COINS, NOISE_AND_COINS
from planner.attacks.scaled.parameters import FREE_ROWS
from planner.attacks.spread.parameters import base_set
from planner.channel.conditions import AVERAGED_ERRORS, STEADY_NOISE, WIDE_FLOATS, Condition
from planner.channel.metrics import metric_of
from planner.channel.metrics.base import Metric
from planner.channel.sides import bits_of

if TYPE_CHECKING:
    from planner.channel.channel import Channel

NOISE_SHARE = Fraction(1, 64)
"""Of delta, that random noise leaves the bound within which every score must be explained."""


@dataclass(frozen=True, eq=False, repr=False)
class ConsistentSpread(Parameters):
    """Query (tau, t) weighs block b of the labels by H[tau, b] times row t of a butterfly; all rows are scaled by e^-nu.

    nu is drawn from the attacker's coins, uniformly over one unit of the last decimal; it is 0 where scores are not rounded.
    A row of entry x charges one side -ln(large) + nu and the other |x| gap more; no entry lies below `small`.
    """

    kind = "consistent_spread"
    rows: int  # of a submission; labels of the first ones are recovered
    classes: int
    columns: int
    small: Fraction
    large: Fraction
    gap: Fraction  # weight of an entry 1
    order: int
    rounds: int
    base: int  # labels in the butterfly's base row
    repairs: int  # sums of a round that are flipped at most to explain every score, errors being uniform
    tilt: Fraction  # where Chernoff's bound on a mean of noise and rounding is taken; 0: there are not both
    seed: int

    @property
    def told(self) -> int:
        """Bit by bit of their number."""
        return self.classes

    @property
    def bits(self) -> int:
        """Passes over the labels."""
        return bits_of(self.classes)

    @property
    def listed(self) -> int | None:
        """Every sum once."""
        return self.order * self.all_rounds

    @property
    def all_rounds(self) -> int:
        """Of all passes."""
        return self.rounds * self.bits

    def over(self, channel: Channel) -> str:
        """The coins, and the noise where it is random."""
        return NOISE_AND_COINS if channel.random else COINS

    @property
    def fixes(self) -> dict[str, str]:
        """Every row takes part in every query."""
        return {"N": f"{self.rows}", "K": f"{self.classes}", "columns": f"{self.columns}"}

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Scores that any amount can be added to before they are rounded, if they are, and float64."""
        return (*FREE_ROWS, AVERAGED_ERRORS, STEADY_NOISE, WIDE_FLOATS)

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

    def half_cell(self, unit: Fraction) -> Fraction:
        """Half of what rounding to a unit hides of a sum, in gaps."""
        return self.rows * unit / (2 * self.gap)
