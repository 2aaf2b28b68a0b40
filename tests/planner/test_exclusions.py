"""Nothing that a limit excludes is found by trying every small integer design, and no count of answers is exceeded."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from mpmath import mp

from dsl.numbers import Real
from dsl.scenario import Arbitrary, Bounded, Decimals, FixedPoint, NoNoise, Scenario, Significant
from planner import plan
from planner.channel.channel import channel_of
from planner.limits.counting import fewest_answers
from planner.model import Verdict
from tests.planner import oracle
from tests.planner.brute import labelings


def differences(N: int, K: int) -> np.ndarray:
    """For each pair of labelings and each class: +1 where the first has it, -1 where the second has, as (pairs, N K)."""
    rows = np.eye(K, dtype=np.int64)[labelings(N, K)].reshape(-1, N * K)
    first, second = np.triu_indices(len(rows), 1)
    return rows[first] - rows[second]


def widest_separation(N: int, K: int, M: int, a: int) -> Fraction:
    """The best that integer charges 0..a do in M queries, all of them tried: the least difference of a pair, over a."""
    levels = [(0, *rest) for rest in product(range(-a, a + 1), repeat=K - 1) if max(0, *rest) - min(0, *rest) <= a]
    queries = np.array(list(product(levels, repeat=N))).reshape(-1, N * K)
    apart = abs(queries @ differences(N, K).T)  # (queries, pairs)
    if M == 1:
        return Fraction(int(apart.min(axis=1).max()), a)
    best = max(int(np.maximum(one, apart[i:]).min(axis=1).max()) for i, one in enumerate(apart))
    return Fraction(best, a)


CASES = [(1, 2, 1, 1), (2, 2, 1, 2), (2, 2, 2, 2), (3, 2, 1, 4), (3, 2, 2, 3), (4, 2, 2, 2), (1, 3, 1, 2), (2, 3, 2, 2)]


@pytest.mark.parametrize("adaptive", [True, False])
@pytest.mark.parametrize(("N", "K", "M", "a"), CASES)
def test_adversarial_noise_excludes_no_integer_design(N, K, M, a, adaptive):
    """Separated by more than 2 N tau: then M queries suffice, and "impossible" would be false."""
    widest = widest_separation(N, K, M, a)
    assert widest > 0
    clip = Real.of(Fraction(1, 1000))
    quiet = Scenario(name="tiny", N=N, K=K, phi=Arbitrary(), clip=clip, columns=1 if K == 2 else K)
    reach = oracle.W(quiet) if K == 2 else -mp.log(oracle.number(clip)) - mp.log(K)
    edge = Fraction(mp.nstr(reach * widest.numerator / widest.denominator / (2 * N), 30))
    for share in (Fraction(1, 10), Fraction(1, 2), 1 - Fraction(1, 10**9)):
        for confidence in (Fraction(1), Fraction(99, 100), Fraction(1, 2)):
            scenario = Scenario(
                name="tiny", N=N, K=K, phi=Arbitrary(), clip=clip, columns=quiet.columns, queries=M,
                noise=Bounded(Real.of(edge * share)), adaptive=adaptive, confidence=confidence,
            )  # fmt: skip
            assert plan(scenario).verdict is not Verdict.IMPOSSIBLE, (scenario, widest)


@pytest.mark.parametrize("N", [1, 2, 3])
def test_neighbours_are_hidden_exactly_where_no_design_parts_them(N):
    """2 N tau >= W: in every query of every design, some pair of neighbours is at most W apart."""
    a = 4
    neighbours = differences(N, 2)[abs(differences(N, 2)).sum(axis=1) == 2]
    queries = np.array(list(product(range(-a, a + 1), repeat=N)))
    padded = np.stack([np.zeros_like(queries), queries], axis=2).reshape(len(queries), 2 * N)
    assert abs(padded @ neighbours.T).max() == a  # never more than W
    clip = Real.of(Fraction(1, 1000))
    W = oracle.W(Scenario(name="tiny", N=N, phi=Arbitrary(), clip=clip))
    tau = Fraction(mp.nstr(W / (2 * N) * (1 + mp.mpf(10) ** -9), 30))
    report = plan(Scenario(name="tiny", N=N, phi=Arbitrary(), clip=clip, noise=Bounded(Real.of(tau))))
    assert report.verdict is Verdict.IMPOSSIBLE


# -- rounding ------------------------------------------------------------------------------------------


def rounded_scores(N: int, clip: float, d: int, levels: int) -> np.ndarray:
    """What each query on a grid of log-odds shows for every labeling, (queries, labelings)."""
    W = np.log((1 - clip) / clip)
    w = np.array(list(product(np.linspace(-W, W, levels), repeat=N)))
    sums = np.logaddexp(0, w).sum(axis=1)[:, None] - w @ labelings(N, 2).T
    return np.rint(sums / N * 10**d).astype(np.int64)


def queries_that_suffice(shown: np.ndarray) -> int | None:
    """1 or 2, by trying every query and every pair of queries."""
    labels = shown.shape[1]

    def distinct(keys: np.ndarray) -> np.ndarray:
        return (np.diff(np.sort(keys, axis=-1), axis=-1) != 0).sum(axis=-1) + 1 == labels

    if distinct(shown).any():
        return 1
    large = int(shown.max()) + 1
    return 2 if any(distinct(one * large + shown[i:]).any() for i, one in enumerate(shown)) else None


@pytest.mark.parametrize("d", [0, 1, 2])
@pytest.mark.parametrize("clip", ["0.2", "0.01", "0.0001"])
@pytest.mark.parametrize(("N", "levels"), [(1, 41), (2, 31), (3, 11)])
def test_rounding_excludes_nothing_that_is_found(N, levels, clip, d):
    shown = rounded_scores(N, float(clip), d, levels)
    found = queries_that_suffice(shown)
    scenario = Scenario(
        name="tiny", N=N, phi=Arbitrary(), clip=Real.of(clip), shown=Decimals(d), queries=found, confidence=Fraction(1)
    )
    answers, _ = fewest_answers(channel_of(scenario))
    assert max(len(np.unique(one)) for one in shown) <= answers
    if found is not None:
        assert plan(scenario).verdict is not Verdict.IMPOSSIBLE, (scenario, found)


@pytest.mark.parametrize("f", [2, 3, 5])
@pytest.mark.parametrize("N", [1, 2, 3])
def test_fixed_point_shows_no_more_answers_than_are_counted(N, f):
    grid = np.arange(1, 2**f) / 2**f
    u = np.array(list(product(grid, repeat=N)))
    sums = -(np.log(1 - u).sum(axis=1)[:, None] + np.log(u / (1 - u)) @ labelings(N, 2).T)
    shown = np.rint(sums / N * 2**f)
    answers, _ = fewest_answers(channel_of(Scenario(name="tiny", N=N, phi=FixedPoint(8, f), noise=NoNoise())))
    assert max(len(np.unique(one)) for one in shown) <= answers


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("clip", ["0.2", "0.001", "1e-8"])
@pytest.mark.parametrize(("N", "levels"), [(3, 11), (6, 5)])
def test_significant_digits_show_no_more_answers_than_are_counted(N, levels, clip, n):
    W = np.log((1 - float(clip)) / float(clip))
    w = np.array(list(product(np.linspace(-W, W, levels), repeat=N)))
    scores = (np.logaddexp(0, w).sum(axis=1)[:, None] - w @ labelings(N, 2).T) / N
    unit = 10.0 ** (np.floor(np.log10(scores)) + 1 - n)
    shown = np.round(np.rint(scores / unit) * unit, 14)
    scenario = Scenario(name="tiny", N=N, phi=Arbitrary(), clip=Real.of(Fraction(clip)), shown=Significant(n))
    answers, _ = fewest_answers(channel_of(scenario))
    assert max(len(np.unique(one)) for one in shown) <= answers
