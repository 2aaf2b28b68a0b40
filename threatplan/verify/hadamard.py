"""Averaging with a label a block: so many labels come out wrong at most."""

from __future__ import annotations

from fractions import Fraction

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, count
from threatplan.verify.intervals import ONE, Interval, exp, log, real, smaller
from threatplan.verify.sides import bits_of
from threatplan.verify.spread import (
    ROUNDED,
    Spread,
    alarm,
    fits,
    fixed_error,
    gap,
    read,
    row_deviation,
    score_error,
    shape,
)
from threatplan.verify.tails import of_mean


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Under bounded errors always, by Parseval; under random noise but for a chance delta."""
    p, wrong = read(data, "wrong"), reading.whole(data, "wrong")
    claims = (
        *shape(channel, p),
        count("order of the matrix >= N", p.order, ">=", p.labels),
        count("wrong labels <= wrong labels allowed", wrong, "<=", channel.wrong_allowed),
        *(_by_chance(channel, p, wrong) if channel.random else _always(channel, p, wrong)),
    )
    return Derived(
        p.labels, p.queries, p.classes, claims, wrong=wrong, listed=p.sums * p.repeats, fits=fits(channel, p)
    )


def _always(channel: Channel, p: Spread, wrong: int) -> tuple[Claim, ...]:
    """All squared errors sum to (E/W)^2, and each wrong bit takes a quarter."""

    def error() -> Interval:  # a centre that is not the channel's moves every score
        return score_error(channel, p) + abs(p.centre - channel.subtracted())

    def limit() -> Interval:
        share = p.rows * (error() + row_deviation(p)) / gap(p)
        return 4 * bits_of(p.classes) * share * share

    return (
        Claim("4 (E/W)^2 * bits of a class < wrong labels + 1", limit, "<", lambda: real(wrong + 1)),
        Claim("tolerance >= error of a score", lambda: real(p.tolerance), ">=", error),
    )


def _by_chance(channel: Channel, p: Spread, wrong: int) -> tuple[Claim, ...]:
    def chance() -> Interval:
        return _too_many(channel, p, wrong) + alarm(channel, p)

    name = "P(more wrong labels) + M P(|noise| > tolerance - e) <= δ (1 - 2^-20)"
    return (Claim(name, chance, "<=", lambda: real(channel.delta * (1 - ROUNDED))),)


def _too_many(channel: Channel, p: Spread, wrong: int) -> Interval:
    """Markov's bound; for Gaussian noise, whose orthogonal averages are independent, the binomial law's as well."""
    threshold = gap(p) / (2 * p.rows) - fixed_error(channel, p)
    each = bits_of(p.classes) * of_mean(channel, p.order * p.repeats, threshold) / 2  # wrong on one side only
    markov = smaller(p.labels * each / (wrong + 1), ONE)
    share = Fraction(wrong + 1, p.labels)
    if channel.noise.name != "gaussian" or not (each > 0 and each < share and share < 1):
        return markov
    divergence = share * log(share / each) + (1 - share) * log((1 - share) / (1 - each))
    return smaller(markov, exp(-p.labels * divergence))
