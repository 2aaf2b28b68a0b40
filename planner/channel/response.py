"""Randomised response: each label is flipped once, before anything is scored, and what scores tell is the flipped one.

With epsilon a label stays what it is with probability e^eps/(e^eps + K - 1); else it becomes any other, all alike. So
Bin(N, pi) labels differ from the true ones, pi = (K-1)/(e^eps + K - 1). An attack that states stored labels without a mistake
has no more than f of the true ones wrong, whichever it chooses to state, but for the chance that more than f of all N were
flipped; half of delta is kept for that, the other half for all else that may fail.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from flint import arb

from planner.numerics.reals import Number, ball, working
from planner.numerics.search import first_between

TERMS = 64  # of a tail that are added up before the rest is bounded by a geometric series
BLOCKS = 96  # of a tail from below
BITS = 160  # lgamma at 10^18 labels loses 66 of them
FLIPS_SHARE = Fraction(1, 2)  # of delta: more labels are flipped than were counted no more often


def flip_chance(epsilon: Number, classes: int) -> arb:
    """pi."""
    return (classes - 1) / (ball(epsilon).exp() + classes - 1)


def chance_above(n: int, most: int, p: arb) -> arb:
    """P(Bin(n, p) > most), from above: a term follows the one before by (n-k)/(k+1) p/(1-p), which falls with k."""
    if most >= n:
        return arb(0)
    k, odds = most + 1, p / (1 - p)
    term, total = _term(n, k, p), arb(0)
    while k <= n and k < most + 1 + TERMS:
        total, term, k = total + term, term * (n - k) / (k + 1) * odds, k + 1
    left = 1 - ball(Fraction(max(n - k, 0), k + 1)) * odds
    return (total + term / left).min(arb(1)) if left > 0 else arb(1)


def chance_from(n: int, first: int, block: int, p: arb) -> arb:
    """P(Bin(n, p) >= first), from below: terms rise and then fall, so none in a block is below both of its ends."""
    total, ends = arb(0), _term(n, first, p)
    for _ in range(BLOCKS):
        last = first + block - 1
        if last > n:
            break
        total += block * ends.min(_term(n, last, p))
        first, ends = last + 1, _term(n, last + 1, p)
    return total


def _term(n: int, k: int, p: arb) -> arb:
    """C(n, k) p^k (1-p)^(n-k)."""
    if k > n:
        return arb(0)
    choose = ball(n + 1).lgamma() - ball(k + 1).lgamma() - ball(n - k + 1).lgamma()
    return (choose + k * p.log() + (n - k) * (1 - p).log()).exp()


@lru_cache(maxsize=256)
def flipped_at_most(rows: int, epsilon: Number, classes: int, delta: Fraction) -> int:
    """How many of all labels are flipped at most, but for half of delta."""

    def enough(most: int) -> bool:
        with working(BITS):
            left = chance_above(rows, most, flip_chance(epsilon, classes))
            return bool(left <= ball(delta * FLIPS_SHARE))

    return 0 if enough(0) else first_between(enough, 0, rows)
