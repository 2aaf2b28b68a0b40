"""A Ladder from infinity gives labels away whatever its step: a share of them, one a query."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log, log1p, sqrt
from typing import TYPE_CHECKING

from dsl.scenario import LadderOf
from planner.attacks.attack import Attack
from planner.attacks.costs import falling_cost
from planner.attacks.surest import GRID, surest
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.model import Refusal

if TYPE_CHECKING:
    from planner.attacks.room.parameters import Room

PARTS = 2**20  # T is a whole number of these
SEED = 20150
SPARE = 1e-6  # relative, for what floats lose


class LadderRoom(Theorem["Room"]):
    """Rows asked one by one."""

    id = "room"
    title = "A label a query in the room below a bad first score"
    cite = "room"
    statement = (
        "On a Ladder that starts at infinity, whatever its step. Most rows are predicted for sides that coins choose, "
        "as surely as possible: that score is bad, and the board shows it. It tells how many of these sides are wrong, "
        "up to a few numbers which as many queries settle, and from then on what these rows charge together is known at "
        "any strength. So they put every sum just below the board's edge, and another row that is made sure tells its "
        "label: the board falls by a step, or stays. Half of the labels make it fall; about N (W/2)/(N eta/2 + W/2) "
        "labels come out before the room is used up."
    )
    conditions = (
        "release = ladder(eta) from infinity",
        "K = 2, log_loss, no noise, adaptive = yes, confidence below 100%",
        "N eta > ln 2: finer steps fall to a descent",
    )

    def propose(self, channel: Channel) -> Proposal[Room] | tuple[Refusal, ...]:
        """The wanted labels are asked, and all other rows pay."""
        from planner.attacks.room.parameters import Room

        probe = Room(1, channel.wanted, Fraction(1, 8), Fraction(1), 1, 1, 1, SEED)
        reasons = self.unmet(channel, *probe.conditions)
        if reasons:
            return reasons
        found = _room(channel)
        if found is None:
            need = f"room for {channel.wanted} labels below what {channel.scored - channel.wanted} rows pay"
            return (self.refuse(channel, "release", need, "less"),)
        return _priced(channel, found)

    def deciding(self, channel: Channel) -> str:
        """What is shown."""
        return "release"

    def build(self, channel: Channel, parameters: Room) -> Attack:
        """A runnable adaptive attack."""
        from planner.attacks.room.run import RoomAttack

        return RoomAttack(self.id, channel, parameters)


def _room(channel: Channel) -> Room | None:
    """The surest prediction on whose grid targets can be met, and how far from half coins stray."""
    from planner.attacks.room.parameters import Room

    surest_of_all = surest(channel)
    assert isinstance(channel.release, LadderOf)
    n, rows, eta = channel.wanted, channel.scored, float(channel.release.eta.hi)
    others = rows - n
    if surest_of_all is None or others < 1:
        return None
    astray = sqrt(log(2 / float(channel.delta)) / 2) * (1 + SPARE)
    least, most = floor(others / 2 - astray * sqrt(others)), ceil(n / 2 + astray * sqrt(n))
    below = _below(channel, n, least, float(surest_of_all))
    if below <= 0 or least < 1:
        return None
    doubt = max(surest_of_all, Fraction(ceil(9 * rows / below), GRID))
    if doubt >= Fraction(1, 4):
        return None
    counts = floor((rows * eta + 1) / _weight(float(doubt))) + 1
    bare = Room(1, n, doubt, below, counts, least, most, SEED)
    return Room(bare.asked, n, doubt, below, counts, least, most, SEED)


def _weight(p: float) -> float:
    return log1p(-p) - log(p)


def _below(channel: Channel, n: int, least: int, p: float) -> Fraction:
    """T: a third of a step, half of a row's weight and of what a side weighs while sides are counted, at most."""
    assert isinstance(channel.release, LadderOf)
    rows, step = channel.scored, channel.scored * float(channel.release.eta.lo)
    paid = n * log(2) + least * _weight(p) - 3 * step - rows * log(2)
    return Fraction(int(min(step / 3, _weight(p) / 2, paid / (2 * max(rows - n, 1))) * PARTS), PARTS)


def _priced(channel: Channel, parameters: Room) -> Proposal[Room]:
    def within(queries: int) -> int:
        return max(0, min(parameters.labels, queries - 1 - parameters.counts))

    return falling_cost(channel, parameters, parameters.doubt, within)
