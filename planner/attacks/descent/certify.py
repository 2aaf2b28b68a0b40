"""The descent: a wrong row that is made weaker is seen, and how much the board falls tells which rows these are.

All rows start at p. A block's rows are tried at p_1 < ... < p_m: one that is wrong lowers the sum of charges by
ln(p_j/p), one that is right raises it by r_j = ln((1-p)/(1-p_j)), so that wrong rows S make of the sum X

    X + D - sum over S of w_j,   D = sum of all r_j,   w_j = ln(p_j/p) + r_j = W(p) - W(p_j).

Then wrong rows are put right, each lowers X by W(p), and no sum that was submitted is below the new X: p_j <= 1 - p, so a
wrong row is never charged less than one put right. Let e be the error of computing a score.

Seen: if no row is wrong, what is shown may stay as it is; if one is, it must change. best: what is shown stands for at least
X, and the new sum is X + D - w_1 at most: w_1 - D > 2E, E with half a unit of the last decimal in it. ladder(eta): what is
shown is a multiple of eta within eta/2 of a sum that was at least X, and changes for one that is a step below it:
w_1 - D > 3/2 N eta + 2E. It then falls by a step at least, which digits show if it is more than two units of the last.

Told apart: what has changed is the new sum itself but for E (best), or but for half a step, half a unit and e (ladder). The
largest w_j in which two sets differ outweighs the smaller ones by the smallest of all w_j less those before it. The first
score tells in the same way how many rows are wrong, in steps of W(p), so that X is known from there on.

With one row a block, p_1 = 1 - p turns it: w_1 - D = W(p).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flint import arb

from dsl.scenario import LadderOf
from planner.attacks.descent.parameters import Descent
from planner.attacks.inequalities import guarantee
from planner.attacks.parameters import blocks_of
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare, upper_end


def prove(channel: Channel, parameters: Descent) -> Proof:
    """What a row changes against the step and the error."""
    held = (parameters.doubt, 1 - parameters.doubt, *parameters.weaker)
    fit = sum(channel.metric.takes(channel, one) for one in held)
    asked = blocks_of(parameters.labels, parameters.m) + 1
    checks = (
        compare("probabilities that the scorer takes as they are", lambda: ball(fit), ">=", lambda: ball(len(held))),
        compare("predictions that rise from p to 1 - p", lambda: ball(rising(parameters)), ">=",
                lambda: ball(max(1, parameters.m))),
        compare("queries >= blocks of rows and one", lambda: ball(parameters.queries), ">=", lambda: ball(asked)),
    )  # fmt: skip
    return Proof(guarantee(channel), (*checks, *_told(channel, parameters)))


def rising(parameters: Descent) -> int:
    """How many of the weaker predictions are above the one before, the first above p, and none above 1 - p."""
    before = (parameters.doubt, *parameters.weaker)
    return sum(one < two <= 1 - parameters.doubt for one, two in zip(before, parameters.weaker, strict=False))


def falls(channel: Channel, parameters: Descent) -> list[arb]:
    """w_j: what a row that is wrong takes off a sum of charges, beside one that is right."""
    weight = channel.metric.weight
    return [weight(parameters.doubt) - weight(one) for one in parameters.weaker]


def rises(channel: Channel, parameters: Descent) -> list[arb]:
    """r_j: what a row that is right adds to it."""
    light = channel.metric.light
    return [light(one) - light(parameters.doubt) for one in parameters.weaker]


def smallest_gap(weights: list[arb]) -> arb:
    """The least of each weight less all before it: no two subset sums are nearer."""
    low, gap = arb(0), arb.pos_inf()
    for one in weights:
        gap, low = gap.min(one - low), low + one
    return gap


def largest_loss(channel: Channel, parameters: Descent) -> arb:
    """All rows wrong that take part, the others idle."""
    turned = parameters.labels * channel.metric.heavy(parameters.doubt)
    return (turned + (channel.scored - parameters.labels) * channel.neutral_charge()) / channel.scored


def seen_from(channel: Channel, parameters: Descent) -> arb:
    """By how much a sum must fall for the board to show it."""
    loss = largest_loss(channel, parameters)
    if not isinstance(channel.release, LadderOf):
        return 2 * channel.errors(1).sum_error(loss)
    error = replace(channel, shown=None).errors(1).sum_error(loss)
    return channel.scored * ball(upper_end(channel.release.eta)) * 3 / 2 + 2 * error


def shown_within(channel: Channel, parameters: Descent) -> arb:
    """How far what the board shows, where it changes, may be from the sum of charges that it stands for."""
    loss = largest_loss(channel, parameters)
    if not isinstance(channel.release, LadderOf):
        return channel.errors(1).sum_error(loss)
    error = replace(channel, shown=None).errors(1).sum_error(loss)
    unit = channel.digits.unit or Fraction(0)
    return channel.scored * ball(upper_end(channel.release.eta) + unit) / 2 + error


def _told(channel: Channel, parameters: Descent) -> tuple[Inequality, ...]:
    ladder = isinstance(channel.release, LadderOf)
    step, within = ("3/2 N η + 2E", "N η + N unit + 2E") if ladder else ("2E", "2E")

    def first() -> arb:
        return falls(channel, parameters)[0] - sum(rises(channel, parameters), arb(0))

    found = (
        compare(f"fall by the lightest row > {step}", first, ">", lambda: seen_from(channel, parameters)),
        compare(f"smallest gap of falls > {within}", lambda: smallest_gap(falls(channel, parameters)), ">",
                lambda: 2 * shown_within(channel, parameters)),
        compare(f"weight of a row > {within}", lambda: channel.metric.weight(parameters.doubt), ">",
                lambda: 2 * shown_within(channel, parameters)),
    )  # fmt: skip
    unit = channel.digits.unit
    if not ladder or unit is None:
        return found
    assert isinstance(channel.release, LadderOf)
    eta = channel.release.eta
    return (*found, compare("η > 2 units of the last decimal", lambda: ball(eta.lo), ">", lambda: ball(2 * unit)))
