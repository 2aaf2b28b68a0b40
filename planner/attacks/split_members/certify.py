"""Who is scored: charges that do not depend on the class, then a board of the scored rows alone."""

from __future__ import annotations

from dataclasses import replace

from flint import arb

from planner.attacks.corners import known_error
from planner.attacks.design.certify import prove as prove_design
from planner.attacks.inequalities import enough_room, guarantee, score_fits
from planner.attacks.split_members.parameters import SplitMembers
from planner.channel.channel import Channel
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, p: SplitMembers) -> Proof:
    """Charges that the scorer takes, a gap wider than the errors, room for all rows; then the proof of the design.

    The sum of charges is that of the scored rows, n times the middle and a gap for each whole of their entries: how many
    are scored is known, so nothing has to be counted.
    """
    sound = p.asking.sound() and p.asking.K == 2
    return Proof(
        guarantee(channel),
        (
            compare("designs that hold what they say", lambda: ball(int(sound)), ">=", lambda: ball(1)),
            compare("W >= largest charge", lambda: reach(channel), ">=", lambda: ball(p.most)),
            compare("smallest charge >= that of the largest prediction",
                    lambda: ball(p.least), ">=", lambda: channel.metric.corner_rest(reach(channel), 1, 1)),
            compare("gap > 2 (E + dev) of who is scored",
                    lambda: ball(p.asking_gap), ">", lambda: 2 * asking_error(channel, p)),
            enough_room(p.asking.capacity() if sound else 0, channel.rows),
            compare("labels of the second part >= scored rows",
                    lambda: ball(p.part), ">=", lambda: ball(channel.scored)),
            compare("queries asked >= queries of both parts", lambda: ball(p.queries), ">=",
                    lambda: ball(p.asking.M + p.stages.listed)),
            *score_fits(channel, p.queries, lambda: ball(p.most)),
            *prove_design(board_of(channel), p.stages).inequalities,
        ),
    )  # fmt: skip


def board_of(channel: Channel) -> Channel:
    """The board of the scored rows alone, once it is known which these are."""
    n = channel.scored
    return replace(channel, rows=n, wanted=n, radius=n, uncertain=0, looser=0, membership=False)


def reach(channel: Channel) -> arb:
    """Of two probabilities that sum to 1 and that the scorer takes, what the smaller charges more."""
    return channel.metric.corner_reach(channel, 1)


def asking_error(channel: Channel, p: SplitMembers) -> arb:
    """How far a sum of charges of the first part is from what a split predicts."""
    return known_error(channel, p.queries, ball(p.most))
