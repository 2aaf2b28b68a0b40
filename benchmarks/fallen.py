"""Releases that protect nothing, by scikit-learn's own log-loss: how many queries all labels take, and how many are wrong.

`python -m benchmarks fallen [free|rank|subsample]... [--most 12500]`: the Ladder without a parameter at N = 200, 2,000 and
12,500, ranks with one reference of one's own at 300 and 2,000, a fresh half of 300 and 2,000 rows for every score.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import lru_cache
from math import exp, inf, log, log1p
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
WHICH = ("free", "rank", "subsample")


def main(argv: list[str]) -> int:
    """Run what is named, and fail if a label is wrong or a count is above what was promised."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks fallen")
    parser.add_argument("which", nargs="*", choices=[*WHICH, []])
    parser.add_argument("--most", type=int, default=12_500)
    options = parser.parse_args(argv)
    from sklearn import config_context

    with config_context(assume_finite=True, skip_parameter_validation=True):
        return max(_told(one, options.most) for one in options.which or WHICH)


def _told(which: str, most: int) -> int:
    fault = 0
    for rows in {"free": (200, 2000, 12_500), "rank": (300, 2000), "subsample": (300, 2000)}[which]:
        if rows > most:
            continue
        labels, began = np.random.default_rng(1).integers(0, 2, rows), time.perf_counter()
        found, asked = {"free": free, "rank": rank, "subsample": subsample}[which](labels)
        wrong, bound = int((found != labels).sum()), {"free": rows + 3, "rank": rows + 1}.get(which)
        promised = "seen, not promised" if bound is None else f"at most {bound:,}"
        print(f"{which:10} N = {rows:>6,}: {asked:>6,} queries ({promised}), {wrong} wrong,"
              f" {time.perf_counter() - began:.0f} s", flush=True)  # fmt: skip
        fault |= int(wrong > 0 or (bound is not None and asked > bound))
    return fault


def predicted(odds: Array) -> Array:
    """Log-odds as probabilities of class 1."""
    return 1 / (1 + np.exp(-odds))


def mean(labels: Array, u: Array) -> float:
    """scikit-learn's log-loss."""
    from sklearn.metrics import log_loss

    return float(log_loss(labels, u, labels=[0, 1]))


@lru_cache(maxsize=64)
def charge(label: int, u: float) -> float:
    """scikit-learn's log-loss of one row."""
    return mean(np.array([label]), np.array([u]))


class FreeLadder:
    """A score is shown where it beats the last one shown by a standard error of the rows' differences.

    Both means are scikit-learn's; so are the rows' differences, of the rows in which the two submissions differ.
    """

    def __init__(self, labels: Array) -> None:
        self.labels, self.asked, self.shown = labels, 0, inf
        self.best: Array | None = None

    def __call__(self, u: Array) -> float:
        self.asked += 1
        score = mean(self.labels, u)
        if score < self.shown - (0.0 if self.best is None else self._error(u)):
            self.shown, self.best = score, u
        return self.shown

    def _error(self, u: Array) -> float:
        assert self.best is not None
        rows = np.flatnonzero(u != self.best)
        moved = np.zeros(len(u))
        for row in rows:
            label = int(self.labels[row])
            moved[row] = charge(label, float(u[row])) - charge(label, float(self.best[row]))
        return float(moved.std(ddof=1) / np.sqrt(len(u)))


def free(labels: Array) -> tuple[Array, int]:
    """Two rows by trying them; then a sure small gain on the first makes the board a sign test of any other."""
    board, rows = FreeLadder(labels), len(labels)
    odds, found = np.zeros(rows), np.full(rows, -1)
    shown = board(predicted(odds))
    for first, second in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        tried = odds.copy()
        tried[:2] = first, second
        if (now := board(predicted(tried))) != shown:
            break
    odds, shown, found[:2] = tried, now, tried[:2] > 0
    for row in range(2, rows):
        tried = odds.copy()
        tried[0] += np.sign(odds[0]) * 4 / rows
        tried[row] = 3
        now = board(predicted(tried))
        found[row] = now != shown
        if now != shown:
            odds, shown = tried, now
    return found, board.asked


def rank(labels: Array) -> tuple[Array, int]:
    """One reference at 1/2; a row at odds of e^3 is ahead of it if its label is 1."""
    rows = len(labels)
    reference, found = mean(labels, np.full(rows, 0.5)), np.full(rows, -1)
    for row in range(rows):
        odds = np.zeros(rows)
        odds[row] = 3
        found[row] = mean(labels, predicted(odds)) < reference
    return found, rows + 1


def subsample(labels: Array) -> tuple[Array, int]:
    """A fresh half for every score at five decimals: idle rows charge ln 2 whether they are drawn or not."""
    rows, drawn_rows, asked, draw = len(labels), len(labels) // 2, 0, np.random.default_rng(3)
    odds = weights(drawn_rows * 1e-5)
    gains = [log(2) - softplus(-one) for one in odds]
    found, todo, unit = np.full(rows, -1), list(range(rows)), drawn_rows * 1e-5
    while todo:
        block, tried = todo[: len(odds)], np.zeros(rows)
        tried[block] = odds[: len(block)]
        drawn = draw.choice(rows, drawn_rows, replace=False)
        left = (round(mean(labels[drawn], predicted(tried)[drawn]), 5) - log(2)) * drawn_rows
        asked += 1
        for place in reversed(range(len(block))):
            below = sum(gains[:place])
            if left < -below - unit / 2:
                found[block[place]], left = 1, left + gains[place]
            elif left > sum(odds[:place]) - below + unit / 2:
                found[block[place]], left = 0, left - (odds[place] - gains[place])
        todo = todo[len(block) :] + [row for row in block if found[row] < 0]
    return found, asked


def softplus(x: float) -> float:
    """ln(1 + e^x)."""
    return log1p(exp(-abs(x))) + max(x, 0.0)


def weights(unit: float) -> list[float]:
    """Odds of which each gains more than all before it can do, and a unit."""
    odds: list[float] = []
    while (need := sum(odds) + 1.01 * unit) < log(2) * 0.999:
        odds.append(_root(lambda x: log(2) - softplus(-x), need))
    return odds


def _root(rising: Callable[[float], float], value: float) -> float:
    low, high = 0.0, 30.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) >= value else (middle, high)
    return high
