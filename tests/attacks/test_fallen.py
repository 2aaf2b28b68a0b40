"""Releases that protect nothing: each falls here to a few lines, so that nobody need take the page's word for it."""

from __future__ import annotations

import hashlib
from math import exp, inf, log, log1p

import numpy as np
import pytest


def softplus(x: float) -> float:
    return log1p(exp(-abs(x))) + max(x, 0.0)


def predicted(odds):
    return 1 / (1 + np.exp(-np.asarray(odds, dtype=float)))


def charges(labels, u):
    return -np.where(labels == 1, np.log(u), np.log1p(-u))


def hidden(N: int, seed: int = 1):
    return np.random.default_rng(seed).integers(0, 2, N)


def test_charges_are_those_of_scikit_learn():
    from sklearn.metrics import log_loss

    labels, u = hidden(50), np.random.default_rng(2).random(50)
    assert charges(labels, u).mean() == pytest.approx(log_loss(labels, u), rel=1e-12)


# -- the Ladder without a parameter ---------------------------------------------------------------------


class FreeLadder:
    """A score is shown where it beats the last one by a standard error of the difference."""

    def __init__(self, labels) -> None:
        self.labels, self.shown, self.best, self.asked = labels, inf, None, 0

    def __call__(self, u):
        self.asked += 1
        rows = charges(self.labels, u)
        gained = rows if self.best is None else rows - self.best
        if rows.mean() < self.shown - gained.std(ddof=1) / np.sqrt(len(rows)):
            self.shown, self.best = rows.mean(), rows
        return self.shown


def sign_tests(board, N: int):
    """Two rows by trying them; then a sure small gain on the first makes the board a sign test of any other."""
    odds, labels = np.zeros(N), np.full(N, -1)
    shown = board(predicted(odds))
    for first, second in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        tried = odds.copy()
        tried[:2] = first, second
        now = board(predicted(tried))
        if now != shown:
            break
    odds, shown, labels[:2] = tried, now, (tried[:2] > 0)
    for row in range(2, N):
        tried = odds.copy()
        tried[0] += np.sign(odds[0]) * 4 / N
        tried[row] = 3
        now = board(predicted(tried))
        labels[row] = now != shown
        if now != shown:
            odds, shown = tried, now
    return labels


@pytest.mark.parametrize("N", [2, 200, 2000, 12_500])
def test_a_ladder_without_a_parameter_falls_in_as_many_queries_as_labels(N, thorough):
    if N > 200 and not thorough:
        return
    board = FreeLadder(hidden(N))
    assert sign_tests(board, N).tolist() == board.labels.tolist()
    assert board.asked <= N + 3


# -- ranks ----------------------------------------------------------------------------------------------


def test_ranks_fall_to_a_reference_of_ones_own():
    """A submission of all 1/2 by another account; a row at odds of e^3 is ahead of it if its label is 1."""
    labels = hidden(300)
    reference, found = charges(labels, np.full(300, 0.5)).mean(), []
    for row in range(300):
        odds = np.zeros(300)
        odds[row] = 3
        found.append(int(charges(labels, predicted(odds)).mean() < reference))
    assert found == labels.tolist()


# -- fresh rows for every score ---------------------------------------------------------------------------


def digits_of(N: int, n: int, decimals: int) -> list[float]:
    """Odds of a block: what a drawn row does exceeds what all before it can do, and a unit of the score."""
    odds: list[float] = []
    unit = 1.01 * n * 10.0**-decimals
    while (need := sum(odds) + unit) < log(2) * 0.999 and len(odds) < N:
        low, high = 0.0, 30.0
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (low, middle) if log(2) - softplus(-middle) >= need else (middle, high)
        odds.append(high)
    return odds


def erasures(labels, n: int, decimals: int, seed: int = 3):
    """Idle rows at 1/2 charge ln 2 whether they are drawn or not: a row is absent, right or wrong, never blurred."""
    N, draw, asked = len(labels), np.random.default_rng(seed), 0
    odds, found, todo = digits_of(N, n, decimals), np.full(N, -1), list(range(N))
    unit, gains = n * 10.0**-decimals, [log(2) - softplus(-one) for one in odds]
    while todo:
        rows = todo[: len(odds)]
        tried = np.zeros(N)
        tried[rows] = odds[: len(rows)]
        drawn = draw.choice(N, n, replace=False)
        score = round(float(charges(labels[drawn], predicted(tried)[drawn]).mean()), decimals)
        asked += 1
        left = (score - log(2)) * n
        for place in reversed(range(len(rows))):
            gain, below = gains[place], sum(gains[:place])
            if left < -below - unit / 2:  # more than all rows before it gain
                found[rows[place]], left = 1, left + gain
            elif left > sum(odds[:place]) - below + unit / 2:  # or lose
                found[rows[place]], left = 0, left - (odds[place] - gain)
        todo = todo[len(rows) :] + [row for row in rows if found[row] < 0]
    return found, asked


@pytest.mark.parametrize(("N", "n", "most"), [(200, 100, 90), (2000, 1000, 1400)])
def test_fresh_halves_are_erasures_and_no_noise(N, n, most, thorough):
    if N > 200 and not thorough:
        return
    labels = hidden(N)
    found, asked = erasures(labels, n, 5)
    assert found.tolist() == labels.tolist()
    assert N / len(digits_of(N, n, 5)) < asked < most


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
