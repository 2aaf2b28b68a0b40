"""Defects that a run of an attack brought to light, each by name."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx

from backends.scorers import make_scorer
from backends.simulate import simulate
from dsl import loads
from dsl.numbers import Real
from dsl.scenario import Arbitrary, Decimals, FixedPoint, Ieee, Scenario, Significant
from planner import plan
from planner.channel.channel import channel_of
from planner.channel.metrics.log_loss import LOG_LOSS
from planner.numerics.reals import ball, midpoint, upper
from tests.attacks.leaderboard import Leaderboard, labelings
from tests.planner.known import candidate
from tests.planner.oracle import channel as checked_channel
from tests.planner.scenarios import CLIP
from threatplan.verify import check
from threatplan.verify.intervals import real


@pytest.mark.parametrize("digits", [9, 10, 11, 12])
def test_comparisons_at_the_last_digits_of_a_float(digits):
    """Every score that is certified to be read is read, near the end of what float64 shows."""
    report = plan(Scenario(name="x", N=7, clip=CLIP, shown=Decimals(digits)))
    for hidden in labelings(7):
        found = candidate(report, "threshold").build().recover(Leaderboard(hidden, digits))
        assert np.array_equal(found, hidden)


FINE = {
    "200 decimals": Scenario(name="x", N=12, phi=Arbitrary(), clip=CLIP, shown=Decimals(200)),
    "300 digits": Scenario(name="x", N=12, phi=Arbitrary(), clip=CLIP, shown=Significant(300)),
    "1500 bits": Scenario(name="x", N=6, phi=FixedPoint(8, 1500)),
    "100 bits": Scenario(name="x", N=30, phi=FixedPoint(8, 100)),
    "many primes, 200 decimals": Scenario(name="x", N=60, phi=Arbitrary(), clip=CLIP, shown=Decimals(200)),
    "many primes, 400 bits": Scenario(name="x", N=60, phi=FixedPoint(9, 400)),
    "prime powers": Scenario(name="x", N=40, K=3, columns=3, phi=FixedPoint(9, 500)),
}


@pytest.mark.parametrize("scenario", FINE.values(), ids=FINE)
def test_gaps_far_below_floating_point_are_decoded(scenario):
    """Blocks decoded at 256 bits and primes at 160, with predictions in float64, whatever the certificate rested on."""
    coins = np.random.default_rng(1)
    scorer = make_scorer(scenario, coins, precision_bits=4000)
    for one in plan(scenario).candidates:
        if one.certified is None or one.certified.queries > 10:
            continue
        for hidden in (coins.integers(0, scenario.K, scenario.N), np.ones(scenario.N, dtype=int)):
            found = one.build().recover(lambda u, hidden=hidden: scorer(hidden, u))
            assert np.array_equal(found, hidden), one.attack


@pytest.mark.parametrize(("N", "K"), [(112, 7), (268, 6), (220, 3)])
def test_uniform_rows_that_a_format_rounds_are_part_of_the_error(N, K):
    """1/K is no float: with several columns its rounding was counted nowhere, and digits at a thin margin misread."""
    scenario = Scenario("idle", N, K=K, columns=K, phi=Ieee(32), clip=Real.of(Fraction(1, 2**23)))
    found = candidate(plan(scenario), "digits")
    share = upper(found.channel.errors(found.certified.queries).relative())
    labels = np.full(N, K - 1)

    def least(query):
        """The exact loss of the entries as float32 holds them, less all that the scorer's arithmetic may take."""
        charged = query.astype(np.float32).astype(float)[np.arange(N), labels]
        values, counts = np.unique(charged, return_counts=True)
        pairs = zip(values.tolist(), counts.tolist(), strict=True)
        with ctx.workprec(300):
            return (
                midpoint(sum((-count * ball(Fraction(value)).log() for value, count in pairs), arb(0)))
                / N
                * (1 - share)
            )

    assert (found.build().recover(least) == labels).all()


GONE = """scenario x {
    N = 22
    scorer = torch_bce
    noise = multiplicative(1/4)
    decimals = significant(6)
    score_phi = float64
    public = 1
}"""


def test_a_prediction_that_rounds_to_one_leaves_nothing_of_its_complement():
    """float32 takes 1 - 1.5e-8 for 1: split-design was certified with a complement that is off by a share of its log-odds."""
    (scenario,) = loads(GONE)
    report = plan(scenario)
    scorer = make_scorer(scenario, np.random.default_rng(1), mode="plus")
    for one in (each for each in report.candidates if each.certified):
        for row, label in ((0, 0), (21, 1), (7, 0)):
            found = one.build().recover(lambda u, row=row, label=label: scorer(np.array([label]), u[row : row + 1]))
            assert found[row] == label, one.attack


@pytest.mark.parametrize(("weight", "bounded"), [(16.6, True), (16.7, False)])  # 2^24 = e^16.6355
def test_a_complement_is_reckoned_while_half_of_it_is_left(weight, bounded):
    """In every room that counts it: rows of designs, corner rows, and the checker of both."""
    (scenario,) = loads("scenario x { N = 5; phi = float32; clip = 1e-30; columns = 1 }")
    channel, read = channel_of(scenario), checked_channel(scenario)
    largest, own = ball(Fraction(str(weight))), real(Fraction(str(weight)))
    assert LOG_LOSS.corner_missed(channel, largest, either=False) < 1
    assert bool(LOG_LOSS.corner_missed(channel, largest, either=True) < 100) is bounded
    assert bool(LOG_LOSS.deviation(channel, largest, largest, 2) < 100) is bounded
    assert bool(read.charges.corner_missed(read, own, True) < 100) is bounded
    assert bool(read.charges.missed(read, own, own, 2) < 100) is bounded


def test_exact_scores_of_a_part_are_read_to_fewer_digits_than_they_have():
    """Rests of squares are off by all that is counted for them: what a decoder does not read of a score came on top."""
    (scenario,) = loads("scenario part { N = 41; metric = mse; phi = arbitrary; adaptive = no; public = 1 }")
    for seed in range(6):
        run = simulate(plan(scenario), attack="split-design", trials=1, seed=seed, labels="ones")
        assert run.exact_trials == 1


def test_scores_of_float16_lose_what_is_below_their_least_number():
    """A charge of 2.6e-8 is shown as 0, which is no error that grows with it: a certified plan refused its own score."""
    (scenario,) = loads("scenario a { N = 1; K = 3; scorer = sklearn; decimals = 8; score_phi = float16 }")
    report = plan(scenario)
    certified = [one.attack for one in report.candidates if one.certified]
    assert "digits" in certified
    for attack in certified:
        for label in range(3):
            run = simulate(report, attack=attack, trials=1, labels=np.array([label]))
            assert run.exact_trials == 1, (attack, label)
    assert not check(json.loads(json.dumps(report.to_json()))).faults
