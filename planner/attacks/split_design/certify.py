"""Labels and split in one round: rounding to whole gaps is right while the error stays below half a gap."""

from __future__ import annotations

from flint import arb

from planner.attacks.corners import corner_error, corner_fits, within_reach
from planner.attacks.inequalities import enough_room, guarantee
from planner.attacks.split_design.parameters import SplitDesign
from planner.channel.channel import Channel
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, parameters: SplitDesign) -> Proof:
    """Weights that the scorer takes, gaps wider than the errors, and two columns of the design for every row.

    Rows that the design does not hold would be charged, too: it must hold all of them. For each number n' of scored rows at
    most one state explains the scores. Of two that do for different numbers one has a row that the other lacks or has of
    another class: if every row is cheap for the other's class and that one dear, n' scores are rests alone for the one and
    differ by the largest weight for the other. That is at least a gap, so one query settles it.
    """
    p, seed = parameters, parameters.seed
    sound = compare(
        "designs that hold what they say", lambda: ball(int(seed is not None and seed.sound())), ">=", lambda: ball(1)
    )
    if not sound.holds:
        return Proof("nothing: the design is none", (sound,))
    least, most = weights(p)
    return Proof(
        guarantee(channel),
        (
            sound,
            within_reach(channel, most),
            compare("gap > 2 (E + dev)", lambda: ball(p.gap), ">", lambda: 2 * design_error(channel, p)),
            enough_room(p.design.capacity() // 2, p.labels),
            compare("rows of the design >= N", lambda: ball(p.labels), ">=", lambda: ball(channel.rows)),
            compare(
                "queries asked >= queries of the design and of settling",
                lambda: ball(p.queries),
                ">=",
                lambda: ball(p.design.M + p.settling),
            ),
            compare(
                "queries of settling >= numbers of scored rows, less one",
                lambda: ball(p.settling),
                ">=",
                lambda: ball(channel.uncertain),
            ),
            *corner_fits(channel, p.queries, least, most),
        ),
    )


def weights(parameters: SplitDesign) -> tuple[arb, arb]:
    """The smallest and the largest weight of a row."""
    seed = parameters.seed
    assert seed is not None
    return ball(seed.low * parameters.gap), ball(seed.high * parameters.gap)


def design_error(channel: Channel, parameters: SplitDesign) -> arb:
    """How far a sum of charges is from what states predict."""
    return corner_error(channel, parameters.queries, *weights(parameters), either=True)
