"""Exact arithmetic: the paper's APA. The score is a ball around the true value, as small as asked for.

The entries that the labels select are multiplied as integers by a product tree, so that a query whose entries
all differ, as those of Theorem 1 do, costs one logarithm at full precision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import gmpy2
import numpy as np
from flint import arb, fmpq, fmpz

from backends.rows import Labels, Query, check, pick, rational, rationals
from planner.numerics.reals import working

GUARD_BITS = 32


def product(factors: Sequence[gmpy2.mpz]) -> gmpy2.mpz:
    """The product of integers, by a balanced tree: near-linear in the size of the result."""
    level = list(factors)
    while len(level) > 1:
        paired = [a * b for a, b in zip(level[::2], level[1::2], strict=False)]
        level = paired + level[len(level) & ~1 :]
    return level[0] if level else gmpy2.mpz(1)


def conditioned(u: Query, clip: gmpy2.mpq | None, renormalise: bool) -> Query:
    """The query after the scorer's clip and division by row sums, both exact."""
    if clip is None and not renormalise:
        return u
    exact = rationals(u)
    if clip is not None:
        exact = np.minimum(np.maximum(exact, clip), 1 - clip)
    if renormalise and exact.ndim == 2:
        exact = exact / exact.sum(axis=1)[:, None]
    return exact


def selected(labels: Labels, u: Query) -> Counter[gmpy2.mpq]:
    """The probabilities that the scorer takes logarithms of, with how often each occurs."""
    if u.ndim == 2:
        return _count(pick(labels, u))
    ones, zeros = _count(u[labels == 1]), _count(u[labels == 0])
    return ones + Counter({1 - value: times for value, times in zeros.items()})


def _count(entries: Query) -> Counter[gmpy2.mpq]:
    if entries.dtype == object:
        counted = Counter(entries.tolist())
    else:
        values, times = np.unique(entries, return_counts=True)
        counted = Counter(dict(zip(values.tolist(), times.tolist(), strict=True)))
    return Counter({rational(value): times for value, times in counted.items()})


def log_of(numerator: gmpy2.mpz, denominator: gmpy2.mpz) -> arb:
    """ln(numerator/denominator) at the working precision."""
    return (arb(fmpz(int(numerator))) / arb(fmpz(int(denominator)))).log()


def midpoint(ball: arb) -> Fraction:
    """The exact middle of a ball; its `lower` and `upper` would be rounded to the working precision."""
    mantissa, exponent = (int(part) for part in ball.mid().man_exp())
    return Fraction(mantissa << max(exponent, 0), 1 << max(-exponent, 0))


def mean_log_loss(
    labels: Labels,
    u: Query,
    bits: int,
    *,
    clip: gmpy2.mpq | None = None,
    renormalise: bool = False,
) -> arb:
    """The exact mean log-loss as a ball of radius at most 2^-bits; infinite if a zero is selected."""
    check(labels, u)
    counted = selected(labels, conditioned(u, clip, renormalise))
    if min(counted) < 0 or max(counted) > 1:
        raise ValueError("a query holds a probability outside [0, 1]")
    return arb.pos_inf() if 0 in counted else _mean(counted, len(labels), bits)


def _mean(counted: Counter[gmpy2.mpq], N: int, bits: int) -> arb:
    """Entries that occur once share one logarithm; a repeated one, such as an idle row's 1/2, has its own."""
    once = [value for value, times in counted.items() if times == 1]
    top = product([value.numerator for value in once])
    bottom = product([value.denominator for value in once])
    repeated = {value: times for value, times in counted.items() if times > 1}
    idle = sum(times * value.denominator.bit_length() for value, times in repeated.items())
    precision = max(bits, 0) + (bottom.bit_length() + idle).bit_length() + len(repeated).bit_length() + GUARD_BITS
    with working(precision):
        total = log_of(top, bottom) if top != bottom else arb(0)
        for value, times in repeated.items():
            total += times * log_of(value.numerator, value.denominator)
        score = -total / N
    if not score.rad() <= arb(fmpq(1, 2)) ** bits:
        raise ArithmeticError(f"the score is known to {score.rad()} only, {bits} bits were asked for")
    return score
