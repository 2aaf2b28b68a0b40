"""Parameters of the guess."""

from __future__ import annotations

from dataclasses import dataclass

from planner.attacks.parameters import Parameters
from planner.attacks.promise import NOTHING
from planner.channel.channel import Channel
from planner.channel.conditions import INFORMED, Condition


@dataclass(frozen=True, eq=False, repr=False)
class Guess(Parameters):
    """All labels as the attacker guesses them, no query asked."""

    kind = "guess"
    fewest = 0  # no query at all
    listed = 0  # none are listed
    classes: int
    wrong: int  # labels that may come out wrong

    @property
    def told(self) -> int:
        """A guess may name any class."""
        return self.classes

    @property
    def mistakes(self) -> int:
        """As many as the guess may have wrong."""
        return self.wrong

    def over(self, channel: Channel) -> str:
        """Nothing is asked, so nothing is left to noise."""
        return NOTHING

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A guess."""
        return (INFORMED,)
