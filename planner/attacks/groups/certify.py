"""A Ladder from a public level against a guess with at most s labels wrong: groups without a fault make it fall.

Rows lean to their guesses with log-odds a = ln(q/(1-q)): one that is right is charged l(a) = -ln q, a wrong one a more.
With e wrong guesses among N leaning rows the sum is N l(a) + e a, whichever they are. With c sure rows beside them, all
right, it is

    X(a) = (N - c) l(a) + e a + c light(p),

and each of the c that is wrong adds W(p) - a. X is continuous in q, and moves by less than N (2 + 1/(1-q)) 2^-53 from one
float64 to the next; so where it is above a target at one end of an interval and below it at the other, some float64 in it
meets the target but for that. All targets are T below the board's edge N (R - eta), met to D = T/4; e_f is the error of
computing a sum.

Count: with no sure row the target is met for e = k, k = 0, 1, ..., s. The board falls if at most k are wrong, and stays
if more are, since each adds a: from l(a) >= ln 2 - a/2 it follows that a >= 2 (N ln 2 - N (R0 - eta) + T - D)/N. After
the first fall e is known.

Groups: g rows at a time are sure, and with them all rows that are known. The board falls if no guess among the g is
wrong, and stays otherwise: W(p) - a is more than 2T. It falls by one step each time, since T + D + e_f < N eta/2. Groups
do not share rows, so at most s of them have a fault; Y of Y + s have none.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flint import arb

from dsl.scenario import LadderOf
from planner.attacks.groups.parameters import Groups
from planner.attacks.inequalities import guarantee
from planner.attacks.patterns.certify import seen_steps
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare

MET = Fraction(1, 4)  # of T, to which a target is met
GRID_BITS = 53  # predictions of a half and more are multiples of 2^-53


def prove(channel: Channel, parameters: Groups) -> Proof:
    """All targets are met, and fall or stay for one reason."""
    p = parameters
    held = (p.doubt, 1 - p.doubt, p.lean, 1 - p.lean)
    fit = sum(channel.metric.takes(channel, one) for one in held)
    shape = p.size >= 1 and p.falls >= 1 and p.radius >= channel.radius and p.doubt < p.lean < Fraction(1, 2)
    checks = (
        compare("probabilities that the scorer takes as they are", lambda: ball(fit), ">=", lambda: ball(len(held))),
        compare("groups, a lean below a half, and no guess more wrong than may be", lambda: ball(int(shape)), ">=",
                lambda: ball(1)),
        compare("rows of groups with and without a fault <= rows", lambda: ball((p.falls + p.radius) * p.size), "<=",
                lambda: ball(channel.scored)),
        compare("rows of groups without one >= labels", lambda: ball(p.falls * p.size), ">=", lambda: ball(p.labels)),
        compare("queries >= counts and groups", lambda: ball(p.queries), ">=", lambda: ball(p.asked)),
    )  # fmt: skip
    return Proof(guarantee(channel), (*checks, *_met(channel, p), *_decided(channel, p), seen_steps(channel)))


def error(channel: Channel, p: Groups) -> arb:
    """e_f: of computing a sum of charges, whatever is wrong."""
    return replace(channel, shown=None).errors(1).sum_error(channel.metric.heavy(p.doubt))


def step_of(channel: Channel) -> arb:
    """N eta."""
    assert isinstance(channel.release, LadderOf)
    return channel.scored * ball(channel.release.eta)


def first_edge(channel: Channel) -> arb:
    """N (R0 - eta)."""
    assert isinstance(channel.release, LadderOf)
    assert channel.release.start is not None
    return channel.scored * (ball(channel.release.start) - ball(channel.release.eta))


def leaning(channel: Channel, p: Groups, sure: int) -> arb:
    """X at the strongest lean, as many guesses wrong as may be."""
    metric = channel.metric
    charged = (channel.scored - sure) * metric.light(p.lean) + p.radius * metric.weight(p.lean)
    return charged + sure * metric.light(p.doubt)


def against(channel: Channel, p: Groups) -> arb:
    """No X is below this where rows lean as strongly against their guesses."""
    metric = channel.metric
    return (channel.scored - p.falls * p.size) * metric.heavy(p.lean) - p.radius * metric.weight(p.lean)


def edge_after(channel: Channel, p: Groups, falls: int) -> arb:
    """The board's edge after the count and so many groups, at the least."""
    slack = ball(p.below) * (1 + ball(MET)) + error(channel, p)
    return first_edge(channel) - slack - step_of(channel) * ball(falls + Fraction(3, 2))


def least_lean(channel: Channel, p: Groups) -> arb:
    """a, while guesses are counted, at the least."""
    beaten = channel.scored * channel.neutral_charge() - first_edge(channel)
    return 2 * (beaten + ball(p.below * (1 - MET))) / channel.scored


def _met(channel: Channel, p: Groups) -> tuple[Inequality, ...]:
    """There is a lean that meets each target: at first, at the last group, and that all between is linear."""
    T = ball(p.below)

    def room(falls: int) -> arb:
        return edge_after(channel, p, falls) - T - leaning(channel, p, (falls + 1) * p.size)

    def grid() -> arb:
        return channel.scored * (2 + 1 / ball(p.lean)) * arb(2) ** -GRID_BITS

    return (
        compare("rows at 1/2 - first target > 0", lambda: channel.scored * channel.neutral_charge() - first_edge(channel)
                + T, ">", lambda: arb(0)),
        compare("first target - rows that lean to their guesses > 0", lambda: first_edge(channel) - T
                - leaning(channel, p, 0), ">", lambda: arb(0)),
        compare("rows that lean against their guesses > every target", lambda: against(channel, p), ">",
                lambda: first_edge(channel)),
        compare("target of the first group - sum with as many faults as may be > 0", lambda: room(0), ">", lambda: arb(0)),
        compare("target of the last group - sum with as many faults as may be > 0", lambda: room(p.falls - 1), ">",
                lambda: arb(0)),
        compare("grid of predictions < T/8", grid, "<", lambda: T / 8),
    )  # fmt: skip


def _decided(channel: Channel, p: Groups) -> tuple[Inequality, ...]:
    """What falls and what stays."""
    T, off = ball(p.below), ball(p.below * MET)

    def weight() -> arb:
        return channel.metric.weight(p.doubt) - channel.metric.weight(p.lean)

    def missed() -> arb:
        return off + error(channel, p)

    return (
        compare("T > T/4 + E", lambda: T, ">", missed),
        compare("a guess that is counted > T + T/4 + E", lambda: least_lean(channel, p), ">", lambda: T + missed()),
        compare("a fault in a group > T + T/4 + E", weight, ">", lambda: T + missed()),
        compare("half a step N η/2 > T + T/4 + E", lambda: step_of(channel) / 2, ">", lambda: T + missed()),
    )
