"""Decoding 25,000 labels: the paper's N/5 queries and the certified plans, against one numpy log-loss pass.

Then designs from 10,000 to a million labels, from measurements with errors at the certified bound: how the time grows.
The paper reports 53.41 ms for its D1. Times here are the best of several runs, and the pass that they are
compared with is timed in the same process.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from backends import ieee
from backends.setting import Setting
from benchmarks.leaderboards import attack_for
from benchmarks.paper.algorithms import alpha_float, prime_block
from benchmarks.paper.table2 import DATASETS, decode
from dsl.numbers import Real
from dsl.scenario import Scenario
from planner import plan
from planner.attacks.attack import Attack
from planner.numerics.primes import first_primes

PAPER_SECONDS = 53.41e-3
REPEATS = 5
GROWING: list[list[tuple[int, int | None]]] = [
    [(10**4, 3), (10**5, 4), (10**6, 5)],
    [(10**4, 4), (10**5, 5), (10**6, 6)],
    [(10**4, None), (10**5, None), (10**6, None)],
]
CLIP = Real.of(Fraction(1, 10**15))


def best_of(work: Callable[[], Any]) -> float:
    """The least of several times."""
    times = []
    for _ in range(REPEATS):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def report(name: str, N: int, seconds: float, one_pass: float) -> None:
    """One line: the rate and both ratios."""
    print(
        f"  {name:<34} {seconds * 1000:8.2f} ms  {N / seconds / 1e6:6.2f} M labels/s"
        f"  {seconds / one_pass:7.1f} x one pass  {PAPER_SECONDS / seconds:6.1f} x faster than printed"
    )


def papers_primes(labels: Any, one_pass: float) -> bool:
    """Algorithm 1 as printed with five labels a query."""
    N, primes = len(labels), np.array(first_primes(5), dtype=np.float64)
    scores = np.array([ieee.score(labels, prime_block(N, first, primes), 64) for first in range(0, N, 5)])
    report("Algorithm 1 as printed, N/5", N, best_of(lambda: decode(scores, N, primes, alpha_float)), one_pass)
    return bool((decode(scores, N, primes, alpha_float) == labels).all())


def certified(attack: Attack, queries: int, setting: Setting, labels: Any, one_pass: float) -> bool:
    """A certified attack's decoder, verification included."""
    scorer = setting.score_function(setting.generator(0))
    scores = [scorer(labels, u) for u in attack.queries()]
    seconds = best_of(lambda: attack.decode(scores))
    report(f"{attack.id}, {queries:,} queries", len(labels), seconds, one_pass)
    return bool((attack.decode(scores) == labels).all())


def growth(cells: Sequence[tuple[int, int | None]]) -> bool:
    """A design's decoder, verification included, for ever more labels: with a decimal more, the error stays the same."""
    right, first = True, 0.0
    for N, decimals in cells:
        coins = np.random.default_rng(N)
        labels, u = coins.integers(0, 2, N), coins.random(N)
        attack = attack_for(N, decimals)
        (stage,) = attack.stages
        sums = stage.design.scores(labels).astype(float) * float(stage.design.unit)
        measured = sums + attack.tolerance * 0.999 * coins.choice([-1.0, 1.0], len(sums))
        ratio = best_of(partial(attack.read, stage, measured)) / best_of(partial(ieee.score, labels, u, 64))
        first = first or ratio
        shown = "float64" if decimals is None else f"d={decimals}"
        print(
            f"  {shown:>8}, N = {N:>9,}: {ratio:7.1f} x one pass over the labels, {ratio / first:5.2f} x that of N = 10,000"
        )
        right = right and bool((attack.read(stage, measured) == labels).all())
    return right


def main(argv: Sequence[str] = ()) -> int:
    """Decode D1 by every certified attack that lists its queries."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks decode", description=__doc__)
    parser.add_argument("--attack", action="append", help="only this attack (may be repeated)")
    wanted = parser.parse_args(argv).attack
    labels = DATASETS[0].labels(0)
    u = np.random.default_rng(0).random(len(labels))
    one_pass = best_of(lambda: ieee.score(labels, u, 64))
    print(f"N = {len(labels):,}; one numpy log-loss pass takes {one_pass * 1000:.2f} ms")
    right = [papers_primes(labels, one_pass)]
    scenario = Scenario(name="D1", N=len(labels), clip=CLIP, columns=2)
    for candidate in plan(scenario).candidates:
        if candidate.certified is None or (wanted and candidate.attack not in wanted):
            continue
        attack, queries = candidate.build(), candidate.certified.queries
        if not attack.adaptive and queries <= len(labels) / 4:
            right.append(certified(attack, queries, Setting(scenario), labels, one_pass))
    right += [growth(cells) for cells in GROWING]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
