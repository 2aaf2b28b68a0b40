"""Figure 1: the attacks on random labelings, without and with noise."""

from __future__ import annotations

import math
from itertools import count
from time import perf_counter

import numpy as np

from benchmarks.paper import algorithms
from benchmarks.paper.algorithms import Array
from benchmarks.paper.experiment import Curve, Experiment, Finding
from benchmarks.paper.table2 import attack
from planner.numerics.primes import first_primes

NOISES = (0.01, 0.1, 1.0)
TEN = (
    "The paper's decoder asks whether p divides a float. With a tolerance of 1e-5 in the place of rounding, "
    "10 comes out exactly; q rounded to the nearest integer is right for all 2^N labelings up to N = 13."
)
LUCK = (
    "Of 10,000 random labelings for each N, only those with few and small primes still fit 53 bits: where "
    "the last of them is seen is a matter of the seed."
)


def single_query_share(N: int, trials: int, generator: np.random.Generator, decimals: int = 0) -> float:
    """The share of random labelings that one query of primes recovers in full; q rounded to `decimals`."""
    primes = np.array(first_primes(N), dtype=np.float64)
    labelings = _labelings(N, trials, generator)
    u = primes / (1 + primes)
    scores = -np.log(np.where(labelings == 1, u, 1 - u)).mean(axis=1)
    q = np.round(algorithms.alpha_float(primes) * np.exp(-N * scores), decimals)
    return float(((np.mod(q[:, None], primes) == 0) == labelings).all(axis=1).mean())


def _labelings(N: int, trials: int, generator: np.random.Generator) -> Array:
    """Random labelings, or all of them where there are no more than asked for."""
    if trials >= 2**N:
        return (np.arange(2**N)[:, None] >> np.arange(N)) & 1
    return generator.integers(2, size=(trials, N))


def single_query(seed: int = 0, trials: int = 10_000) -> Experiment:
    """Plots (a) and (b): one query of primes in float64."""
    generator = np.random.default_rng(seed)
    sizes = range(1, 61)
    rounded = [(float(N), single_query_share(N, trials, generator)) for N in sizes]
    tolerant = [(float(N), single_query_share(N, trials, generator, decimals=5)) for N in sizes]
    findings = [
        Finding("largest N with every labeling right", "10", f"{_last_full(rounded)}", TEN),
        Finding("the same with a tolerance of 1e-5", "10", f"{_last_full(tolerant)}"),
        Finding("no labeling right from", "47", f"{_first_none(rounded)}", LUCK),
    ]
    curve = Curve(
        "single-query", "One query of primes in float64", "N", "labelings recovered",
        {"q rounded": rounded, "tolerance 1e-5": tolerant},
    )  # fmt: skip
    return Experiment("Figure 1 (a, b). Theorem 1's primes in float64, one query", findings, [curve])


def _last_full(points: list[tuple[float, float]]) -> int:
    return next((int(N) - 1 for N, share in points if share < 1), int(points[-1][0]))


def _first_none(points: list[tuple[float, float]]) -> int:
    return int(max((N for N, share in points if share > 0), default=0)) + 1


def many_queries(seed: int = 0) -> Experiment:
    """Plots (c) and (d): Algorithm 1 with N/5 queries up to N = 10,000."""
    generator = np.random.default_rng(seed)
    accuracy, times = [], []
    for N in (10, 50, 100, 500, 1000, 2000, 5000, 10_000):
        share, seconds = attack(generator.integers(2, size=N), N // 5)
        accuracy.append((float(N), share))
        times.append((float(N), seconds * 1000))
    findings = [
        Finding(
            "accuracy, N up to 10,000",
            "1.0",
            f"{min(share for _, share in accuracy):.4f} at worst",
        ),
        Finding("time at N = 10,000", "a few ms", f"{times[-1][1]:.2f} ms to decode"),
    ]
    curves = [
        Curve("multi-query", "Algorithm 1 with N/5 queries", "N", "accuracy", {"": accuracy}, log_x=True),
        Curve("multi-query-time", "Time to decode", "N", "milliseconds", {"": times}, True, True, share=False),
    ]
    return Experiment("Figure 1 (c, d). Algorithm 1 with N/5 queries", findings, curves)


def noisy_share(v: Array, N: int, tau: float, trials: int, generator: np.random.Generator) -> float:
    """The share of random labelings found from losses of v with noise uniform on [-tau, tau]."""
    losses = algorithms.all_losses(v, N)
    hidden = generator.integers(len(losses), size=trials)
    scores = losses[hidden] / N + generator.uniform(-tau, tau, size=trials)
    return float((algorithms.decode_nearest(losses, scores, N) == hidden).mean())


def bounded_noise(seed: int = 0, trials: int = 2000) -> Experiment:
    """Plots (e) and (f): Algorithm 2 at three noise levels."""
    generator = np.random.default_rng(seed)
    findings, series, times = [], {}, {}
    for tau, paper in zip(NOISES, ("12", "8", "6"), strict=True):
        points, clock = [], []
        for N in range(1, 17):
            start = perf_counter()
            share = noisy_share(algorithms.robust_vector(N, N, tau), N, tau, trials, generator)
            points.append((float(N), share))
            clock.append((float(N), (perf_counter() - start) * 1000 / trials))
        series[f"noise {tau:g}"], times[f"noise {tau:g}"] = points, clock
        overflow = next(N for N in count(1) if 2**N * N * tau * math.log(3) > math.log(np.finfo(float).max))
        findings.append(
            Finding(f"labels at noise {tau:g}", paper, f"{_last_full(points)}",
                    f"v_N = 3^(2^N N tau) leaves float64 at N = {overflow}: the format ends, not the noise.")
        )  # fmt: skip
    curves = [
        Curve("bounded-noise", "Algorithm 2 in float64", "N", "labelings recovered", series),
        Curve(
            "bounded-noise-time",
            "Algorithm 2: time a labeling",
            "N",
            "milliseconds",
            times,
            log_y=True,
            share=False,
        ),
    ]
    return Experiment("Figure 1 (e, f). Algorithm 2, one query with bounded noise", findings, curves)
