"""The Ladder: what is shown changes only for a score that beats it by a step, and then in whole steps.

From "The Ladder: a reliable leaderboard for machine learning competitions" (Blum and Hardt, 2015), whose board starts at
infinity. Started at a level that is public, it shows nothing until somebody beats that.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

from dsl.scenario import LadderOf
from planner.channel.releases.base import Falling, Release, Transcripts, nearest, rational


class Ladder(Release):
    """R is shown; a score x < R - eta makes it the multiple of eta that is nearest to x.

    A change falls by a step at least: x < R - eta, so that the nearest multiple is at most R - eta where R is one itself,
    and below R where it is a start that is none. The state is the number of steps, so that no float is rounded on the
    way and nothing but multiples is ever shown.
    """

    id = "ladder"
    kind = LadderOf
    known = True
    remembers = True
    title = "what is shown changes only for a score that beats it by a step"

    def __init__(self, eta: Fraction, start: Fraction | None = None) -> None:
        if eta <= 0:
            raise ValueError("a step of the Ladder is above 0")
        self.eta, self.first = Fraction(eta), None if start is None else Fraction(start)

    @classmethod
    def of(cls, value: Any) -> Release:
        """A number that is known between two ends: the smaller step, the higher start, which show no less."""
        return cls(value.eta.lo, None if value.start is None else value.start.hi)

    def start(self) -> Any:
        """No step was made yet: the start is shown."""
        return None

    def at_first(self) -> Any:
        """The start."""
        return inf if self.first is None else float(self.first)

    def step(self, state: Any, score: Any) -> tuple[Any, Any]:
        """A score that beats what is shown by a step is shown, to the nearest step."""
        held, shown = rational(score), self.level(state)
        if held is None or (shown is not None and not held < shown - self.eta):
            return state, inf if shown is None else float(shown)
        steps = nearest(held / self.eta)
        return steps, float(steps * self.eta)

    def level(self, state: int | None) -> Fraction | None:
        """What is shown in this state; None: infinity."""
        return self.first if state is None else state * self.eta

    def transcripts(self, unit: Fraction | None, largest: Fraction | None) -> Transcripts | None:
        """A level for each multiple of eta that can come after the start; digits only take some of them together."""
        if self.first is not None:
            return Falling(nearest((self.first - self.eta) / self.eta) + 1 if self.first > self.eta else 0)
        return None if largest is None else Falling(nearest(largest / self.eta) + 1)
