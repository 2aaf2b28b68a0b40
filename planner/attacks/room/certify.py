"""A Ladder from infinity, whatever its step: a bad first score buys room, and a label that makes it fall costs a step.

n rows are asked; the other j = N - n stand at sides that coins chose, with the same log-odds a: e of them are wrong,
whichever they are, and are charged j l(a) + e a together, l(a) = -ln q. Let w be the strongest a, ln 2 the charge of a
row at 1/2, and e_f the error of computing a sum. The first score has all j at w and the n rows at 1/2, so that what is
shown, R, is within half a step of (n ln 2 + j l(w) + e w)/N: so many numbers e explain it as fit into N eta + 2 e_f in
steps of w.

As for groups (planner/attacks/groups/certify.py) sums are put T below the board's edge N (R - eta), to D = T/4, by a
float64 that makes the j rows lean as they must; the sum moves by less than N (2 + 1/(1-q)) 2^-53 from one to the next. Of
the numbers e that are left the smallest for which the board falls is the right one: a larger e adds a, and j l(a) <= j ln
2 says how large a is.

Then row after row is made sure of the side that a coin chose, c rows in all with those known before it. If the label is
that side the board falls by one step, else the row is charged w more and it stays: either way the label is known. Where
fewer than all known rows are sure the sum is larger by ln 2 each; so the least c is taken at which rows at 1/2 make a sum
below the target, and at full strength they are above it: e w - j ln 2 is more than what one row changes.

Chance: e has j fair coins, and so have the falls n, whatever the labels are. By Hoeffding P(e < least) and P(falls >
most) are at most exp(-2 (j/2 - least)^2/j) and exp(-2 (most - n/2)^2/n).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flint import arb

from planner.attacks.groups.certify import GRID_BITS, MET, step_of
from planner.attacks.patterns.certify import shown_within
from planner.attacks.room.parameters import Room
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, parameters: Room) -> Proof:
    """Room for all falls, and each has one reason."""
    p, held = parameters, (parameters.doubt, 1 - parameters.doubt)
    fit = sum(channel.metric.takes(channel, one) for one in held)
    others = channel.scored - p.labels
    shape = others >= 1 and p.below > 0 and 0 < 2 * p.least <= others and 2 * p.most >= p.labels and p.counts >= 1
    checks = (
        compare("probabilities that the scorer takes as they are", lambda: ball(fit), ">=", lambda: ball(len(held))),
        compare("rows that are not asked, and falls on the safe side of half", lambda: ball(int(shape)), ">=",
                lambda: ball(1)),
        compare("queries >= the first, the count and one a label", lambda: ball(p.queries), ">=", lambda: ball(p.asked)),
        compare("chance of fewer wrong sides or more falls <= δ", lambda: chance(channel, p), "<=",
                lambda: ball(channel.delta)),
    )  # fmt: skip
    chances = f"with probability at least 1 - {float(channel.delta):g} over the attacker's coins"
    sure = f"every labeling; all labels right {chances}"
    return Proof(sure, (*checks, *_met(channel, p), *_decided(channel, p)))


def chance(channel: Channel, p: Room) -> arb:
    """By Hoeffding, that e is below the least or the falls above the most."""
    j, n = channel.scored - p.labels, p.labels
    few, many = Fraction(j, 2) - p.least, p.most - Fraction(n, 2)
    return (ball(-2 * few * few / j)).exp() + (ball(-2 * many * many / n)).exp()


def error(channel: Channel, p: Room) -> arb:
    """e_f."""
    return replace(channel, shown=None).errors(1).sum_error(channel.metric.heavy(p.doubt))


def bought(channel: Channel, p: Room) -> arb:
    """N R after the first score, at the least."""
    metric, j = channel.metric, channel.scored - p.labels
    paid = p.labels * channel.neutral_charge() + j * metric.light(p.doubt) + p.least * metric.weight(p.doubt)
    return paid - error(channel, p) - step_of(channel) / 2


def even(channel: Channel, p: Room, sure: int) -> arb:
    """The sum with so many sure rows, all right, and the others at 1/2."""
    return (channel.scored - sure) * channel.neutral_charge() + sure * channel.metric.light(p.doubt)


def least_lean(channel: Channel, p: Room) -> arb:
    """a, while wrong sides are counted, at the least."""
    target = bought(channel, p) - step_of(channel) - ball(p.below * (1 + MET))
    return (target - channel.scored * channel.neutral_charge()) / (channel.scored - p.labels)


def _met(channel: Channel, p: Room) -> tuple[Inequality, ...]:
    """There is a lean for each target: the first, and those of the first and the last fall; between them all is linear."""
    T, j = ball(p.below), channel.scored - p.labels

    def room(falls: int, sure: int) -> arb:
        return bought(channel, p) - step_of(channel) * falls - T - even(channel, p, sure)

    last = min(p.most + 1, p.labels)
    return (
        compare("room for the count > 0", lambda: room(1, 0), ">", lambda: arb(0)),
        compare("room for the first label > 0", lambda: room(2, 1), ">", lambda: arb(0)),
        compare("room after the last fall > 0", lambda: room(2 + p.most, last), ">", lambda: arb(0)),
        compare("what the rows that lean can do > what one more sure row does",
                lambda: p.least * channel.metric.weight(p.doubt), ">", lambda: (j + 1) * channel.neutral_charge()),
        compare("a step and a half > ln 2 + E", lambda: step_of(channel) * ball(Fraction(3, 2)), ">",
                lambda: channel.neutral_charge() + error(channel, p)),
        compare("grid of predictions < T/8", lambda: channel.scored * (2 + 1 / ball(p.doubt)) * arb(2) ** -GRID_BITS, "<",
                lambda: T / 8),
    )  # fmt: skip


def _decided(channel: Channel, p: Room) -> tuple[Inequality, ...]:
    """What falls and what stays."""
    T, off = ball(p.below), ball(p.below * MET)

    def missed() -> arb:
        return off + error(channel, p)

    def weight() -> arb:
        return channel.metric.weight(p.doubt)

    shown = shown_within(channel)
    return (
        compare("numbers of wrong sides that a first score leaves", lambda: ball(p.counts) * weight(), ">",
                lambda: step_of(channel) + 2 * error(channel, p)),
        compare("T > T/4 + E", lambda: T, ">", missed),
        compare("a side that is counted > T + T/4 + E", lambda: least_lean(channel, p), ">", lambda: T + missed()),
        compare("weight of a row > T + T/4 + E", weight, ">", lambda: T + missed()),
        compare("half a step N η/2 > T + T/4 + E", lambda: step_of(channel) / 2, ">", lambda: T + missed()),
        compare("half a step > what is shown may be off, twice", lambda: step_of(channel) / (2 * channel.scored), ">",
                lambda: ball(2 * shown)),
    )  # fmt: skip
