"""Who is scored, asked directly, and then the labels of those rows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from planner.attacks.affording import ROOM, rounded_down
from planner.attacks.attack import Attack
from planner.attacks.corners import bits_read, known_error
from planner.attacks.design.settling import coarsest, settle
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import (
    ADAPTIVE,
    ANY_SUMS,
    COUNT_KNOWN,
    FLOATING_PREDICTIONS,
    LOGARITHMIC,
    PART_SCORED,
)
from planner.designs.base import Design
from planner.designs.chooser import FAMILIES, Family, best_design, design_for
from planner.model import Refusal
from planner.numerics.reals import ball, brief, lower, upper
from planner.numerics.search import ROUNDS, settled

if TYPE_CHECKING:
    from planner.attacks.design.parameters import DesignStages
    from planner.attacks.split_members.parameters import SplitMembers

MOST_CLASSES = 128  # that a design tells at once


class SplitMembership(Theorem["SplitMembers"]):
    """Rows that charge every class alike."""

    id = "split-members"
    title = "Who is scored, then the labels of those rows"
    cite = "rows of any sum; Theorem U"
    statement = (
        "Where rows need not sum to 1, a row that gives every class the same probability e^-w charges w if it is scored and "
        "nothing if not, whatever its label: which rows are scored is a question of two answers, of all N rows, with the "
        "whole of W and without a rest. The labels of the n rows found are then those of a board of n rows that are all "
        "scored. That is M(N) + M'(n) queries for labels and split, of any number of classes."
    )
    partial = False
    conditions: ClassVar[tuple[str, ...]] = (
        "a part of the rows is scored, and n is known",
        "a scorer that charges rows whatever they sum to",
        "queries may be adaptive",
        "gap > 2 (E + dev)",
    )

    def propose(self, channel: Channel) -> Proposal[SplitMembers] | tuple[Refusal, ...]:
        """The fewest queries over all designs for the amplitudes that the channel affords."""
        needed = PART_SCORED, LOGARITHMIC, ANY_SUMS, ADAPTIVE, COUNT_KNOWN, FLOATING_PREDICTIONS
        reasons = self.unmet(channel, *needed)
        if reasons:
            return reasons
        from planner.attacks.split_members.certify import reach

        if not reach(channel) > 0:
            return (
                self.refuse(channel, "clip", "a row that shows whether it is scored", f"W = {brief(reach(channel))}"),
            )
        found = [one for family in FAMILIES if (one := _settle(channel, family)) is not None]
        best = min(found, key=lambda one: one.queries, default=None)
        return _cost(channel, best) if best is not None else self._too_coarse(channel)

    def _too_coarse(self, channel: Channel) -> tuple[Refusal, ...]:
        """Why not even designs of the least amplitude are certified."""
        from planner.attacks.split_members.certify import board_of, reach

        stages = coarsest(board_of(channel), *_shapes(channel)[-1])
        if stages is None:
            have = f"W = {brief(reach(channel))}"
            return (self.refuse(channel, "clip", "a row that tells its classes apart", have),)
        return self.failed(channel, certify(channel, _record(channel, best_design(channel.rows, Fraction(1)), stages)))

    def build(self, channel: Channel, parameters: SplitMembers) -> Attack:
        """A runnable attack."""
        from planner.attacks.split_members.run import MembersAttack

        return MembersAttack(self.id, channel, parameters)


def _settle(channel: Channel, family: Family) -> SplitMembers | None:
    """Alternate between the errors for so many queries and the designs for these, until the certifier agrees."""
    from planner.attacks.split_members.certify import prove

    def afforded(before: SplitMembers | None) -> SplitMembers | None:
        queries = max(1, channel.rows // 8) if before is None else before.queries
        asking, stages = _asking(channel, family, queries), _labels(channel, queries)
        return None if asking is None or stages is None else _record(channel, asking, stages)

    # Errors depend on the queries under random noise alone.
    return settled(afforded, lambda one: prove(channel, one).holds, ROUNDS if channel.random else 1)


def _asking(channel: Channel, family: Family, queries: int) -> Design | None:
    """The design that asks who is scored."""
    low, high = _charges(channel)
    error = known_error(channel, queries, ball(high))
    if not error > 0 or not error.is_finite():
        return None
    return design_for(family, channel.rows, lower(ball(high - low) / (4 * error) * (1 - ball(2 * ROOM))))


def _labels(channel: Channel, queries: int) -> DesignStages | None:
    """The design of the labels of scored rows; random noise must stay small in all queries."""
    from planner.attacks.split_members.certify import board_of

    board = board_of(channel)
    board = replace(board, delta=board.delta / (queries if board.random else 1))
    found = [settle(board, *shape) for shape in _shapes(channel)]
    return min((one for one in found if one is not None), key=lambda one: one.queries, default=None)


def _shapes(channel: Channel) -> list[tuple[int, int]]:
    """All classes at once, or by binary digits."""
    K = channel.classes
    binary = [(2, (K - 1).bit_length())]
    return binary if K == 2 or K > MOST_CLASSES else [(K, 1), *binary]


def _charges(channel: Channel) -> tuple[Fraction, Fraction]:
    """Between what rows are charged that the scorer takes as they are."""
    from planner.attacks.split_members.certify import reach

    top = reach(channel)
    return upper(channel.metric.corner_rest(top, 1, 1)), lower(top)


def _record(channel: Channel, asking: Design, stages: DesignStages) -> SplitMembers:
    """The gap that fills the charges."""
    from planner.attacks.split_members.parameters import SplitMembers

    low, high = _charges(channel)
    low = max(low, high * ROOM)
    gap = rounded_down((high - low) / 2 / asking.amplitude * (1 - ROOM))
    centre = rounded_down((low + high) / 2)
    asked = asking.M + stages.listed
    own = stages.design, stages.gap, stages.digits
    return SplitMembers(asked, channel.rows, asking, gap, centre, channel.scored, *own)


def _cost(channel: Channel, p: SplitMembers) -> Proposal[SplitMembers]:
    from planner.attacks.split_members.certify import asking_error

    M = p.queries
    return Proposal(
        p,
        Fraction(p.labels, M),
        precision_bits=bits_read(channel, p.gap, lambda: asking_error(channel, p)),
        prediction_bits=64,
        operations=2 * M * max(M.bit_length(), 1) + p.labels,
        memory=8 * channel.rows * (channel.columns + 4) + 64 * M,
        within=lambda queries: 0,
    )
