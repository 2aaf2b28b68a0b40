"""The multiclass figure: prime powers in one query, K = 2..10, in float64."""

from __future__ import annotations

from itertools import count
from time import perf_counter

import numpy as np

from backends import ieee
from benchmarks.paper.algorithms import decode_prime_powers, prime_power_rows
from benchmarks.paper.experiment import Curve, Experiment, Finding
from planner.numerics.primes import first_primes

QUIET = 3  # sizes in a row at which nothing is recovered end a curve


def recovered(N: int, K: int, trials: int, generator: np.random.Generator) -> float:
    """The share of random labelings that come out right in full."""
    primes = np.array(first_primes(N), dtype=np.float64)
    rows = prime_power_rows(K, primes)
    right = 0
    for _ in range(trials):
        labels = generator.integers(K, size=N)
        right += bool((decode_prime_powers(ieee.score(labels, rows, 64), K, primes) == labels).all())
    return right / trials


def multiclass(seed: int = 0, trials: int = 100) -> Experiment:
    """Accuracy and time by N for K = 2..10, over 100 random labelings as in the paper."""
    generator = np.random.default_rng(seed)
    series: dict[str, list[tuple[float, float]]] = {}
    times: dict[str, list[tuple[float, float]]] = {}
    full, last = [], []
    for K in range(2, 11):
        points: list[tuple[float, float]] = []
        clock: list[tuple[float, float]] = []
        for N in count(1):
            if len(points) >= QUIET and not any(share for _, share in points[-QUIET:]):
                break
            start = perf_counter()
            points.append((float(N), recovered(N, K, trials, generator)))
            clock.append((float(N), (perf_counter() - start) * 1000 / trials))
        series[f"K = {K}"], times[f"K = {K}"] = points, clock
        full.append(next(int(N) - 1 for N, share in points if share < 1))
        last.append(max(int(N) for N, share in points if share > 0))
    findings = [
        Finding("every labeling right up to N =", "falls with K", _by_class(full)),
        Finding("some labeling right up to N =", "falls with K", _by_class(last),
                "q has up to (K-1) sum log2 p_i bits and float64 holds 53."),
        Finding("time a labeling", "a few ms, growing with K", _spread(times)),
    ]  # fmt: skip
    curves = [
        Curve("multiclass", "Prime powers in float64, one query", "N", "labelings recovered", series),
        Curve("multiclass-time", "Time a labeling, scoring included", "N", "milliseconds", times, share=False),
    ]
    return Experiment("Appendix figure. The multiclass attack, K = 2..10", findings, curves)


def _spread(times: dict[str, list[tuple[float, float]]]) -> str:
    """The longest time for each number of classes, as a range."""
    slowest = [max(y for _, y in points) for points in times.values()]
    return f"{min(slowest):.2f} to {max(slowest):.2f} ms, scoring included"


def _by_class(values: list[int]) -> str:
    return ", ".join(f"K={K}: {value}" for K, value in enumerate(values, 2))
