"""Comparisons under noise within a bound: what is certified withstands an adversary who knows everything."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import dsl
from backends.simulate import simulate
from dsl.numbers import Real
from dsl.scenario import Bounded, Gaussian, Laplace, Multiplicative, Subexponential, Uniform
from planner import plan
from planner.catalogue import BY_ID
from planner.considering import consider
from planner.model import Verdict
from tests.attacks.leaderboard import Leaderboard, channel
from tests.planner.known import candidate

STEPS = 20  # of the bisection for the largest noise that is certified


@dataclass
class Hostile(Leaderboard):
    """Noise of size `tau` or `alpha` times the loss that changes what is shown wherever it can, else as `sign` says."""

    tau: float = 0.0
    alpha: float = 0.0
    sign: int = 1

    def __call__(self, submission):
        self.asked += 1
        loss = self._unclipped(submission)  # no prediction lies beyond the clip, and scikit-learn checks a lot
        most = self.tau + self.alpha * loss
        plain = self.shown(loss)
        changed = [self.shown(loss + sign * most) for sign in (self.sign, -self.sign)]
        return next((one for one in changed if one != plain), plain)

    def shown(self, score):
        return float(np.round(score, self.decimals))


def largest(attack, law, N, decimals, **more):
    """The attack at the largest noise of this law for which it is certified, and that noise."""
    low, high, found = Fraction(0), Fraction(1), None
    for _ in range(STEPS):
        middle = (low + high) / 2
        this = consider(BY_ID[attack], channel(N, decimals, noise=law(Real.of(middle)), **more))
        low, high, found = (middle, high, this) if this.certified else (low, middle, found)
    assert found is not None
    assert low > 0
    return found, low


def every(N, K):
    return map(np.array, product(range(K), repeat=N))


SMALL = [(8, 0, {}), (8, 0, {"columns": 2}), (7, 1, {}), (7, 1, {"columns": 2}), (4, 0, {"K": 3, "columns": 3})]


@pytest.mark.parametrize(("N", "decimals", "more"), SMALL)
@pytest.mark.parametrize("law", [Bounded, Multiplicative])
def test_thresholds_bear_the_noise_that_they_are_certified_for(law, N, decimals, more):
    """All labelings, at 0.999 of the bound, under noise that flips every comparison that it can."""
    found, most = largest("threshold", law, N, decimals, **more)
    size = {"tau" if law is Bounded else "alpha": float(most) * 0.999}
    for labels in every(N, more.get("K", 2)):
        board = Hostile(labels, decimals, sign=1 - 2 * (int(labels.sum()) % 2), **size)
        assert np.array_equal(found.build().recover(board), labels)
        assert board.asked <= found.certified.queries


def test_the_margin_of_thresholds_is_sharp():
    """With a little more noise than certified some labeling is misread or refused: the bound is no accident."""
    found, most = largest("threshold", Bounded, 8, 0, columns=2)
    attack, failed = found.build(), 0
    for labels in every(8, 2):
        try:
            failed += not np.array_equal(attack.recover(Hostile(labels, 0, tau=float(most) * 1.1)), labels)
        except ValueError:
            failed += 1
    assert failed


@pytest.mark.parametrize(("attack", "N", "decimals"), [("threshold", 600, 1), ("dither", 1000, 1), ("dither", 200, 0)])
def test_many_labels_under_hostile_noise(attack, N, decimals):
    found, most = largest(attack, Bounded, N, decimals)
    coins = np.random.default_rng(5)
    for sign in (1, -1):
        labels = (coins.random(N) < coins.random()).astype(int)
        board = Hostile(labels, decimals, tau=float(most) * 0.999, sign=sign)
        assert np.array_equal(found.build().recover(board), labels)
        assert board.asked <= found.certified.queries


def test_tiny_noise_is_no_shield_for_rounded_scores():
    """`decimals = 1` with bounded(1e-12) was unknown, with nothing exposed; the attack recovers every label."""
    (scenario,) = dsl.loads("scenario x { N = 2000; scorer = sklearn; decimals = 1; noise = bounded(1e-12) }")
    report = plan(scenario)
    assert report.verdict is Verdict.FEASIBLE
    assert candidate(report, "threshold").certified is not None
    coins = np.random.default_rng(7)

    def noisy(labels, u):
        p = np.clip(u[:, 1] if u.ndim == 2 else u, 2.0**-52, 1 - 2.0**-52)
        loss = float(-np.log(np.where(np.asarray(labels) == 1, p, 1 - p)).mean())
        return round(loss + coins.uniform(-1e-12, 1e-12), 1)

    run = simulate(report, trials=3, scorer=noisy)
    assert (run.exact_trials, run.failures) == (3, ())


TAILS = [
    Gaussian(Real.of(Fraction(1, 10**12))),
    Laplace(Real.of(Fraction(1, 10**12))),
    Subexponential(Real.of(Fraction(1, 10**24)), Real.of(Fraction(1, 10**12))),
    Uniform(Real.of(Fraction(-1, 10**12)), Real.of(Fraction(1, 10**12))),
]


@pytest.mark.parametrize("noise", TAILS, ids=lambda law: type(law).__name__)
@pytest.mark.parametrize("attack", ["threshold", "dither"])
def test_laws_whose_bound_is_not_proved_for_comparisons_are_refused(attack, noise):
    found = consider(BY_ID[attack], channel(2000, 1, noise=noise))
    assert found.certified is None
    assert "noise" in {one.field for one in found.reasons}


def test_what_such_laws_expose_is_not_known():
    assert (
        plan(
            dsl.loads("scenario x { N = 2000; scorer = sklearn; decimals = 1; noise = gaussian(1e-12) }")[0]
        ).exposure.labels
        is None
    )
