"""Counting on a secret part: every answer is a whole number of units, and so many of them suffice."""

from __future__ import annotations

from flint import arb

from planner.attacks.corners import corner_error, known_error, known_fits, within_reach
from planner.attacks.inequalities import guarantee
from planner.attacks.split_count.parameters import SplitCount
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare

LEAST_AMPLITUDE = 2  # a half unit is the smallest weight, and middles are half of what is between
WORD = 2**60  # the decoder's integers stay below


def prove(channel: Channel, p: SplitCount) -> Proof:
    """Weights that the scorer takes, units wider than the errors, and enough queries.

    Rows that a query is not about are at the middle weight: how many of them are scored and dear is counted first, and
    their middle is taken off. The query that counts has gaps of the largest weight, which is more than two units.
    """
    sound = _sound(p)
    if not sound.holds:
        return Proof("nothing: the record makes no attack", (sound,))
    longest = 2 * (max(p.amplitude, p.others_amplitude) + 1) * max(channel.scored, 2 * p.queries)
    return Proof(
        guarantee(channel),
        (
            sound,
            within_reach(channel, ball(p.most), p.parts),
            compare("smallest weight > 0", lambda: ball(p.least), ">", lambda: arb(0)),
            compare("unit > 2 (E + dev)", lambda: ball(p.unit), ">", lambda: 2 * first_error(channel, p)),
            compare("largest weight >= that of what follows", lambda: ball(p.most), ">=", lambda: ball(p.later)),
            *_members(channel, p),
            *(_others(channel, p) if p.others_amplitude else ()),
            compare("queries asked >= queries that suffice",
                    lambda: ball(p.queries), ">=", lambda: ball(p.enough(channel.rows, channel.scored))),
            compare("integers of the decoder < 2^60", lambda: ball(longest), "<", lambda: ball(WORD)),
            *known_fits(channel, p.queries, ball(p.most)),
        ),
    )  # fmt: skip


def _sound(p: SplitCount) -> Inequality:
    """Amplitudes that hold a bit, and a design for the classes of members where there are more than one."""
    fit = (
        p.classes >= 2
        and p.amplitude >= LEAST_AMPLITUDE
        and (p.others_amplitude == 0 or p.others_amplitude >= LEAST_AMPLITUDE)
        and len(p.members) == int(p.classes > 2)
        and all(one.sound() and one.K in (2, p.classes - 1) for one in p.members)
    )
    return compare("amplitudes and designs that make an attack", lambda: ball(int(fit)), ">=", lambda: ball(1))


def _members(channel: Channel, p: SplitCount) -> tuple[Inequality, ...]:
    """The rows that were found are told their classes."""
    if not p.members:
        return ()
    (design,) = p.members
    return (
        compare("room for the members >= scored rows",
                lambda: ball(design.capacity()), ">=", lambda: ball(channel.scored)),
        compare("W of all classes >= gap x amplitude of members",
                lambda: channel.metric.stage_reach(channel, channel.classes, 1).min(ball(p.later)), ">=",
                lambda: ball(p.members_gap * design.amplitude)),
        compare("gap of members > 2 (E + dev)", lambda: ball(p.members_gap), ">", lambda: 2 * later_error(channel, p)),
    )  # fmt: skip


def _others(channel: Channel, p: SplitCount) -> tuple[Inequality, ...]:
    """Rows that are left: class 0 is charged between two amounts, the other classes share what remains of 1."""
    lightest, heaviest = (p.others_centre + sign * p.others_unit * p.others_amplitude / 2 for sign in (-1, 1))

    def odds(charge: arb) -> arb:
        return (charge.expm1() / (p.classes - 1)).log()

    return (
        compare("smallest charge of rows that are left > 0", lambda: ball(lightest), ">", lambda: arb(0)),
        compare("largest weight of what follows >= that of the lightest row left",
                lambda: ball(p.later), ">=", lambda: -odds(ball(lightest)) if lightest > 0 else arb.pos_inf()),
        compare("largest weight of what follows >= that of the heaviest row left",
                lambda: ball(p.later), ">=", lambda: odds(ball(heaviest)) if heaviest > 0 else arb.pos_inf()),
        compare("unit of rows that are left > 2 (E + dev)",
                lambda: ball(p.others_unit), ">", lambda: 2 * later_error(channel, p)),
    )  # fmt: skip


def first_error(channel: Channel, p: SplitCount) -> arb:
    """How far a sum of charges is from what labels predict in the first part."""
    return corner_error(channel, p.queries, ball(p.least), ball(p.most), p.parts)


def later_error(channel: Channel, p: SplitCount) -> arb:
    """The same in all others."""
    return known_error(channel, p.queries, ball(p.later))
