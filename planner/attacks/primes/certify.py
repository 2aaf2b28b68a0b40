"""Prime powers as odds: distinct integers have logarithms at least so far apart."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from flint import arb

from planner.attacks.inequalities import enough_room, fits_submission, guarantee, score_fits, separation
from planner.attacks.primes.parameters import PrimePowers
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.primes import first_primes, log_primorial, nth_prime, primorial
from planner.numerics.reals import ball, compare

MULTIPLIED = 200  # primes whose product is multiplied out
ODDS_UNITS = 4  # unit roundoffs of a ratio of two entries, each a quotient that is written down and converted


def prove(channel: Channel, parameters: PrimePowers) -> Proof:
    """Two labelings give coprime products a != b (after cancelling) with ab <= P, the product of all odds."""
    p = parameters

    def log_product() -> arb:
        return p.powers * log_primorial(p.m)

    def gap() -> arb:
        return prime_gap(p.m, p.powers, p.decoder)

    def loss() -> arb:
        # a row charges at most ln(1 + prime + ... + prime^powers + idle classes)
        idle = max(channel.classes - p.powers - 1, 0)
        worst = log_product() + p.m * (1 + ball(idle)).log1p()
        return ((channel.scored - p.m) * channel.neutral_charge() + worst) / channel.scored

    # Every class block serves the same labels again.
    capacity = p.m * (p.queries // p.class_blocks)
    return Proof(
        guarantee(channel),
        (
            _largest_odds(channel, p),
            _all_classes(channel, p),
            separation(channel, p, gap, loss, None if p.exact else lambda: prime_deviation(channel, p)),
            enough_room(capacity, p.labels),
            fits_submission(p.m, channel.rows),
            *score_fits(channel, p.queries, loss),
        ),
    )


def prime_gap(m: int, powers: int, decoder: str) -> arb:
    """Twice the error that the decoder bears, from P = (p_1 ... p_m)^powers.

    Nearest: the least ln(b/a) of integers a < b with ab <= P is ln(1 + 1/b*), b* = floor((sqrt(1+4P)-1)/2).
    Divide: rounding to an integer at most P is right while the error stays below ln(1 + 1/(2P)).
    """
    if m > MULTIPLIED:
        inverse = (-(powers * log_primorial(m)).upper()).exp()  # not above 1/P; and b* <= sqrt(P)
        return inverse.sqrt().log1p() if decoder == "nearest" else 2 * (inverse / 2).log1p()
    product = primorial(m) ** powers
    if decoder == "nearest":
        return ball(Fraction(2, isqrt(1 + 4 * product) - 1)).log1p()
    return 2 * ball(Fraction(1, 2 * product)).log1p()


def prime_deviation(channel: Channel, p: PrimePowers) -> arb:
    """The sum over the block of how far a rounded probability moves a log-odds.

    A small-side probability 1/(1+prime^k) is rounded relatively by a float, absolutely by a fixed grid.
    """
    total = arb(0)
    if channel.submission.floating:
        return ODDS_UNITS * p.m * ball(channel.submission.unit)
    if channel.submission.fixed:
        # An entry is off by at most half a step; with K columns by a whole one, so that the row still sums to 1.
        step = arb(2) ** (1 - channel.submission.fraction_bits) * (4 if channel.columns > 1 else 1) / 2
        total += channel.metric.neutral_deviation(channel)
        for prime in first_primes(p.m):
            total += step * (2 * ball(prime) ** p.powers + channel.classes)
    return total


def _largest_odds(channel: Channel, p: PrimePowers) -> Inequality:
    def reach() -> arb:
        return channel.reach() if channel.classes == 2 else channel.metric.class_reach(channel)

    return compare("W >= largest log-odds", reach, ">=", lambda: p.powers * nth_prime(p.m).log())


def _all_classes(channel: Channel, p: PrimePowers) -> Inequality:
    covered = p.powers * p.class_blocks
    return compare(
        "classes told from the rest >= K - 1", lambda: ball(covered), ">=", lambda: ball(channel.classes - 1)
    )
