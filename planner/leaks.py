"""Of several scores that come back together, which one gives most away."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.alike import ByFields
from planner.catalogue import CATALOGUE
from planner.channel.channel import Channel
from planner.considering import consider_reading
from planner.exposing import price
from planner.model import Candidate


@dataclass(frozen=True, eq=False, repr=False)
class Leak(ByFields):
    """A score by its name, and the cheapest certified attack that reads no other; None: there is none."""

    metric: str
    candidate: Candidate | None

    @property
    def queries(self) -> int | None:
        """What that attack asks."""
        plan = None if self.candidate is None else self.candidate.certified
        return None if plan is None else plan.queries


def leaks_of(channel: Channel) -> tuple[Leak, ...]:
    """Each of several scores, the one that takes the fewest queries first; nothing where there is one alone."""
    found = [Leak(one.metric_id, _cheapest(one)) for one in channel.readings] if channel.beside else []
    return tuple(sorted(found, key=lambda one: (one.queries is None, one.queries or 0)))


def _cheapest(channel: Channel) -> Candidate | None:
    """Within the budget or not."""
    found = (consider_reading(theorem, channel) for theorem in CATALOGUE)
    return min((one for one in found if one.certified is not None), key=price, default=None)
