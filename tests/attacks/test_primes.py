"""Primes and prime powers: exact in one query, blocks in finite precision, refusals of what is no product."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx

from backends.simulate import simulate
from dsl.numbers import Real
from dsl.scenario import Arbitrary, FixedPoint, Scenario
from planner import plan
from planner.attacks.attack import InconsistentScores
from planner.attacks.primes.trees import product, product_tree, remainders


def candidate(attack, **fields):
    report = plan(Scenario("primes", **fields))
    return report, next(one for one in report.candidates if one.attack == attack)


@pytest.mark.parametrize("N", [1, 2, 47, 1000, 10_000])
def test_theorem_1_recovers_everything_from_one_exact_score(N):
    report, _ = candidate("primes-apa", N=N, phi=Arbitrary())
    run = simulate(report, attack="primes-apa", trials=1, seed=N)
    assert (run.exact_trials, run.queries) == (1, 1)


@pytest.mark.parametrize("K", [3, 7])
def test_theorem_3_recovers_classes_from_one_exact_score(K):
    report, _ = candidate("prime-powers-apa", N=60, K=K, columns=K, phi=Arbitrary())
    run = simulate(report, attack="prime-powers-apa", trials=3, seed=K)
    assert (run.exact_trials, run.queries) == (3, 1)


def test_the_example_of_the_paper():
    """v = [2, 3, 5, 7, 11], labels 0 1 1 0 1: the product of the primes with label 1 is 165."""
    _, chosen = candidate("primes-apa", N=5, phi=Arbitrary())
    attack = chosen.build()
    with ctx.workprec(200):
        # our class 0 holds the prime, so the paper's labels are swapped
        score = arb(2304 * 1).log() / 5 - arb(55).log() / 5
        assert attack.decode([score]).tolist() == [1, 0, 0, 1, 0]


def test_a_coarse_or_foreign_score_is_refused():
    _, chosen = candidate("primes-apa", N=30, phi=Arbitrary())
    attack = chosen.build()
    for score in (Fraction(7, 10), Fraction(1, 10**6), Fraction(50)):
        with pytest.raises(InconsistentScores):
            attack.decode([score])
    with pytest.raises(InconsistentScores):
        attack.decode([])


@pytest.mark.parametrize("fields", [
    {"N": 200, "phi": FixedPoint(32, 31)},
    {"N": 200, "clip": Real.of(Fraction(1, 10**15))},
    {"N": 40, "K": 4, "columns": 4, "phi": FixedPoint(32, 31)},
    {"N": 40, "K": 5, "columns": 5},
])  # fmt: skip
def test_finite_precision_blocks(fields):
    name = "primes-fpa" if fields.get("K", 2) == 2 else "prime-powers-fpa"
    report, chosen = candidate(name, **fields)
    assert chosen.certified is not None
    run = simulate(report, attack=name, trials=2, seed=9)
    assert run.exact_trials == 2


def test_trees_agree_with_plain_arithmetic():
    values = [2, 3, 5, 7, 11, 13, 17]
    whole = 1
    for value in values:
        whole *= value
    assert product(values) == whole
    number = 123456789123456789
    assert remainders(number, product_tree(values)) == [number % value for value in values]


def test_labels_of_the_multiclass_fix_are_all_distinct():
    """N = K = 4 with blocks of classes: the printed scheme confuses classes, the mended one tells all 256 labelings."""
    _report, chosen = candidate("prime-powers-fpa", N=4, K=4, columns=4)
    assert chosen.certified is not None
    attack = chosen.build()
    queries = [np.asarray(u, dtype=float) for u in attack.queries()]
    seen = set()
    for code in range(256):
        labels = np.array([code >> 2 * i & 3 for i in range(4)])
        scores = [float(-np.log(u[np.arange(4), labels]).mean()) for u in queries]
        assert (attack.decode(scores) == labels).all()
        seen.add(tuple(round(score, 9) for score in scores))
    assert len(seen) == 256
