"""Boards whose labels can be guessed, end to end: what is certain, what is seen, and no wrong label.

Every query goes through scikit-learn's own log_loss and is rounded as the board rounds it. The wrong rows of a guess are
drawn at random, lie side by side, are evenly spread, or come in pairs.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dsl import loads
from planner import plan
from planner.model import Candidate

# N, wrong labels, decimals (None: all), classes, columns, adaptive
BOARDS: tuple[tuple[int, int, int | None, int, int, bool], ...] = (
    (198, 20, 4, 2, 2, True),
    (198, 20, 4, 2, 1, True),
    (2000, 20, 5, 2, 2, True),
    (2000, 20, 5, 2, 1, True),
    (2000, 100, 4, 2, 2, True),
    (2000, 20, None, 2, 2, True),
    (12_500, 125, 5, 2, 2, True),
    (12_500, 625, 5, 2, 2, True),
    (100_000, 100, 5, 2, 2, True),
    (2000, 20, 5, 3, 3, True),
    (2000, 100, 5, 10, 10, True),
    (2000, 20, 5, 2, 2, False),
    (12_500, 125, 5, 2, 2, False),
    (2000, 20, 1, 2, 2, True),
)
INFORMED = {"splitting", "power-sums", "threshold-splitting"}


def main(argv: Sequence[str]) -> int:
    """Plan and run each board; fails if a label comes out wrong or a promise is exceeded."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks guesses", description=__doc__)
    parser.add_argument("--runs", type=int, default=4, help="of each board, another arrangement each (default: 4)")
    options = parser.parse_args(argv)
    warnings.simplefilter("ignore")
    head = ("N", "wrong", "decimals", "K", "columns", "attack", "certain", "seen", "limit", "wrong labels")
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head), flush=True)
    failed = 0
    for board in BOARDS:
        row, broken = measured(board, options.runs)
        failed += broken
        print("| " + " | ".join(row) + " |", flush=True)
    return 1 if failed else 0


def measured(board: tuple[int, int, int | None, int, int, bool], runs: int) -> tuple[list[str], int]:
    """A board's row, and how many runs broke its promise."""
    N, wrong, decimals, K, columns, adaptive = board
    shown = "full" if decimals is None else decimals
    (scenario,) = loads(
        f"scenario board {{ N = {N}; K = {K}; scorer = sklearn; columns = {columns}; decimals = {shown}; "
        f"guess = {N - wrong}/{N}; adaptive = {'yes' if adaptive else 'no'} }}"
    )
    report = plan(scenario)
    candidates = [one for one in report.candidates if one.attack in INFORMED and one.certified]
    best = min(candidates, key=_queries)
    seen = list(_runs(best, board, runs))
    certain = _queries(best)
    mistakes = sum(count for _, count in seen)
    broken = sum(asked > certain or bool(count) for asked, count in seen)
    asked = sorted(asked for asked, _ in seen)
    spread = f"{asked[0]}-{asked[-1]}" if asked[0] < asked[-1] else f"{asked[0]}"
    figures = (N, wrong, shown, K, columns, best.attack, certain, spread, report.lower_bound.queries, mistakes)
    return [f"{one:,}" if isinstance(one, int) else str(one) for one in figures], broken


def _queries(candidate: Candidate) -> int:
    assert candidate.certified is not None
    return candidate.certified.queries


def _runs(best: Candidate, board: tuple[int, int, int | None, int, int, bool], runs: int) -> Iterator[tuple[int, int]]:
    """Queries and wrong labels of each run."""
    N, wrong, decimals, K, _, _ = board
    for number in range(runs):
        draw = np.random.default_rng((N, wrong, number))
        hidden = draw.integers(0, K, N)
        rows = _arranged(number % 4, N, wrong, draw)
        guess = hidden.copy()
        guess[rows] = (hidden[rows] + draw.integers(1, K, wrong)) % K
        scorer = _Scorer(hidden, K, decimals)
        found = best.build(guess=guess).recover(scorer)
        yield scorer.asked, int((found != hidden).sum())


def _arranged(kind: int, N: int, wrong: int, draw: np.random.Generator) -> Any:
    """Rows that a guess has wrong: at random, side by side, evenly spread, in pairs."""
    if kind == 1:
        start = int(draw.integers(0, N - wrong + 1))
        return np.arange(start, start + wrong)
    if kind == 2:
        return np.arange(wrong) * N // wrong
    if kind == 3:
        firsts = np.arange((wrong + 1) // 2) * (N // ((wrong + 1) // 2))
        return np.sort(np.concatenate([firsts, firsts[: wrong // 2] + 1]))
    return np.sort(draw.permutation(N)[:wrong])


class _Scorer:
    """scikit-learn's log_loss, rounded."""

    def __init__(self, hidden: Any, K: int, decimals: int | None) -> None:
        from sklearn.metrics import log_loss

        self.hidden, self.labels, self.decimals, self.asked = hidden, list(range(K)), decimals, 0
        self._loss = log_loss

    def __call__(self, u: Any) -> float:
        self.asked += 1
        score = float(self._loss(self.hidden, u, labels=self.labels))
        return score if self.decimals is None else round(score, self.decimals)


if __name__ == "__main__":
    raise SystemExit(main([]))
