"""Peeling: the inequalities of labels of two classes for its first question, and of rows that are known for the others."""

from __future__ import annotations

from flint import arb

from planner.attacks.corners import corner_error, known_error, known_fits, within_reach
from planner.attacks.inequalities import enough_room, guarantee
from planner.attacks.split_peel.parameters import SplitPeel
from planner.channel.channel import Channel
from planner.channel.conditions import MORE_CLASSES
from planner.designs.base import Design
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, parameters: SplitPeel) -> Proof:
    """Weights above 0 that the scorer takes, gaps wider than the errors, designs that hold all rows and all members.

    In the first question all rows take part. In the second all scored rows outside the members are of class 0: they are
    submitted as cheap for it as can be, and their number is known. In the third the members are as cheap, and every row
    that is left and scored is of class 0: what it is charged is what was wanted, whatever it is, and no rest deviates.
    """
    p, sound = parameters, _sound(parameters, MORE_CLASSES.met(channel))
    if not sound.holds:
        return Proof("nothing: the designs are none", (sound,))
    room = max(one.capacity() for one in p.members)
    widest = p.members_gap * max(one.amplitude for one in p.members)
    return Proof(
        guarantee(channel),
        (
            sound,
            within_reach(channel, ball(p.most), p.parts),
            compare("smallest weight > 0", lambda: ball(p.least), ">", lambda: arb(0)),
            compare("gap > 2 (E + dev)", lambda: ball(p.gap), ">", lambda: 2 * first_error(channel, p)),
            enough_room(p.design.capacity(), channel.rows),
            compare("room for the members >= scored rows", lambda: ball(room), ">=", lambda: ball(channel.scored)),
            compare("W of all classes >= gap x amplitude of members",
                    lambda: channel.metric.stage_reach(channel, channel.classes, 1).min(ball(p.most)), ">=",
                    lambda: ball(widest)),
            compare("gap of members > 2 (E + dev)",
                    lambda: ball(p.members_gap), ">", lambda: 2 * later_error(channel, p)),
            *(_others(channel, p) if p.others else ()),
            compare("queries asked >= queries of all questions",
                    lambda: ball(p.queries), ">=", lambda: ball(p.most_queries(channel.scored))),
            *known_fits(channel, p.queries, ball(p.most)),
        ),
    )  # fmt: skip


def _sound(p: SplitPeel, several: bool) -> Inequality:
    """All designs are some, each of bits or of the classes of members, and every one of members has its other."""
    fit = (
        several
        and bool(p.members)
        and len(p.others) in (0, len(p.members))
        and all(one.sound() and one.K == 2 for one in (p.design, *p.others))
        and all(one.sound() and _tells(one, p.classes - 1) for one in p.members)
    )
    return compare("designs that hold what they say", lambda: ball(int(fit)), ">=", lambda: ball(1))


def _tells(design: Design, classes: int) -> bool:
    """Bits, or all classes of members at once."""
    return design.K in (2, classes)


def _others(channel: Channel, p: SplitPeel) -> tuple[Inequality, ...]:
    """Rows that are left: class 0 is charged between two amounts, the other classes share what remains of 1."""
    amplitude = max(one.amplitude for one in p.others)
    lightest, heaviest = (p.others_centre + sign * p.others_gap * amplitude for sign in (-1, 1))
    spare = min(p.others[place].capacity() - (channel.rows - fewest) for place, fewest in p.followed(channel.scored))

    def odds(charge: arb) -> arb:
        return (charge.expm1() / (p.classes - 1)).log()

    return (
        compare("room for the rows that are left, less their number >= 0", lambda: ball(spare), ">=", lambda: ball(0)),
        compare("smallest charge of rows that are left > 0", lambda: ball(lightest), ">", lambda: arb(0)),
        compare("largest weight >= that of the lightest row left",
                lambda: ball(p.most), ">=", lambda: -odds(ball(lightest)) if lightest > 0 else arb.pos_inf()),
        compare("largest weight >= that of the heaviest row left", lambda: ball(p.most), ">=",
                lambda: odds(ball(heaviest)) if heaviest > 0 else arb.pos_inf()),
        compare("gap of rows that are left > 2 (E + dev)",
                lambda: ball(p.others_gap), ">", lambda: 2 * later_error(channel, p)),
    )  # fmt: skip


def first_error(channel: Channel, p: SplitPeel) -> arb:
    """How far a sum of charges is from what labels predict in the first question."""
    return corner_error(channel, p.queries, ball(p.least), ball(p.most), p.parts)


def later_error(channel: Channel, p: SplitPeel) -> arb:
    """The same in all others."""
    return known_error(channel, p.queries, ball(p.most))
