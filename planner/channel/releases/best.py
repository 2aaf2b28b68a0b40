"""The best score so far is shown, and no other."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

from dsl.scenario import BestOnly
from planner.channel.releases.base import Falling, Release, Transcripts, nearest, rational


class Best(Release):
    """Of all scores so far the lowest.

    Rounding keeps the order of scores, so what is shown is the lowest of the rounded scores: it falls through the
    multiples of the last decimal from the largest score to 0.
    """

    id = "best"
    kind = BestOnly
    known = True
    remembers = True
    of_shown = True
    title = "the best score so far is shown"

    def start(self) -> Any:
        """Worse than any score."""
        return inf

    def at_first(self) -> Any:
        """Infinity: there is no best score yet."""
        return inf

    def step(self, state: Any, score: Any) -> tuple[Any, Any]:
        """The lower of the two; a score below 0 counts as 0, one that is no number as none."""
        held = rational(score)
        if held is None or held >= state:
            return state, state
        kept = score if score > 0 else 0.0
        return kept, kept

    def transcripts(self, unit: Fraction | None, largest: Fraction | None) -> Transcripts | None:
        """A level for each multiple of the unit that is shown."""
        return None if unit is None or largest is None else Falling(nearest(largest / unit) + 1)
