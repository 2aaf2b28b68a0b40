"""The first primes and their product, rigorously and without building the product.

Small counts are sieved. Beyond that, explicit bounds hold:
    p_n >= n (ln n + ln ln n - 1 + (ln ln n - 2.1)/ln n)  for n >= 3        (Dusart 2010)
    p_n <= n (ln n + ln ln n - 0.9484)                    for n >= 39017    (Dusart 1999)
    p_n <= n (ln n + ln ln n - 1 + (ln ln n - 2)/ln n)    for n >= 688383   (Dusart 2010)
    |theta(x) - x| < x / (40 ln x)                        for x >= 678407   (Schoenfeld 1976)
    |theta(x) - x| < 0.2 x / ln^2 x                       for x >= 3594641  (Dusart 1999)
where theta(x) is the sum of ln p over the primes p <= x.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import fsum, isqrt, log

from flint import arb

from planner.numerics.reals import ball, recalled

SIEVED = 60_000  # primes beyond this count are bounded, not listed
FLOAT_SLACK = 1e-12  # relative, far above what math.log and math.fsum can lose


@lru_cache(maxsize=8)
def first_primes(count: int) -> tuple[int, ...]:
    """The first `count` primes."""
    if count <= 0:
        return ()
    limit = 15 if count < 6 else int(count * (log(count) + log(log(count)))) + 3
    return primes_up_to(limit)[:count]


@lru_cache(maxsize=8)
def primes_up_to(limit: int) -> tuple[int, ...]:
    """All primes not above `limit`."""
    if limit < 2:
        return ()
    odd = bytearray([1]) * ((limit + 1) // 2)
    for i in range(3, isqrt(limit) + 1, 2):
        if odd[i // 2]:
            odd[i * i // 2 :: i] = bytes(len(range(i * i // 2, len(odd), i)))
    return (2, *[2 * i + 1 for i in range(1, len(odd)) if odd[i]])


@recalled(64)
def nth_prime(count: int) -> arb:
    """p_count, exactly where it is sieved, else as an enclosure."""
    if count <= SIEVED:
        return ball(first_primes(count)[-1])
    n = ball(count)
    ln_n = n.log()
    lnln_n = ln_n.log()
    low = n * (ln_n + lnln_n - 1 + (lnln_n - ball(Fraction(21, 10))) / ln_n)
    if count < 688_383:
        return low.union(n * (ln_n + lnln_n - ball(Fraction(9484, 10_000))))
    return low.union(n * (ln_n + lnln_n - 1 + (lnln_n - 2) / ln_n))


@recalled(64)
def log_primorial(count: int) -> arb:
    """ln(p_1 ... p_count), rigorous and within 1 %."""
    if count <= SIEVED:
        total = fsum(map(log, first_primes(count)))
        return arb(total, total * FLOAT_SLACK)
    x = nth_prime(count)
    slack = x / x.log() / 40 if x < 3_594_641 else x / x.log() ** 2 / 5
    return (x - slack).union(x + slack)


def primorial(count: int) -> int:
    """p_1 ... p_count, for counts small enough to multiply out."""
    product = 1
    for prime in first_primes(count):
        product *= prime
    return product
