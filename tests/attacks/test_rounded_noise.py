"""Comparisons under noise within a bound: what is certified withstands an adversary who knows everything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import dsl
from backends.simulate import simulate
from dsl.numbers import Real
from dsl.scenario import Bounded, Gaussian, Multiplicative
from planner import plan
from planner.attacks.promise import COINS, NOISE, NOISE_AND_COINS, NOTHING
from planner.catalogue import BY_ID
from planner.certify import certify
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
    found = consider(BY_ID["threshold"], channel(7, 1, columns=2, noise=Bounded(Real.of(Fraction(3, 2)))))
    p = found.certified.certificate.parameters
    assert p.offset_rows
    assert 21 < p.least_offset < 21.001, "twice N tau"
    attack, failed = found.build(), 0
    for labels in every(7, 2):
        try:
            failed += not np.array_equal(attack.recover(Hostile(labels, 1, tau=1.05 * 3 / 2)), labels)
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


# -- up to half of what a row can do ------------------------------------------------------------------------


def scenario(N, decimals, noise, **more):
    fields = "; ".join(f"{name} = {value}" for name, value in {"columns": 2, **more}.items())
    text = f"scenario x {{ N = {N}; scorer = sklearn; decimals = {decimals}; noise = {noise}; {fields} }}"
    return dsl.loads(text)[0]


@pytest.mark.parametrize(("tau", "feasible"), [("0.0002", True), ("0.006", True), ("0.008", True), ("0.009", False)])
def test_noise_below_half_of_what_a_row_can_do_is_no_shield(tau, feasible):
    """N tau = 16 of W/2 = 18, where w0 = 1 bore no more than 1/2; 18 leaves no row to start from."""
    report = plan(scenario(2000, 1, f"bounded({tau})"))
    found = candidate(report, "threshold")
    assert (found.certified is not None) == feasible
    if feasible:
        p = found.certified.certificate.parameters
        assert p.least_offset == pytest.approx(max(1, 2 * 2000 * float(tau)), rel=1e-5)
        assert found.certified.certificate.promise.over == NOTHING
    else:
        (reason,) = found.reasons
        assert reason.field == "noise"
        assert "N τ < 18.02" in reason.need


def test_more_noise_never_helps():
    """What is certified at some noise is certified at less: rows that suffice do not depend on it."""
    for N, decimals, columns in ((2000, 1, 2), (2000, 1, 1), (50, 0, 2), (30, 1, 1), (12, 0, 2)):
        rows, held = [], []
        for tenths in range(0, 200, 8):
            tau = Bounded(Real.of(Fraction(tenths, 10 * N)))
            found = consider(BY_ID["threshold"], channel(N, decimals, columns=columns, noise=tau))
            held.append(found.certified is not None)
            rows += [found.certified.certificate.parameters.offset_rows] if found.certified else []
        assert held == sorted(held, reverse=True)
        assert rows == sorted(rows)
        assert held[0]
        assert not held[-1]


@pytest.mark.parametrize("mode", ["plus", "minus", "alternating", "rival"])
@pytest.mark.parametrize(("N", "decimals", "N_tau"), [(300, 1, "15"), (120, 0, "8"), (60, 2, "0.4")])
def test_adversaries_near_the_bound_change_nothing(N, decimals, N_tau, mode):
    bound = Fraction(N_tau) / N
    found = candidate(plan(scenario(N, decimals, f"bounded({bound})")), "threshold")
    assert found.certified is not None
    weaker = replace(found, channel=replace(found.channel, noise=Bounded(Real.of(bound * Fraction(999, 1000)))))
    run = simulate(weaker, trials=1, scorer="sklearn", noise_mode=mode)
    assert (run.exact_trials, run.failures) == (1, ())
    assert run.queries <= found.certified.queries


LAWS = {
    "gaussian": ("gaussian(1/500)", "gaussian(1/20)"),
    "laplace": ("laplace(1/1500)", "laplace(1/20)"),
    "subexponential": ("subexponential(1/250000, 1/1500)", "subexponential(1/400, 1/20)"),
    "uniform": ("uniform(1/50, 1/10)", "uniform(-1/5, 1/5)"),
}


@pytest.mark.parametrize("law", LAWS)
def test_random_noise_is_borne_with_probability(law):
    """All noises of all queries stay below the margin, but for delta; a centre off 0 moves the boundaries."""
    report = plan(scenario(200, 1, LAWS[law][0]))
    found = candidate(report, "threshold")
    promise = found.certified.certificate.promise
    assert (promise.over, promise.chance) == ((NOTHING, 0) if law == "uniform" else (NOISE, Fraction(1, 100)))
    run = simulate(report, attack="threshold", trials=1, scorer="sklearn", noise_member="laplace")
    assert (run.exact_trials, run.failures) == (1, ())
    assert candidate(plan(scenario(200, 1, LAWS[law][1])), "threshold").certified is None


@pytest.mark.parametrize(
    ("noise", "over"),
    [
        ("gaussian(1/40000)", NOISE_AND_COINS),
        ("laplace(1/100000)", NOISE_AND_COINS),
        ("uniform(1/4000, 1/1000)", COINS),
    ],
)
def test_dither_averages_random_noise_with_its_own(noise, over):
    """Noise that is drawn knows nothing of the offset: it moves a measurement and makes no jump."""
    report = plan(scenario(600, 1, noise))
    found = candidate(report, "dither")
    assert found.certified is not None
    assert found.certified.certificate.promise.over == over
    assert found.certified.queries < candidate(report, "threshold").certified.queries
    run = simulate(report, attack="dither", trials=1, scorer="sklearn")
    assert (run.exact_trials, run.failures) == (1, ())
    assert run.queries <= found.certified.queries


def test_the_event_that_noise_leaves_its_bound_is_counted():
    """Noise and coins once had all of delta each: half of it is what either has, and both are stated."""
    there = channel(600, 1, columns=2, noise=Gaussian(Real.of(Fraction(1, 40_000))))
    proof = consider(BY_ID["dither"], there).certified.certificate
    p = proof.parameters
    chance = next(one for one in proof.inequalities if one.name.startswith("probability of needing more"))
    assert float(chance.right.hi) == pytest.approx(float(there.delta) / 2)
    half, whole = (float(there.errors(p.queries, share).noise()) for share in (Fraction(1, 2), Fraction(1)))
    assert whole < half <= float(p.error)
    assert not certify(there, replace(p, error=Fraction(whole))).holds


def test_certain_confidence_leaves_no_room_for_random_noise():
    for attack in ("threshold", "dither"):
        there = replace(channel(200, 1, noise=Gaussian(Real.of(Fraction(1, 10**9)))), delta=Fraction(0))
        found = consider(BY_ID[attack], there)
        assert found.certified is None
        assert {one.field for one in found.reasons} == {"confidence"}
