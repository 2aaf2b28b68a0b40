"""Labels flipped once before they were scored: how many of those that are read are not the true ones, and I10.

Each label stays with probability e^eps/(e^eps + K - 1). Of n stored labels Bin(n, pi) are not the true ones; whoever knows
nothing but the stored ones has no better guess than these.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from threatplan.verify import limits, secret
from threatplan.verify.channel import Channel, Enclosure
from threatplan.verify.claims import Claim
from threatplan.verify.intervals import ZERO, Interval, exp, log, log2, log_factorial, precision, real, smaller
from threatplan.verify.limits import SILENT, Exclusion

HALF = Fraction(1, 2)  # of delta is for labels that were flipped
SUMMED, BLOCKS = 64, 96  # terms of a tail before its geometric series; blocks of one from below
BITS = 160


def flips(epsilon: Enclosure, K: int) -> Interval:
    """pi."""
    return (K - 1) / (exp(epsilon.interval) + (K - 1))


def term(n: int, k: int, p: Interval) -> Interval:
    """P(Bin(n, p) = k)."""
    if k > n:
        return ZERO
    return exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) + k * log(p) + (n - k) * log(1 - p))


def above(n: int, most: int, p: Interval) -> Interval:
    """P(Bin(n, p) > most) at most: 64 terms, and then no term is larger than the last ratio makes it."""
    if most >= n:
        return ZERO
    odds, k, summed = p / (1 - p), most + 1, ZERO
    one = term(n, k, p)
    for _ in range(min(SUMMED, n - most)):
        summed, one, k = summed + one, one * real(Fraction(n - k, k + 1)) * odds, k + 1
    left = 1 - real(Fraction(max(n - k, 0), k + 1)) * odds
    return smaller(real(1), summed + one / left) if left > 0 else real(1)


def at_least(n: int, first: int, block: int, p: Interval) -> Interval:
    """P(Bin(n, p) >= first) at least: over a block no term is below the smaller of its ends."""
    summed = ZERO
    for number in range(BLOCKS):
        low = first + number * block
        if low + block - 1 > n:
            break
        summed = summed + block * smaller(term(n, low, p), term(n, low + block - 1, p))
    return summed


# -- what a promise owes -------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def flipped(N: int, epsilon: Enclosure, K: int, delta: Fraction) -> int:
    """How many of all labels are not the true ones, but for half of delta."""

    def seldom(most: int) -> bool:
        return bool(above(N, most, flips(epsilon, K)) <= real(delta * HALF))

    with precision(BITS):
        low, high = -1, N
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if seldom(middle) else (middle, high)
        return high


def stored(c: Channel) -> Channel:
    """The channel of the labels that were scored: nothing is known of them, and enough are wanted to leave the goal."""
    if c.response is None:
        return c
    target = min(c.N, c.target + flipped(c.N, c.response, c.K, c.delta))
    return replace(c, response=None, target=target, delta=c.delta * (1 - HALF), radius=c.N, exactly=False)


# -- I10 -----------------------------------------------------------------------------------------------


def rarest(c: Channel) -> Interval:
    """pi at its smallest."""
    assert c.response is not None
    return real(flips(c.response, c.K).least())


def exclusion(c: Channel, given: dict[str, Fraction]) -> Exclusion:
    """More labels were flipped than may be wrong, oftener than delta."""
    if c.response is None or c.exactly or "first" not in given:
        return SILENT
    unknown = min(c.radius, c.N) if secret.informed(c) else c.N
    needed, first, block = c.wrong_allowed + 1, int(given["first"]), int(given.get("block", 0))
    if not needed <= first <= unknown or block < 1:
        return SILENT
    name = f"chance that {needed} of {unknown} labels were flipped > δ"
    claim = Claim(name, lambda: at_least(unknown, first, block, rarest(c)), ">", lambda: real(c.delta))
    return Exclusion((claim,), excludes_all=claim.proof(c)[2])


def carried(c: Channel) -> limits.Bits | None:
    """What stored labels tell of the true ones: N times the capacity of a flip."""
    if c.response is None:
        return None

    def bits() -> Interval:
        p = rarest(c)
        lost = p * (log2(c.K - 1) - log2(p)) - (1 - p) * log2(1 - p)
        return c.N * (log2(c.K) - lost)

    return bits
