"""The impossibility proofs, in the order in which they are shown."""

from __future__ import annotations

from planner.channel.channel import Channel
from planner.limits.common import LimitTheorem
from planner.limits.counting import Counting
from planner.limits.energy import Energy
from planner.limits.entropy import Entropy
from planner.limits.fano import Fano
from planner.limits.neighbour import Neighbour
from planner.limits.neighbour_random import NeighbourRandom
from planner.model import Limit
from planner.numerics.patience import begin
from planner.numerics.reals import working

LIMITS: tuple[LimitTheorem, ...] = (Counting(), Neighbour(), Entropy(), Fano(), NeighbourRandom(), Energy())


def limits_of(channel: Channel) -> tuple[Limit, ...]:
    """What every proof says of the channel: nothing where it holds a value that no proof knows."""
    if channel.unknown:
        return tuple(theorem.silent(f"nothing is known of this {channel.unknown[0]}") for theorem in LIMITS)
    begin("limits")
    with working(channel.working_bits):
        return tuple(theorem.apply(channel) for theorem in LIMITS)
