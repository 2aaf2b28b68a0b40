"""A Ladder as an attacker sees it: the level that is shown, its edge, and whether it fell."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dsl.scenario import LadderOf
from planner.attacks.attack import InconsistentScores
from planner.attacks.patterns.certify import shown_within
from planner.attacks.scores import exact_score
from planner.channel.channel import Channel
from planner.channel.releases.base import nearest


class Rungs:
    """The level that the board stands at; it only falls, and to multiples of its step."""

    def __init__(self, channel: Channel) -> None:
        assert isinstance(channel.release, LadderOf)
        self.channel, self.eta = channel, channel.release.eta.lo
        start = channel.release.start
        self.level: Fraction | None = None if start is None else start.hi

    @property
    def edge(self) -> Fraction:
        """The sum of charges below which it falls."""
        assert self.level is not None
        return self.channel.scored * (self.level - self.eta)

    def fell(self, shown: Any, by_one: bool) -> bool:
        """Whether what is shown is a lower level; `by_one`: it can only be the next one."""
        value = exact_score(shown) - self.channel.centre
        within = shown_within(self.channel)
        if self.level is not None and abs(value - self.level) <= within:
            return False
        found = nearest(value / self.eta) * self.eta
        known = self.level is None or found < self.level - (0 if by_one else self.eta / 4)
        if abs(value - found) > within or not known or (by_one and found != self._next()):
            raise InconsistentScores("what the board shows is no level that it can fall to")
        self.level = found
        return True

    def _next(self) -> Fraction | None:
        return None if self.level is None else self.level - self.eta
