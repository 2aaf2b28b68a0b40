"""Labels of a secret part: rounding to whole gaps is right while the error stays below half a gap."""

from __future__ import annotations

from flint import arb

from planner.attacks.corners import corner_error, corner_fits, within_reach
from planner.attacks.inequalities import enough_room, guarantee
from planner.attacks.split_labels.parameters import SplitLabels
from planner.channel.channel import Channel
from planner.channel.sides import bits_of
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, parameters: SplitLabels) -> Proof:
    """Weights above 0 that the scorer takes, gaps wider than the errors, and a design that holds the rows.

    The query that counts has gaps of the largest weight, which is more than two gaps of the design: it needs no
    inequality of its own.
    """
    p, design = parameters, parameters.design
    sound = design.sound() and design.K == 2
    return Proof(
        guarantee(channel),
        (
            within_reach(channel, ball(p.most)),
            compare("smallest weight > 0", lambda: ball(p.least), ">", lambda: arb(0)),
            compare("gap > 2 (E + dev)", lambda: ball(p.gap), ">", lambda: 2 * labels_error(channel, p)),
            compare("designs that hold what they say", lambda: ball(int(sound)), ">=", lambda: ball(1)),
            enough_room(design.capacity() if sound else 0, p.labels),
            # Digits beyond those of the classes would ask about none.
            compare("digits of a class", lambda: ball(p.digits), "<=", lambda: ball(bits_of(channel.classes))),
            *corner_fits(channel, p.queries, ball(p.least), ball(p.most)),
        ),
    )


def labels_error(channel: Channel, parameters: SplitLabels) -> arb:
    """How far a sum of charges is from what labels predict."""
    return corner_error(channel, parameters.queries, ball(parameters.least), ball(parameters.most))
