from __future__ import annotations

import math

import pytest

from backends.intervals import binomial_interval


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # from the closed forms 1 - (alpha/2)^(1/n) and from published tables of exact intervals
        (0, 10, 0.0, 1 - 0.025 ** (1 / 10)),
        (10, 10, 0.025 ** (1 / 10), 1.0),
        (1, 1, 0.025, 1.0),
        (5, 10, 0.187086, 0.812914),
        (81, 263, 0.252737, 0.367622),
        (99_990, 100_000, 0.999816, 0.999952),
        (100_000, 100_000, 0.025 ** (1 / 100_000), 1.0),
    ],
)
def test_known_intervals(successes, trials, low, high):
    assert binomial_interval(successes, trials) == pytest.approx((low, high), abs=2e-6)


@pytest.mark.parametrize(("successes", "trials"), [(1, 7), (3, 7), (6, 7), (20, 50)])
def test_tails_are_exact(successes, trials):
    """The definition itself, with binomial sums: each tail holds 2.5 %."""

    def at_least(k, p):
        return sum(math.comb(trials, j) * p**j * (1 - p) ** (trials - j) for j in range(k, trials + 1))

    low, high = binomial_interval(successes, trials)
    assert at_least(successes, low) == pytest.approx(0.025, abs=1e-9)
    assert 1 - at_least(successes + 1, high) == pytest.approx(0.025, abs=1e-9)


def test_nonsense():
    with pytest.raises(ValueError, match="5 successes of 3"):
        binomial_interval(5, 3)
