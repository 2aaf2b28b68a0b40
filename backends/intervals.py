"""How far a measured share can be trusted: Clopper and Pearson's exact binomial interval."""

from __future__ import annotations

import math
from collections.abc import Callable

STEPS = 60  # bisections: past the resolution of a float


def binomial_interval(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The interval that covers the true probability at least as often as `confidence` says."""
    if not 0 <= successes <= trials or trials < 1:
        raise ValueError(f"{successes} successes of {trials} trials")
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else _root(lambda p: _at_least(successes, trials, p) < tail)
    high = 1.0 if successes == trials else _root(lambda p: 1 - _at_least(successes + 1, trials, p) > tail)
    return low, high


def _root(below: Callable[[float], bool]) -> float:
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) else (low, middle)
    return (low + high) / 2


def _at_least(k: int, n: int, p: float) -> float:
    """P(Binomial(n, p) >= k), which is the regularised incomplete beta function I_p(k, n - k + 1)."""
    return _incomplete_beta(float(k), float(n - k + 1), p)


def _incomplete_beta(a: float, b: float, x: float) -> float:
    if x <= 0.0 or x >= 1.0:
        return float(x >= 1.0)
    if x > (a + 1) / (a + b + 2):  # the continued fraction converges fast on the other side
        return 1 - _incomplete_beta(b, a, 1 - x)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(scale) * _continued_fraction(a, b, x) / a


def _continued_fraction(a: float, b: float, x: float) -> float:
    """Lentz's evaluation of the continued fraction for the incomplete beta function."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d, c = 1 / (1 + term * d), 1 + term / c
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value
