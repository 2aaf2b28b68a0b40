"""Corner rows: one class is charged next to nothing, so that a row which is not scored reads like one of that class.

A row of weight w charges the dear classes w more than the cheap one, and every label of a scored row the same rest beside
that, ln(1 + (K-1) e^-w) under log-loss, whatever it is. Rows that are not scored charge nothing. So n scores, n the number
of scored rows, are the sum of the weights of those scored rows whose class is dear, plus n rests. With weights between
`least` and `most` these lie between n rest(most) and n rest(least): from midway they are off by half the difference, and by
nothing at all where all weights are alike.
"""

from __future__ import annotations

from flint import arb

from planner.attacks.inequalities import score_fits
from planner.channel.channel import Channel
from planner.channel.metrics.log_loss import FLOAT_UNIT
from planner.numerics.inequality import Inequality
from planner.numerics.reals import ball, compare


def corner_error(channel: Channel, queries: int, least: arb, most: arb, either: bool = False) -> arb:
    """E, and how far the sum of charges is at most from weights and rests as they are reckoned."""
    metric, n = channel.metric, channel.scored
    heaviest = largest_charge(channel, least, most)
    scorer = channel.errors(queries).sum_error(heaviest, heaviest=heaviest)
    rests = n * (metric.corner_rest(least, channel.classes) - metric.corner_rest(most, channel.classes)) / 2
    own = ball(FLOAT_UNIT) * (n * most + most)  # a sum of weights, error included, over the gap
    return scorer + rests + metric.corner_missed(channel, most, either) + own


def rests(channel: Channel, least: arb, most: arb) -> arb:
    """What all scored rows are charged beside their weights, midway between the least and the most that it can be."""
    metric, K = channel.metric, channel.classes
    return channel.scored * (metric.corner_rest(least, K) + metric.corner_rest(most, K)) / 2


def largest_charge(channel: Channel, least: arb, most: arb) -> arb:
    """No row charges more, so neither does any score."""
    return most + channel.metric.corner_rest(least, channel.classes)


def within_reach(channel: Channel, most: arb) -> Inequality:
    """The scorer takes the heaviest row as it is."""
    return compare("W >= largest weight", lambda: channel.metric.corner_reach(channel), ">=", lambda: most)


def corner_fits(channel: Channel, queries: int, least: arb, most: arb) -> tuple[Inequality, ...]:
    """No score overflows its format."""
    return score_fits(channel, queries, lambda: largest_charge(channel, least, most))
