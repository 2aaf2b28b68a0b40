"""Theorem 1's bits: computed without the product of primes, rigorous, and within one per cent."""

from __future__ import annotations

from functools import cache
from math import isqrt, log, log2

import numpy as np
import pytest

from dsl import loads
from dsl.scenario import Arbitrary, Scenario
from planner import plan
from planner.catalogue import BY_ID
from planner.channel.channel import channel_of
from planner.considering import consider
from planner.numerics.primes import first_primes, log_primorial, nth_prime
from tests.planner.known import certified

# p_n and theta(p_n) = ln(p_1 ... p_n) where tables give them
NTH_PRIME = {10**4: 104_729, 10**5: 1_299_709, 10**6: 15_485_863, 10**7: 179_424_673, 10**8: 2_038_074_743,
             10**9: 22_801_763_489}  # fmt: skip


@cache
def sieve() -> np.ndarray:
    """All primes up to the millionth."""
    limit = NTH_PRIME[10**6]
    is_prime = np.ones(limit // 2 + 1, dtype=bool)  # is_prime[i] stands for 2 i + 1
    is_prime[0] = False
    for i in range(3, isqrt(limit) + 1, 2):
        if is_prime[i // 2]:
            is_prime[i * i // 2 :: i] = False
    primes = 2 * np.flatnonzero(is_prime) + 1
    return np.concatenate([[2], primes[primes <= limit]])


def test_the_oracle_sieve_is_right():
    assert len(sieve()) == 10**6
    assert sieve()[-1] == NTH_PRIME[10**6]
    assert tuple(sieve()[:200].tolist()) == first_primes(200)


@pytest.mark.parametrize("N", [1, 2, 10, 1000, 59_999, 60_000, 60_001, 70_000, 10**5, 390_000, 688_383, 10**6])
def test_log_primorial_encloses_the_sum_of_logarithms(N):
    exact = float(np.log(sieve()[:N].astype(np.longdouble)).sum())
    estimate = log_primorial(N)
    assert float(estimate.lower()) <= exact * (1 + 1e-12)
    assert float(estimate.upper()) >= exact * (1 - 1e-12)
    assert float(estimate.rad()) <= 0.01 * exact


@pytest.mark.parametrize("N", NTH_PRIME)
def test_nth_prime_is_enclosed(N):
    assert float(nth_prime(N).lower()) <= NTH_PRIME[N] <= float(nth_prime(N).upper())


@pytest.mark.parametrize("N", [10**7, 10**8, 10**9])
def test_log_primorial_of_large_counts(N):
    """|theta(x) - x| < 4e-4 x here, so p_N itself is the sum to far better than one per cent."""
    estimate = log_primorial(N)
    assert float(estimate.lower()) <= NTH_PRIME[N] * (1 + 4e-4)
    assert float(estimate.upper()) >= NTH_PRIME[N] * (1 - 4e-4)
    assert float(estimate.rad()) <= 0.01 * float(estimate.mid())


@pytest.mark.parametrize("N", [1, 10, 1000, 50_000, 10**5, 10**6])
def test_theorem_1_bits(N):
    bits = certified(plan(Scenario(name="known", N=N, phi=Arbitrary())), "primes-apa").precision_bits
    wanted = float(np.log2(sieve()[:N].astype(np.longdouble)).sum()) + log2(N) + 1
    assert wanted - 1 <= bits <= 1.01 * wanted + 1


@pytest.mark.parametrize("N", [10**7, 10**9])
def test_theorem_1_bits_of_large_counts(N):
    bits = certified(plan(Scenario(name="known", N=N, phi=Arbitrary())), "primes-apa").precision_bits
    assert bits == pytest.approx(NTH_PRIME[N] / log(2), rel=0.01)


@pytest.mark.parametrize("K", [3, 7])
def test_theorem_3_takes_K_minus_1_times_the_bits(K):
    channel = channel_of(Scenario(name="known", N=5000, K=K, columns=K, phi=Arbitrary()))
    binary = certified(plan(Scenario(name="known", N=5000, phi=Arbitrary())), "primes-apa").precision_bits
    multi = consider(BY_ID["prime-powers-apa"], channel).certified
    assert multi.precision_bits == pytest.approx((K - 1) * binary, rel=0.01)


@pytest.mark.parametrize("metric", ["accuracy", "f1", "recall", "roc_auc", "r2", "mse", "log_loss"])
@pytest.mark.parametrize(("digits", "bits"), [("0", 0), ("3", 10), ("5", 17), ("percent(1)", 10), ("truncated(3)", 10)])
def test_no_attack_on_decimals_asks_for_more_bits_than_they_hold(metric, digits, bits):
    """A count of 400 labels was said to take 17 bits of scores at three decimals, which hold ten."""
    clip = "; clip = 1e-15" if metric == "log_loss" else ""
    (scenario,) = loads(f"scenario held {{ N = 400; metric = {metric}; positives = 100; decimals = {digits}{clip} }}")
    found = [one.certified for one in plan(scenario).candidates if one.certified is not None]
    assert all(one.precision_bits <= bits for one in found)
    assert found or (digits == "0" and metric in ("accuracy", "f1", "recall", "roc_auc"))
