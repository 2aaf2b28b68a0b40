"""Releases that protect nothing: each falls here to a few lines, so that nobody need take the page's word for it."""

from __future__ import annotations

import hashlib
from math import log

import numpy as np
import pytest

from benchmarks import fallen


def charges(labels, u):
    return -np.where(labels == 1, np.log(u), np.log1p(-u))


def hidden(N: int, seed: int = 1):
    return np.random.default_rng(seed).integers(0, 2, N)


def test_charges_are_those_of_scikit_learn():
    from sklearn.metrics import log_loss

    labels, u = hidden(50), np.random.default_rng(2).random(50)
    assert charges(labels, u).mean() == pytest.approx(log_loss(labels, u), rel=1e-12)


# -- what falls through scikit-learn (python -m benchmarks fallen, which runs them at their full size) -----


@pytest.mark.parametrize("N", [2, 3, 60])
def test_a_ladder_without_a_parameter_falls_in_as_many_queries_as_labels(N):
    found, asked = fallen.free(hidden(N))
    assert found.tolist() == hidden(N).tolist()
    assert asked <= N + 3


def test_ranks_fall_to_a_reference_of_ones_own():
    found, asked = fallen.rank(hidden(60))
    assert (found.tolist(), asked) == (hidden(60).tolist(), 61)


def test_fresh_halves_are_erasures_and_no_noise():
    found, asked = fallen.subsample(hidden(100))
    assert found.tolist() == hidden(100).tolist()
    assert 100 / len(fallen.weights(50e-5)) < asked < 45


# -- noise that sticks -------------------------------------------------------------------------------------


def sticky(labels, sigma: float, key=lambda u: u):
    def score(u):
        seed = int.from_bytes(hashlib.sha256(key(u).tobytes()).digest()[:8], "big")
        return charges(labels, u).mean() + sigma * np.random.default_rng(seed).standard_normal()

    return score


def test_noise_that_sticks_is_fresh_to_whoever_moves_the_last_digit():
    score, u = sticky(hidden(100), 0.01), np.full(100, 0.5)
    assert score(u) == score(u.copy())
    seen = []
    for step in range(400):
        u[0] = 0.5 + step * 1e-12
        seen.append(score(u))
    assert abs(np.mean(seen) - log(2)) < 4 * 0.01 / 20


def test_noise_keyed_on_fewer_digits_than_are_scored_is_none():
    """Two submissions of one key differ by their loss alone: noise of 0.5, and no label is wrong."""
    labels = hidden(200)
    score = sticky(labels, 0.5, key=lambda u: np.round(u, 1))
    u = np.full(200, 0.46)
    before, found = score(u), []
    for row in range(200):
        tried = u.copy()
        tried[row] = 0.54
        found.append(int(score(tried) < before))
    assert found == labels.tolist()
