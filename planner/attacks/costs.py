"""What block-shaped attacks cost: queries, bits, operations, memory."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from planner.attacks.block.parameters import GeometricOdds
from planner.attacks.theorem import Proposal, Record
from planner.channel.channel import Channel
from planner.numerics.reals import ball, ceil_of


def queries_for(channel: Channel, m: int) -> int:
    """Queries that m labels each take."""
    return -(-channel.wanted // m)


def polynomial_bits(channel: Channel) -> int:
    """The longest number, in bits, that a polynomial-time attacker writes down: N^2, and never under 4096."""
    return max(channel.rows * channel.rows, 4096)


def block_cost(
    channel: Channel,
    parameters: Record,
    m: int,
    precision_bits: int,
    prediction_bits: int,
    passes: int = 1,
) -> Proposal[Record]:
    """A block attack: decoding takes a few operations a label, memory one query. A label needs `passes` queries."""
    return Proposal(
        parameters,
        Fraction(m, passes),
        precision_bits,
        prediction_bits,
        operations=2 * channel.wanted * passes,
        memory=8 * channel.rows * max(channel.columns, 1) + m * (prediction_bits // 8 + 1),
        within=lambda queries: min(parameters.labels, m * (queries // passes)),
    )


def average_cost(channel: Channel, parameters: Record, sums: int) -> Proposal[Record]:
    """Averages of listed scores: as many labels a query as there are, and so many sums to hold while they are read."""
    return Proposal(
        parameters,
        Fraction(parameters.labels, parameters.queries),
        precision_bits=0,
        prediction_bits=53,
        operations=4 * channel.rows * parameters.queries,
        memory=16 * channel.rows * channel.columns + 8 * sums,
        within=lambda queries: min(parameters.labels, parameters.labels * queries // parameters.queries),
    )


def falling_cost(
    channel: Channel, parameters: Record, doubt: Fraction, within: Callable[[int], int]
) -> Proposal[Record]:
    """A board that is watched while it falls: every query is a submission anew, its rows as sure as `doubt` leaves them."""
    return Proposal(
        parameters,
        Fraction(channel.wanted, parameters.queries),
        precision_bits=channel.rows.bit_length() + 4,
        prediction_bits=doubt.denominator.bit_length(),
        operations=parameters.queries * channel.rows,
        memory=8 * channel.rows * max(channel.columns, 1),
        within=within,
    )


def geometric_cost(channel: Channel, parameters: GeometricOdds) -> Proposal[GeometricOdds]:
    """Odds base^(exponent 2^i): the longest has exponent * 2^(m-1) * log2(base) bits."""
    base_bits = (parameters.base - 1).bit_length()
    prediction = parameters.exponent * base_bits << (parameters.m - 1)

    def score_bits() -> arb:
        return (channel.scored / (parameters.exponent * ball(parameters.base).log())).log() / arb(2).log()

    return block_cost(channel, parameters, parameters.m, max(0, ceil_of(score_bits)), prediction)
