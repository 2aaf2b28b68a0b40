"""Parameters of splitting."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.design.parameters import DesignStages
from planner.attacks.parameters import Parameters
from planner.channel.conditions import ADAPTIVE, COLUMN_A_CLASS, FLOATING_PREDICTIONS, INFORMED, Condition
from planner.designs.base import Design


@dataclass(frozen=True, eq=False, repr=False)
class Splitting(Parameters):
    """Counts of wrong guesses in ever smaller parts, then the classes of those that were found.

    A row of weight e, a multiple of 1/2 within amplitude/2, charges `unit` * e more if the guess is wrong there.
    """

    kind = "splitting"
    adaptive = True  # what is cut next depends on what was counted
    radius: int  # labels among those attacked that the guess may have wrong
    amplitude: int  # the largest difference of two weights
    unit: Fraction
    prime: int  # of the power sums that the number of queries rests on; 0: it rests on halving
    design: Design | None  # that tells the classes of wrong rows; None: there are two classes
    gap: Fraction  # of that design
    digits: int  # its stages

    @property
    def stages(self) -> DesignStages | None:
        """The second part: the classes of rows whose guess is wrong, by a design; its errors count all queries."""
        if self.design is None:
            return None
        return DesignStages(self.queries, self.radius, self.design, self.gap, self.digits)

    @property
    def told(self) -> int:
        """Of two classes a wrong guess tells the right one; of more, the design does."""
        stages = self.stages
        return 2 if stages is None else stages.told

    @property
    def fixes(self) -> dict[str, str]:
        """What the design fixes."""
        stages = self.stages
        return {} if stages is None else stages.fixes

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A guess, and rows of a design."""
        return (INFORMED, ADAPTIVE, COLUMN_A_CLASS, FLOATING_PREDICTIONS)
