"""Blocks of K-ary digits: each row's step outweighs the spread of all smaller rows together."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from flint import arb

from planner.attacks.digits.parameters import DigitBlock
from planner.attacks.inequalities import enough_room, guarantee, score_fits, separation
from planner.channel.channel import Channel
from planner.channel.formats.summation import additions
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare

Row = tuple[Fraction, ...]


def prove(channel: Channel, parameters: DigitBlock) -> Proof:
    """Theorem U for one query whose active rows have K levels each."""
    rows = parameters.rows

    def loss() -> arb:
        worst = sum((-(ball(min(row)).log()) for row in rows), arb(0))
        return ((channel.scored - len(rows)) * channel.neutral_charge() + worst) / channel.scored

    return Proof(
        guarantee(channel),
        (
            _carried(channel, rows),
            _normalised(channel, rows),
            separation(
                channel,
                parameters,
                lambda: smallest_step(rows),
                loss,
                lambda: channel.metric.neutral_deviation(channel),
            ),
            enough_room(len(rows) * parameters.queries, parameters.labels),
            *score_fits(channel, parameters.queries, loss),
        ),
    )


def smallest_step(rows: tuple[Row, ...]) -> arb:
    """A lower bound on the difference of sums of two labelings: the largest row in which they differ decides."""
    low, gap = arb(0), arb.pos_inf()
    for row in rows:
        charges = [-(ball(p).log()) for p in row]
        steps = [b - a for a, b in pairwise(charges)]
        for step in steps:
            gap = gap.min(step - low)
        low += charges[-1] - charges[0]
    return gap


def _carried(channel: Channel, rows: tuple[Row, ...]) -> Inequality:
    entries = [p for row in rows for p in row]
    fit = sum(channel.metric.takes(channel, p) for p in entries if p < 1)
    name = "probabilities that the scorer takes as they are"
    full = all(len(row) == channel.classes for row in rows)
    return compare(name, lambda: ball(fit if full else 0), ">=", lambda: ball(len(entries)))


def _normalised(channel: Channel, rows: tuple[Row, ...]) -> Inequality:
    """Rows sum to 1, to the rounding of a format that cannot do better."""
    worst = max((abs(sum(row, Fraction(0)) - 1) for row in rows), default=Fraction(0))
    most = (
        additions(channel.classes, channel.summation) + 2
    ) * channel.submission.unit  # as much as the error of renormalised rows counts
    return compare("|row sum - 1| <= rounding", lambda: ball(worst), "<=", lambda: ball(most))
