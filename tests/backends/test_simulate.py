from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from backends.noise import MODES
from backends.resources import Estimate, Limits, ResourceRefusal, estimate, require
from backends.setting import Setting
from backends.trials import run_attack
from dsl.numbers import Real
from dsl.scenario import Arbitrary, Bounded, Decimals, FixedPoint, Scenario
from planner.attacks.attack import InconsistentScores
from planner.model import Certificate, Plan

CLIP = Fraction(1, 10**15)
REACH = math.log(1e15 - 1) * (1 - 1e-12)


def shown(N: int, d: int) -> Scenario:
    return Scenario(name="shown", N=N, shown=Decimals(d), clip=Real.of(CLIP))


def labels_a_query(N: int, d: int) -> int:
    return math.ceil(math.log2(REACH / (N * 10.0**-d)))


@pytest.mark.parametrize(("N", "d", "m"), [(1000, 5, 12), (1000, 3, 6), (100, 4, 12)])
@pytest.mark.parametrize("labels", ["random", "balanced", "zeros", "ones", "alternating", "skewed"])
def test_block_attack_recovers_everything(block_attack, N, d, m, labels):
    assert labels_a_query(N, d) == m
    attack = block_attack(N, m, REACH, N * 10.0**-d / 2)
    run = run_attack(attack, Setting(shown(N, d), seed=1, labels=labels), trials=2)
    assert (run.exact_trials, run.wrong_labels, run.failures) == (2, 0, ())
    assert run.queries == math.ceil(N / m)


def test_one_label_more_fails(block_attack):
    """The formula is sharp: at m + 1 labels come out wrong, so the tests above can see a failure."""
    N, d = 1000, 5
    attack = block_attack(N, labels_a_query(N, d) + 1, REACH, math.inf)
    run = run_attack(attack, Setting(shown(N, d), seed=1), trials=3)
    assert run.wrong_labels > 0
    assert run.exact_trials < 3
    assert run.accuracy < 1


@pytest.mark.parametrize("mode", MODES)
def test_bounded_noise_at_the_full_bound(block_attack, mode):
    N, tau = 64, Fraction(1, 400)
    m = math.ceil(math.log2(REACH / (2 * N * float(tau))))
    noisy = Scenario(name="noisy", N=N, noise=Bounded(Real.of(tau)), clip=Real.of(CLIP))
    run = run_attack(block_attack(N, m, REACH, N * float(tau)), Setting(noisy, mode=mode), trials=5)
    assert run.exact_trials == 5
    closer = block_attack(N, m + 2, REACH, math.inf)
    if mode in ("rival", "random-sign"):
        assert run_attack(closer, Setting(noisy, mode=mode), trials=5).exact_trials < 5


@pytest.mark.parametrize("phi", [33, 41, 65])
def test_fixed_point(grid_block_attack, phi):
    f, N = (phi - 1) // 2, 40
    reach = math.log(2.0**f - 1)
    m = math.ceil(math.log2(reach / (N * 2.0**-f))) - 1  # the grid also moves the weights
    scenario = Scenario(name="fpa", N=N, phi=FixedPoint(phi - 1 - f, f))
    attack = grid_block_attack(N, min(m, 10), reach, 0.0, f=f)
    assert run_attack(attack, Setting(scenario), trials=3).exact_trials == 3


def test_inconsistent_scores_are_reported_not_counted_right(block_attack):
    attack = block_attack(100, 12, REACH, 1e-9)  # believes in less noise than there is
    run = run_attack(attack, Setting(shown(100, 3)), trials=2)
    assert run.exact_trials == 0
    assert run.wrong_labels == run.total_labels == 200
    assert len(run.failures) == 2
    assert "no labeling scores" in run.failures[0]


def test_same_seed_same_run_and_trials_do_not_depend_on_their_number(block_attack):
    seen: list[float] = []

    class Recorder(block_attack):
        def decode(self, scores):
            seen.extend(scores)
            return super().decode(scores)

    attack = Recorder(100, 12, REACH, math.inf)
    noisy = Setting(replace(shown(100, 4), noise=Bounded(Real.of(Fraction(1, 100)))), seed=9, mode="inside")
    run_attack(attack, noisy, trials=1)
    run_attack(attack, noisy, trials=2)
    first, again, other = seen[:9], seen[9:18], seen[18:]
    assert first == again
    assert first != other
    seen.clear()
    run_attack(attack, replace(noisy, seed=10))
    assert seen != first


