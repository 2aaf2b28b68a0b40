"""Parameters of power sums."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.parameters import Parameters
from planner.attacks.splitting.bound import power_sums
from planner.channel.conditions import FLOATING_PREDICTIONS, INFORMED, TWO_CLASSES, Condition


@dataclass(frozen=True, eq=False, repr=False)
class PowerSums(Parameters):
    """A count of the wrong guesses, and the power sums of their rows' numbers modulo a prime, digit by digit.

    A row of weight e, an integer within the amplitude, charges `unit` * e more if the guess is wrong there.
    """

    kind = "power_sums"
    told = 2  # two classes: where the guess is wrong, the other is right
    radius: int  # labels among those attacked that the guess may have wrong
    amplitude: int  # the largest weight
    unit: Fraction
    prime: int

    @property
    def listed(self) -> int | None:
        """The count, and a power sum a wrong label."""
        return power_sums(self.radius, self.prime, 2 * max(self.amplitude, 1))

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A guess, and rows of two classes."""
        return (INFORMED, TWO_CLASSES, FLOATING_PREDICTIONS)
