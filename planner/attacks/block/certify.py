"""Blocks of labels with distinct subset sums: Theorem U, read for one query with its other rows uniform."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.attacks.block.parameters import BlockRecord, DyadicWeights, GeometricOdds, ListedBlock
from planner.attacks.inequalities import enough_room, guarantee, score_fits, separation
from planner.channel.channel import Channel
from planner.channel.metrics.base import Metric
from planner.designs.sets import BitSet
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import Term, ball, compare

MISSED_STEPS = 6  # how many steps 2^-bits of a probability a dyadic weight misses at most: 16/3
LARGEST_DYADIC = Fraction(9, 8)  # of the largest weight that was wanted, as it is rounded: ln 3
CHARGED_ABOVE = 3  # nats that all rows of dyadic weights charge above ln 2: no more than the sum of weights, 9/4


def prove(channel: Channel, parameters: BlockRecord) -> Proof:
    """Each of the three ways to describe a block has its own inequalities."""
    match parameters:
        case ListedBlock():
            return _prove_listed(channel, parameters)
        case GeometricOdds():
            return _prove_geometric(channel, parameters)
        case DyadicWeights():
            return _prove_dyadic(channel, parameters)


def _prove_listed(channel: Channel, parameters: ListedBlock) -> Proof:
    """A block whose probabilities are written out one by one."""
    rows, metric = parameters.rows, channel.metric

    def loss() -> arb:
        return block_loss(channel, rows)

    return Proof(
        guarantee(channel),
        (
            _all_carried(channel, rows),
            separation(channel, parameters, lambda: smallest_gap(metric, rows, parameters.core), loss),
            enough_room(len(rows) * parameters.queries, parameters.labels),
            *score_fits(channel, parameters.queries, loss),
        ),
    )


def block_loss(channel: Channel, rows: tuple[Fraction, ...], known: int = 0, doubt: Fraction = Fraction(0)) -> arb:
    """The largest loss of a query: every active label pays, `known` rows are predicted rightly, the rest are neutral."""
    metric = channel.metric
    paid = sum((metric.heavy(min(p, 1 - p)) for p in rows), arb(0))
    neutral = max(channel.scored - known - len(rows), 0) * channel.neutral_charge()
    return (neutral + known * metric.light(doubt) + paid) / channel.scored


def _all_carried(channel: Channel, rows: tuple[Fraction, ...]) -> Inequality:
    fit = sum(channel.metric.takes(channel, p) for p in rows)
    return compare("probabilities that the scorer takes as they are", lambda: ball(fit), ">=", lambda: ball(len(rows)))


def smallest_gap(metric: Metric, rows: tuple[Fraction, ...], core: int) -> arb:
    """A lower bound on the difference of any two subset sums of the weights."""
    weights = [metric.weight(p) for p in rows]
    return _leveled_gap(weights, core) if core else _superincreasing_gap(weights)


def _leveled_gap(weights: list[arb], core: int) -> arb:
    """Levels have sums at least 1 apart; each weight misses its multiple of the unit by a little.

    A decoder that rounds to levels loses the misses twice, on either side.
    """
    levels = BitSet(core, len(weights) - core).weights
    unit = weights[-1] / levels[-1]
    missed = sum((abs(weight - unit * level) for weight, level in zip(weights, levels, strict=True)), arb(0))
    return unit - 2 * missed


def _superincreasing_gap(weights: list[arb]) -> arb:
    """min over i of w_i minus the sum of the smaller ones: a lower bound on any difference of subset sums.

    The largest weight in which two subsets differ outweighs all smaller ones together by at least this much.
    """
    low, gap = arb(0), None
    for weight in weights:
        margin = weight - low
        gap = margin if gap is None else gap.min(margin)
        low += weight
    return arb.neg_inf() if gap is None else gap


def _prove_geometric(channel: Channel, parameters: GeometricOdds) -> Proof:
    """Odds base^(exponent 2^i): subset sums are multiples of exponent * ln(base)."""
    m = parameters.m

    def gap() -> arb:
        return parameters.exponent * ball(parameters.base).log()

    def loss() -> arb:
        # ln(1+v) <= ln 2 + ln v for v >= 1
        return channel.neutral_charge() + gap() * (arb(2) ** m - 1) / channel.scored

    return Proof(
        guarantee(channel),
        (
            _unclipped(channel, lambda: gap() * arb(2) ** (m - 1)),
            separation(channel, parameters, gap, loss),
            enough_room(m * parameters.queries, parameters.labels),
        ),
    )


def _unclipped(channel: Channel, weight: Term) -> Inequality:
    return compare("W >= largest log-odds", channel.reach, ">=", weight)


def _prove_dyadic(channel: Channel, parameters: DyadicWeights) -> Proof:
    """Weights 2^(i-m+1-shift) <= 1, each missed by at most 6 * 2^-bits: p >= 1/4, p(1-p) >= 3/16, ln 3 < 9/8."""
    m, bits, shift = parameters.m, parameters.bits, parameters.shift

    def gap() -> arb:
        return arb(2) ** (1 - m - shift)

    def deviation() -> arb:
        return MISSED_STEPS * m * arb(2) ** (-bits)

    def loss() -> arb:
        return channel.neutral_charge() + CHARGED_ABOVE / ball(channel.scored)

    return Proof(
        guarantee(channel),
        (
            _unclipped(channel, lambda: ball(LARGEST_DYADIC) * arb(2) ** -shift),
            separation(channel, parameters, gap, loss, deviation),
            enough_room(m * parameters.queries, parameters.labels),
        ),
    )
