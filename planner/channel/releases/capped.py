"""No score is shown that is worse than a level."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dsl.scenario import CappedAt
from planner.channel.releases.base import Each, Release, Transcripts, nearest, rational


class Capped(Release):
    """Each score, or the level where that is lower: bad submissions are told nothing apart."""

    id = "capped"
    kind = CappedAt
    known = True
    of_shown = True
    title = "no score above a level is shown"

    def __init__(self, level: Fraction) -> None:
        self.level = level

    @classmethod
    def of(cls, value: Any) -> Release:
        """The level from above: then no value is left out when they are counted."""
        return cls(value.level.hi)

    def start(self) -> Any:
        """Nothing is remembered."""
        return None

    def step(self, state: Any, score: Any) -> tuple[Any, Any]:
        """The lower of the two; a score below 0 counts as 0."""
        held = rational(score)
        if held is None or held >= self.level:
            return state, float(self.level)
        return state, score if score > 0 else 0.0

    def transcripts(self, unit: Fraction | None, largest: Fraction | None) -> Transcripts | None:
        """Multiples of the unit from 0 to the level, rounded, at every query."""
        return None if unit is None else Each(nearest(self.level / unit) + 1)
