"""Averages on a secret part: each row's average is nearer to its own state than to any other.

A scored row at weight W charges W (1 + h s)/2 and a rest that is always the same, h its sign in the query and s = 1 or -1 its
class; one that is not scored charges nothing. Columns of the matrix are orthogonal: the average of the sums times a row's
signs is s W/2, or 0, and an average of noises, n times over.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.attacks.corners import within_reach
from planner.attacks.inequalities import guarantee, score_fits
from planner.attacks.split_mean.parameters import SHARE, SplitMean
from planner.attacks.spread.certify import OWN_BITS
from planner.channel.channel import Channel
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, p: SplitMean) -> Proof:
    """Weights that the scorer takes, a matrix with a column for every row, and averages that are right but for a chance."""
    sylvester = p.order > 0 and p.order & (p.order - 1) == 0
    return Proof(
        guarantee(channel),
        (
            within_reach(channel, ball(p.weight)),
            compare("a weight above 0", lambda: ball(p.weight), ">", lambda: arb(0)),
            compare("order of Sylvester's matrix >= N",
                    lambda: ball(p.order if sylvester else 0), ">=", lambda: ball(channel.rows)),
            compare("N P(|mean of M noises| >= W/(4n) - e) <= δ/2", lambda: failure(channel, p), "<=",
                    lambda: ball(channel.delta * (1 - SHARE))),
            *score_fits(channel, p.queries, lambda: charge(channel, p), SHARE),
        ),
    )  # fmt: skip


def charge(channel: Channel, p: SplitMean) -> arb:
    """No row charges more."""
    return ball(p.weight) + channel.metric.corner_rest(ball(p.weight), 1, 1)


def fixed_error(channel: Channel, p: SplitMean) -> arb:
    """e: what is no noise: rounding, floating point, predictions as they are written, and a centre known inexactly."""
    errors, largest = channel.errors(p.queries, SHARE), charge(channel, p)
    shown = largest + channel.law.size() + errors.noise()
    own = arb(2) ** -OWN_BITS * (1 + shown)
    missed = channel.metric.corner_missed(channel, ball(p.weight), either=True) / channel.scored
    known = errors.score_error(largest, largest) - errors.noise()
    return (known + own + missed + channel.law.off_centre()).upper()


def explained(channel: Channel, p: SplitMean) -> arb:
    """How far a score is from what states predict, but for half of delta."""
    return fixed_error(channel, p) + channel.errors(p.queries, SHARE).noise()


def failure(channel: Channel, p: SplitMean) -> arb:
    """That some row's average is off by half of what parts two states."""
    margin = ball(p.weight * Fraction(1, 4)) / channel.scored - fixed_error(channel, p)
    return channel.rows * channel.law.tail_of_mean(p.order * p.repeats, margin)
