"""Parameters of groups of guessed rows below a Ladder's level."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.parameters import Parameters
from planner.attacks.patterns.parameters import LADDER
from planner.channel.conditions import INFORMED, Condition


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Parameters):
    """Wrong guesses are counted first; then groups are made sure, and the board falls for those without a fault."""

    kind = "groups"
    told = 2
    adaptive = True  # how the others lean depends on what was shown
    doubt: Fraction  # what a sure row leaves to the other class
    lean: Fraction  # and a row that leans to its guess, at least: all others lean as a query needs it
    below: Fraction  # T: how far below the board's edge a sum is put
    size: int  # rows of a group
    falls: int  # groups without a fault that are found
    radius: int  # guesses that may be wrong

    @property
    def asked(self) -> int:
        """One for each number of wrong guesses, one a group without a fault, one a group with one."""
        return self.radius + 1 + self.falls + self.radius

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Of every attack on a Ladder from a level, and a guess."""
        return (*LADDER, INFORMED)
