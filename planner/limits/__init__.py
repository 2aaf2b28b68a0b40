"""The impossibility proofs, in the order in which they are shown."""

from __future__ import annotations

from dataclasses import replace

from planner.channel.channel import Channel
from planner.limits.common import LimitTheorem
from planner.limits.counting import Counting
from planner.limits.energy import Energy
from planner.limits.entropy import Entropy
from planner.limits.fano import Fano
from planner.limits.flat import FlatCell
from planner.limits.neighbour import Neighbour
from planner.limits.neighbour_random import NeighbourRandom
from planner.limits.response import Response
from planner.limits.start import Start
from planner.limits.transcripts import Transcripts
from planner.model import Limit
from planner.numerics.patience import begin
from planner.numerics.reals import working

LIMITS: tuple[LimitTheorem, ...] = (
    Counting(),
    Neighbour(),
    Entropy(),
    Fano(),
    NeighbourRandom(),
    Energy(),
    Transcripts(),
    Start(),
    FlatCell(),
    Response(),
)


def limits_of(channel: Channel) -> tuple[Limit, ...]:
    """What every proof says of the channel: nothing where it holds a value that no proof knows."""
    begin("limits")
    return tuple(limit_of(theorem, channel) for theorem in LIMITS)


def excluding_of(channel: Channel, theorems: tuple[LimitTheorem, ...]) -> tuple[LimitTheorem, ...]:
    """Those proofs that exclude the goal within the budget."""
    return tuple(one for one in theorems if limit_of(one, channel).excludes(channel.budget))


def limit_of(theorem: LimitTheorem, channel: Channel) -> Limit:
    """What one proof says of the channel."""
    if channel.unknown:
        return theorem.silent(f"no proof covers this {channel.unknown[0]} together with the other fields")
    if channel.beside and not theorem.joint:
        return theorem.silent("it speaks of one metric alone")
    if theorem.needs is not None and not theorem.needs.met(channel):
        return theorem.silent(f"needs {theorem.needs.need}")
    if not theorem.speaks_of(channel):
        found = theorem.silent(f"it says nothing of a board where {channel.released.title}")
        return replace(found, parameters=(("membership", False),)) if channel.membership else found
    if channel.secret.settled:
        return theorem.silent("the guess alone meets the goal")
    with working(channel.working_bits):
        if channel.membership:
            return _of_split(theorem, channel)
        return _strongest(theorem, channel) if channel.secret.informed else theorem.apply(channel)


def _of_split(theorem: LimitTheorem, channel: Channel) -> Limit:
    """What the proof says of labels and split together, or of labels alone: finding both is no easier."""
    worlds = [replace(channel, membership=False), *([channel] if channel.breadth().is_finite() else [])]
    found = [(theorem.apply(one), one.membership) for one in worlds]
    best, both = max(found, key=lambda one: (one[0].excludes_all, one[0].queries or 0, not one[1]))
    return replace(best, parameters=(*best.parameters, ("membership", both)))


def _strongest(theorem: LimitTheorem, channel: Channel) -> Limit:
    """What the proof says of the labelings that are possible, or of a part of them: finding those is no harder.

    A part is the labelings at one distance of the guess. The bound has one peak over these distances: the search goes
    inwards from the largest, for as long as it rises.
    """
    best = _of(theorem, channel)
    if channel.exactly or best.excludes_all:
        return best
    most = channel.scored * (channel.classes - 1) // channel.classes
    distance, last = min(channel.radius, most), -1
    while distance > channel.wrong_allowed:
        found = _of(theorem, replace(channel, radius=distance, exactly=True))
        if found.excludes_all:
            return found
        if (found.queries or 0) < last:
            break
        last = found.queries or 0
        best = max(best, found, key=lambda one: one.queries or 0)
        distance = distance * 3 // 4
    return best


def _of(theorem: LimitTheorem, channel: Channel) -> Limit:
    """What a proof says of a channel with a guess, and of which labelings."""
    found = theorem.apply(channel)
    return replace(found, parameters=(*found.parameters, ("radius", channel.radius), ("exactly", channel.exactly)))
