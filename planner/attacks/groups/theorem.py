"""What a guess is worth on a Ladder that starts at a public level: each of its levels settles a group of rows."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log, log1p
from typing import TYPE_CHECKING

from dsl.scenario import LadderOf
from planner.attacks.attack import Attack
from planner.attacks.costs import falling_cost
from planner.attacks.surest import surest
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.model import Refusal

if TYPE_CHECKING:
    from planner.attacks.groups.parameters import Groups

GRID = 2**53
PARTS = 2**20  # T is a whole number of these
MOST_FALLS = 20_000


class LadderGroups(Theorem["Groups"]):
    """Groups whose guesses are all right."""

    id = "groups"
    title = "Groups of guessed rows without a fault, each for a step of the Ladder"
    cite = "groups"
    statement = (
        "On a Ladder that starts at a public level, by somebody whose guess has at most s labels wrong. All rows lean "
        "to their guesses, so much that the board falls if at most k are wrong: k = 0, 1, ... counts them, for one "
        "step. Then groups of g rows are made sure, and the others lean so much that the board falls if a group has no "
        "fault. Groups do not share rows, so at most s have one. Each of the other groups settles g labels for one "
        "step: Y g labels in Y + 2s + 1 queries, Y as many steps as there are between the start and what s wrong "
        "guesses cost."
    )
    conditions = (
        "release = ladder(eta, start), a guess whose own score is well below the start",
        "K = 2, log_loss, no noise, adaptive = yes",
    )
    informed = True

    def propose(self, channel: Channel) -> Proposal[Groups] | tuple[Refusal, ...]:
        """As few steps as tell the labels that are wanted."""
        from planner.attacks.groups.parameters import Groups

        probe = Groups(1, channel.wanted, Fraction(1, 8), Fraction(1, 4), Fraction(1), 1, 1, channel.radius)
        reasons = self.unmet(channel, *probe.conditions)
        if reasons:
            return reasons
        doubt = surest(channel)
        lean = _lean(channel)
        if doubt is None or not doubt < lean < Fraction(1, 2):
            return (self.refuse(channel, "guess", "a guess that is mostly right, and room to lean to it", "none"),)
        found = _smallest(channel, doubt, lean)
        if found is None:
            need = f"steps between the start and the guess that settle {channel.wanted} labels"
            return (self.refuse(channel, "release", need, "fewer"),)
        return _priced(channel, found)

    def deciding(self, channel: Channel) -> str:
        """What is shown."""
        return "release"

    def build(self, channel: Channel, parameters: Groups) -> Attack:
        """A runnable adaptive attack."""
        from planner.attacks.groups.run import GroupsAttack

        return GroupsAttack(self.id, channel, parameters)


def _lean(channel: Channel) -> Fraction:
    """The share that may be wrong, which leaning rows are charged least at; on the grid."""
    return Fraction(ceil(Fraction(max(channel.radius, 1), channel.scored) * GRID), GRID)


def _below(channel: Channel, doubt: Fraction) -> Fraction:
    """T: less than half a step, half of what a guess weighs while they are counted, and an eighth of a row."""
    assert isinstance(channel.release, LadderOf)
    assert channel.release.start is not None
    eta, start = float(channel.release.eta.lo), float(channel.release.start.hi)
    weight = log1p(-float(doubt)) - log(doubt)
    return Fraction(int(min(channel.scored * eta / 4, log(2) - start + eta, weight / 8) * PARTS), PARTS)


def _smallest(channel: Channel, doubt: Fraction, lean: Fraction) -> Groups | None:
    """The fewest falls whose groups hold the labels."""
    from planner.attacks.groups.certify import error
    from planner.attacks.groups.parameters import Groups

    assert isinstance(channel.release, LadderOf)
    assert channel.release.start is not None
    below, rows, s = _below(channel, doubt), channel.scored, channel.radius
    if below <= 0:
        return None
    eta, start = float(channel.release.eta.lo), float(channel.release.start.hi)
    p = Groups(1, channel.wanted, doubt, lean, below, 1, 1, s)
    light, weight = -log1p(-float(lean)), log1p(-float(lean)) - log(lean)
    slack = 2.5 * float(below) + float(error(channel, p))
    for falls in range(1, min(int(start / eta), rows, MOST_FALLS) + 1):
        size = rows // (falls + s)
        room = rows * (start - eta * (falls + 1.5)) - slack - (rows - falls * size) * light - s * weight
        if room <= 0 or not size:
            return None
        if falls * size >= channel.wanted:
            bare = Groups(1, channel.wanted, doubt, lean, below, size, falls, s)
            return Groups(bare.asked, channel.wanted, doubt, lean, below, size, falls, s)
    return None


def _priced(channel: Channel, parameters: Groups) -> Proposal[Groups]:
    def within(queries: int) -> int:
        return max(0, min(parameters.labels, (queries - 2 * parameters.radius - 1) * parameters.size))

    return falling_cost(channel, parameters, parameters.doubt, within)