def test_own_labels_and_partial_attacks(block_attack):
    class Half(block_attack):
        def decode(self, scores):
            found = super().decode(scores)
            found[self.N // 2 :] = -1
            return found

    hidden = np.arange(100) % 2
    run = run_attack(Half(100, 12, REACH, math.inf), Setting(shown(100, 4), labels=hidden))
    assert (run.exact_trials, run.total_labels) == (1, 50)


def test_adaptive_attacks_use_recover(block_attack):
    class Adaptive(block_attack):
        adaptive = True

        def queries(self):
            raise TypeError("adaptive")

        def recover(self, score):
            return super().decode([score(u) for u in block_attack.queries(self)])

    attack = Adaptive(100, 12, REACH, math.inf, adaptive=True)
    run = run_attack(attack, Setting(shown(100, 4)))
    assert (run.exact_trials, run.queries) == (1, 9)
    assert run.seconds.encode == 0


def test_user_scorer_is_taken_as_it_is(block_attack):
    asked = []

    def mine(labels, u):
        asked.append(u.shape)
        return float(-np.log(np.where(labels == 1, u, 1 - u)).mean())

    run = run_attack(block_attack(60, 10, REACH, 1e-6), Setting(shown(60, 2), scorer=mine))
    assert run.exact_trials == 1
    assert asked == [(60,)] * 6
    assert run.backend == "user"
    assert run.scorer.endswith("mine")


@pytest.mark.library("sklearn")
def test_sklearn_end_to_end(block_attack):
    N, d = 1372, 5
    m = labels_a_query(N, d)
    attack = block_attack(N, m, REACH, N * 10.0**-d / 2)
    run = run_attack(attack, Setting(shown(N, d), scorer="sklearn", labels="counts(762, 610)"), trials=1)
    assert (run.exact_trials, run.scorer) == (1, "sklearn")


def test_progress_and_cancelling(block_attack):
    calls = []
    attack = block_attack(100, 12, REACH, math.inf)
    run_attack(attack, Setting(shown(100, 4)), trials=2, queries=9, progress=lambda *at: calls.append(at))
    assert calls[0] == (0, 2, 0, 9)
    assert calls[-1] == (1, 2, 9, 9)

    def cancel(*at):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_attack(attack, Setting(shown(100, 4)), progress=cancel)


def test_json_contract(block_attack):
    run = run_attack(block_attack(100, 12, REACH, math.inf), Setting(shown(100, 4), seed=3))
    data = json.loads(json.dumps(run.to_json()))
    names = [
        "scenario",
        "attack",
        "backend",
        "scorer",
        "seed",
        "trials",
        "exact_trials",
        "wrong_labels",
        "queries",
    ]
    assert [data[name] for name in names] == ["shown", "test-block", "ieee", "ieee", 3, 1, 1, 0, 9]
    assert sorted(data["seconds"]) == ["decode", "encode", "score"]
    assert data["accuracy"] == 1.0
    assert data["accuracy_interval"][0] > 0.96
    assert data["recovery_interval"] == [pytest.approx(0.025), 1.0]


def test_nonsense_is_refused(block_attack):
    with pytest.raises(ValueError, match="at least 1"):
        run_attack(block_attack(10, 2, REACH, 0.0), Setting(shown(10, 4)), trials=0)
    with pytest.raises(InconsistentScores):
        block_attack(10, 2, REACH, 0.0).decode([math.nan])


# -- what does not fit -------------------------------------------------------------------------------


def plan(**named) -> Plan:
    usual = {
        "labels_per_query": Fraction(5),
        "queries": 10,
        "precision_bits": 53,
        "prediction_bits": 53,
        "operations": 10**5,
        "memory": 10**6,
        "exposure": 100,
        "certificate": Certificate(None, None, (), "", ()),
    }
    return Plan(**(usual | named))


def test_numbers_of_2_to_the_40_bits_are_refused():
    cost = estimate(Scenario(name="huge", N=40, phi=Arbitrary()), plan(prediction_bits=2**40, precision_bits=2**40), 1)
    with pytest.raises(ResourceRefusal, match=r"algorithm-2 needs about .* TiB of memory and .* days") as refusal:
        require("algorithm-2", cost, Limits())
    assert refusal.value.estimate.bytes > 2**40


def test_long_work_is_refused_and_small_is_not():
    wide = Scenario(name="wide", N=10**7)
    with pytest.raises(ResourceRefusal, match=r"hours|days|years"):
        require("block", estimate(wide, plan(queries=10**6), 1), Limits())
    require("block", estimate(wide, plan(queries=10**6), 1), Limits(seconds=math.inf))
    require("block", estimate(Scenario(name="small", N=25_000), plan(queries=5000), 10), Limits())


def test_estimates_read_well():
    assert str(Estimate(3 * 2**30, 7300.0)) == "about 3 GiB of memory and 2.03 hours"
    assert str(Estimate(0, 0.5)) == "about 0 bytes of memory and 0.5 seconds"
    assert "2^2000 bytes" in str(Estimate(2**2000, 1.0))
