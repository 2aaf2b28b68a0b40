"""Powers of primes as odds: different labelings give different products, and integers have logarithms far enough apart.

Few primes are listed and multiplied. Of many, p_n and theta(p_n) are enclosed by bounds of Dusart and Schoenfeld:
    p_n >= n (ln n + ln ln n - 1 + (ln ln n - 2.1)/ln n), n >= 3
    p_n <= n (ln n + ln ln n - 0.9484), n >= 39017, and <= n (ln n + ln ln n - 1 + (ln ln n - 2)/ln n), n >= 688383
    |theta(x) - x| < x/(40 ln x), x >= 678407, and < 0.2 x/ln^2 x, x >= 3594641
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, partial
from math import isqrt, log2, prod

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import (
    Claim,
    Derived,
    columns_for_classes,
    count,
    exact_predictions,
    logarithms,
    room,
    score_fits,
    separation,
)
from threatplan.verify.intervals import Interval, exp, hull, log, log1p, power_of_two, real, sqrt, total
from threatplan.verify.metrics.log_loss import class_reach, idle_deviation
from threatplan.verify.reading import Unreadable

LISTED = 60_000  # primes beyond this count are bounded
MULTIPLIED = 200  # primes whose product is written out
MOST_FACTORS = 2**20  # of such a product


def derive(channel: Channel, data: reading.Data) -> Derived:
    """m labels a query, `powers` classes at a time."""
    reading.only(data, "kind", "queries", "labels", "m", "powers", "class_blocks", "decoder", "exact")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    m, powers, blocks = (reading.whole(data, name, 1) for name in ("m", "powers", "class_blocks"))
    decoder, exact = reading.text_of(data, "decoder"), reading.truth(data, "exact")
    if m > channel.N or powers >= channel.K or min(m, MULTIPLIED) * powers > MOST_FACTORS:
        raise Unreadable("`m` or `powers` is beyond the channel, or too large to check")
    if decoder not in ("nearest", "divide"):
        raise Unreadable("`decoder` is unknown to this checker")

    def loss() -> Interval:
        # A row charges at most ln(1 + p + ... + p^powers + idle classes) <= ln p^powers + ln(2 + idle classes).
        idle = max(channel.K - powers - 1, 0)
        worst = powers * log_product(m) + m * log(2 + idle)
        return ((channel.N - m) * log(channel.K) + worst) / channel.N

    reach = channel.reach if channel.K == 2 else partial(class_reach, channel)
    off = None if exact else lambda: deviation(channel, m, powers)
    claims = (
        Claim("W >= largest log-odds", reach, ">=", lambda: powers * log(nth_prime(m))),
        count("classes told from the rest >= K - 1", powers * blocks, ">=", channel.K - 1),
        separation(channel, queries, lambda: gap(m, powers, decoder), loss, tilted=False, deviation=off),
        room(m * (queries // blocks), labels),
        count("labels of a block <= rows of a submission", m, "<=", channel.N),
        *score_fits(channel, queries, loss),
    )
    fits = (
        logarithms(channel),
        columns_for_classes(channel),
        *((exact_predictions(channel),) if exact else ()),
    )
    listed = -(-labels // m) * blocks
    return Derived(labels, queries, powers * blocks + 1, claims, listed=listed, fits=fits)


def gap(m: int, powers: int, decoder: str) -> Interval:
    """Twice the error that the decoder bears, from the product P of all odds.

    Integers a < b with ab <= P have b <= b* = floor((sqrt(1+4P) - 1)/2), and ln(b/a) >= ln(1 + 1/b*). Whoever rounds
    to an integer up to P is right while the error stays below ln(1 + 1/(2P)).
    """
    if m > MULTIPLIED:
        inverse = exp(-(powers * log_product(m)).high)
        return log1p(sqrt(inverse)) if decoder == "nearest" else 2 * log1p(inverse / 2)
    product = prod(first_primes(m)) ** powers
    if decoder == "nearest":
        return log1p(real(Fraction(2, isqrt(1 + 4 * product) - 1)))
    return 2 * log1p(real(Fraction(1, 2 * product)))


def deviation(channel: Channel, m: int, powers: int) -> Interval:
    """How far rounded predictions move the block's log-odds together."""
    if channel.ieee:
        return 4 * m * real(channel.unit)
    if not channel.fixed:
        return real(0)
    half_step = power_of_two(-int(channel.precision.fraction_bits)) * (4 if channel.columns > 1 else 1)
    rows = total(half_step * (2 * real(p) ** powers + channel.K) for p in first_primes(m))
    return idle_deviation(channel) + rows


@lru_cache(maxsize=8)
def first_primes(n: int) -> tuple[int, ...]:
    """The first n primes, by a sieve."""
    if n > LISTED:
        raise Unreadable(f"a list of {n:,} primes")
    limit = max(16, int(n * (log2(n + 2) + 2)))
    sieve = bytearray([1]) * (limit + 1)
    for p in range(2, isqrt(limit) + 1):
        if sieve[p]:
            sieve[p * p :: p] = bytes(len(range(p * p, limit + 1, p)))
    return tuple(p for p in range(2, limit + 1) if sieve[p])[:n]


def nth_prime(n: int) -> Interval:
    """p_n, or bounds on it."""
    if n <= LISTED:
        return real(first_primes(n)[-1])
    a, b = log(n), log(log(n))
    low = n * (a + b - 1 + (b - Fraction(21, 10)) / a)
    above = b + a - Fraction(9484, 10_000) if n < 688_383 else a + b - 1 + (b - 2) / a
    return hull(low, n * above)


@lru_cache(maxsize=8)
def _product(n: int) -> int:
    """The product of the first n primes, multiplied in pairs."""
    factors = list(first_primes(n))
    while len(factors) > 1:
        factors = [prod(factors[i : i + 2]) for i in range(0, len(factors), 2)]
    return factors[0]


def log_product(n: int) -> Interval:
    """The logarithm of the product of the first n primes."""
    if n <= LISTED:
        return log(_product(n))
    x = nth_prime(n)
    slack = x / log(x) / 40 if x < 3_594_641 else x / (log(x) * log(x)) / 5
    return hull(x - slack, x + slack)
