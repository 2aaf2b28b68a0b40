"""Algorithms 1, 2 and 3 and the multiclass attack of the paper, as printed, in float64.

Two things that the paper leaves open are decided here. "p divides q" is asked of q rounded to the nearest
integer, since a float is hardly ever a multiple of anything. And Algorithms 2 and 3 can be scored from the
vector v, by the paper's equation for the loss, as its experiments must have been, or from the submitted
u = v/(1+v), as a server would.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
LN2 = math.log(2.0)


def prime_block(N: int, start: int, primes: Array) -> Array:
    """Algorithm 1, step 6: u for primes at rows start, start + 1, ... and 1/2 elsewhere."""
    u = np.full(N, 0.5)
    u[start : start + len(primes)] = (primes / (1.0 + primes))[: N - start]
    return u


def decode_primes(scores: Array, N: int, primes: Array, alpha: float) -> NDArray[np.bool_]:
    """Algorithm 1, steps 9 and 10, for many scores: q = alpha exp(-N l + (N - |P|) ln 2); does p divide q?"""
    with np.errstate(all="ignore"):
        q = np.rint(alpha * np.exp(-N * scores + (N - len(primes)) * LN2))
        return np.asarray(np.mod(q[:, None], primes) == 0)


def alpha_float(primes: Array) -> float:
    """alpha = prod (1 + p) in float64: inf past 10^308, and inf times the underflowed exponential is nan."""
    with np.errstate(over="ignore"):
        return float(np.prod(1.0 + primes))


def alpha_integer(primes: Array) -> float:
    """alpha as numpy multiplies integers: modulo 2^64, hence 0 once it has 64 factors of two; then q = 0."""
    with np.errstate(over="ignore"):
        return float(np.prod((1 + primes).astype(np.int64)))


def decode_prime_powers(score: float, K: int, primes: Array) -> Array:
    """The multiclass attack in one query: how often each prime divides q, at most K - 1 times."""
    powers = primes[:, None] ** np.arange(K)
    with np.errstate(all="ignore"):
        q = np.rint(np.prod(powers.sum(axis=1)) * np.exp(-len(primes) * score))
        return np.asarray((np.mod(q, powers[:, 1:]) == 0).cumprod(axis=1).sum(axis=1))


def prime_power_rows(K: int, primes: Array) -> Array:
    """The multiclass submission: row i is proportional to 1, p_i, ..., p_i^(K-1)."""
    powers = primes[:, None] ** np.arange(K)
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def robust_vector(m: int, N: int, tau: float) -> Array:
    """Algorithms 2 and 3: v_i = 3^(2^i N tau), i = 1..m; inf where float64 ends."""
    with np.errstate(over="ignore"):
        return np.asarray(3.0 ** (2.0 ** np.arange(1, m + 1) * N * tau))


def all_losses(v: Array, N: int) -> Array:
    """N times the loss of every labeling, from v: idle rows, sum ln(1 + v), less ln v for the ones."""
    labelings = (np.arange(2 ** len(v))[:, None] >> np.arange(len(v))) & 1
    with np.errstate(all="ignore"):
        base = np.log1p(v).sum() + (N - len(v)) * LN2
        return np.asarray(base - labelings @ np.log(v))


def decode_nearest(losses: Array, scores: Array, N: int) -> Array:
    """Algorithms 2 and 3: the labelings, as integers, whose losses come nearest to the scores."""
    if not np.isfinite(losses).all():
        return np.zeros(len(scores), dtype=np.int64)  # every distance is nan, and argmin answers 0
    order = np.argsort(losses)
    ranked = losses[order]
    at = np.clip(np.searchsorted(ranked, N * scores), 1, len(ranked) - 1) if len(ranked) > 1 else 0
    nearer = np.where(N * scores - ranked[at - 1] <= ranked[at] - N * scores, at - 1, at)
    return np.asarray(order[nearer])


def printed_m(N: int, tau: float, phi: int = 64) -> int:
    """Algorithm 3, step 4."""
    return min(math.ceil(math.log2(N)), math.floor(math.log2((phi - 8) / (N * tau * LN2))))
