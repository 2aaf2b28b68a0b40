"""Peeling: the inequalities of labels of two classes, for the widest of its questions."""

from __future__ import annotations

from flint import arb

from planner.attacks.corners import corner_error, corner_fits, within_reach
from planner.attacks.inequalities import enough_room, guarantee
from planner.attacks.split_peel.parameters import SplitPeel
from planner.channel.channel import Channel
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, parameters: SplitPeel) -> Proof:
    """Weights above 0 that the scorer takes, gaps wider than the errors, designs that hold all rows and all members.

    Rows that a question is not about are at the middle weight, and none of them is scored and dear: of the rows that are
    left none is but of class 0, of the members none is. In the first question all rows take part.
    """
    p = parameters
    designs = (p.design, p.members)
    sound = all(one.sound() and one.K == 2 for one in designs) and p.members.amplitude <= p.design.amplitude
    return Proof(
        guarantee(channel),
        (
            within_reach(channel, ball(p.most), p.parts),
            compare("smallest weight > 0", lambda: ball(p.least), ">", lambda: arb(0)),
            compare("gap > 2 (E + dev)", lambda: ball(p.gap), ">", lambda: 2 * peel_error(channel, p)),
            compare("designs that hold what they say", lambda: ball(int(sound)), ">=", lambda: ball(1)),
            enough_room(p.design.capacity() if sound else 0, channel.rows),
            compare(
                "room for the members >= scored rows",
                lambda: ball(p.members.capacity() if sound else 0),
                ">=",
                lambda: ball(channel.scored),
            ),
            compare(
                "queries asked >= queries of all questions", lambda: ball(p.queries), ">=", lambda: ball(p.most_queries)
            ),
            *corner_fits(channel, p.queries, ball(p.least), ball(p.most), p.parts),
        ),
    )


def peel_error(channel: Channel, parameters: SplitPeel) -> arb:
    """How far a sum of charges is from what labels predict, whichever question is asked."""
    p = parameters
    return corner_error(channel, p.queries, ball(p.least), ball(p.most), p.parts)
