"""The best score so far is shown, and what is shown changes only so often."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

from dsl.scenario import ChangesOnly
from planner.channel.releases.base import Falling, Release, Transcripts
from planner.channel.releases.best import Best


class Changes(Release):
    """The lowest score so far, until it was beaten B times, the first score included; from then on nothing changes."""

    id = "changes"
    kind = ChangesOnly
    known = True
    remembers = True
    title = "the best score is shown until it was beaten so often"

    def __init__(self, most: int) -> None:
        self.most = most

    @classmethod
    def of(cls, value: Any) -> Release:
        """As many changes as the scenario says."""
        return cls(value.most)

    def start(self) -> Any:
        """Worse than any score, and no change made."""
        return inf, 0

    def at_first(self) -> Any:
        """Infinity: there is no best score yet."""
        return inf

    def step(self, state: Any, score: Any) -> tuple[Any, Any]:
        """The lower of the two, while changes are left."""
        best, made = state
        if made >= self.most:
            return state, best
        lower, _ = Best().step(best, score)
        return (lower, made + (lower < best)), lower

    def transcripts(self, unit: Fraction | None, largest: Fraction | None) -> Transcripts | None:
        """What is shown changes no oftener than what is kept."""
        found = Best().transcripts(unit, largest)
        return Falling(found.levels, self.most) if isinstance(found, Falling) else None
