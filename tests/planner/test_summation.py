"""numpy's order of additions: the model is bit for bit numpy's, and the bounds count it from above."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from dsl.scenario import Summation
from planner.channel.formats.summation import BLOCK, REMAINDER, additions, pairwise_depth

SIZES = [1, 7, 8, 9, 127, 128, 129, 136, 255, 257, 511, 1372, 8191, 8193, 10_000, 24_999, 25_000, 65_537]


def halves(n: int) -> tuple[int, int]:
    left = n // 2 - n // 2 % 8
    return left, n - left


def by_hand(values: list[float]) -> float:
    """The sum in the order that the bounds assume."""
    n = len(values)
    if n < 8:
        return sum(values, -0.0)
    if n > BLOCK:
        left, _ = halves(n)
        return by_hand(values[:left]) + by_hand(values[left:])
    even = n - n % 8
    r = values[:8]
    for start in range(8, even, 8):
        r = [a + b for a, b in zip(r, values[start : start + 8], strict=True)]
    total = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
    for value in values[even:]:
        total += value
    return total


@pytest.mark.parametrize("n", SIZES)
def test_numpy_adds_in_this_order(n):
    coins = np.random.default_rng(n)
    values = coins.random(n) * coins.choice([1e-3, 1.0, 30.0], n)
    assert np.add.reduce(values) == by_hand(values.tolist())
    assert np.mean(values) == by_hand(values.tolist()) / n


@cache
def depth(n: int) -> int:
    """Additions on the longest path, those of the last block's remainder not counted."""
    if n < 8:
        return max(n - 1, 0)
    return n // 8 + 2 if n <= BLOCK else 1 + max(map(depth, halves(n)))


def test_the_depth_is_the_worst_of_all_sizes_so_far():
    worst = 0
    for n in range(1, 20_000):
        worst = max(worst, depth(n))
        assert pairwise_depth(n) >= worst
        assert additions(n, Summation.PAIRWISE) >= min(n - 1, depth(n) + n % 8)
    assert pairwise_depth(25_000) == 25
    assert max(n % 8 for n in range(16)) == REMAINDER
