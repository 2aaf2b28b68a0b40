"""Lower bounds on queries: the figures of I1 to I5, each beside its formula written out again."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from mpmath import mp, mpf

import dsl
from dsl.numbers import Real
from dsl.scenario import Arbitrary, Bounded, Decimals, Gaussian, Ieee, Laplace, Scenario, Uniform
from planner import plan
from planner.channel.channel import channel_of
from planner.channel.formats import format_of
from planner.channel.metrics.log_loss import LogLoss
from planner.limits.neighbour_random import NeighbourRandom
from planner.model import Verdict
from tests.planner import oracle
from tests.planner.known import fpa, limit, planned, real
from tests.planner.scenarios import CLIP
from threatplan.verify.formats import float_place

SURE = {"confidence": Fraction(1), "adaptive": False}


def whole(value: mpf) -> int:
    return int(mp.ceil(value))


# -- I1 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("N", "d"), [(1000, 5), (10_000, 3), (25_000, 2), (25_000, 5)])
def test_counting_of_decimals(N, d):
    W = mp.log((1 - mpf(10) ** -15) / mpf(10) ** -15)
    answers = whole(W * 10**d) + 1
    expected = whole((N + mp.log(mpf(99) / 100, 2)) / mp.log(answers, 2))
    report = planned(N, d=d, phi=Arbitrary())
    assert limit(report, "I1").queries == expected


@pytest.mark.parametrize(("d", "bits"), [(5, 21.7), (4, 18.4), (2, 11.8)])
def test_bits_of_a_rounded_score(d, bits):
    """An organiser's rule of thumb: at most log2(1 + W 10^d) bits a query."""
    N = 100_000
    queries = limit(planned(N, d=d), "I1").queries
    assert N / queries == pytest.approx(bits, abs=0.06)


@pytest.mark.parametrize("N", [64, 640, 10**6])
def test_counting_claims_nothing_at_an_exact_quotient(N):
    """N labels of 64-bit scores of any kind, certainty: N/64 queries are not excluded."""
    report = planned(N, clip=None, **SURE)
    assert limit(report, "I1").queries == N // 64


def test_one_label_two_answers_one_query():
    """log2(2) / log2(2) is 1, not a hair more: the attack with one query stands."""
    report = planned(1, tau=10, phi=Arbitrary(), confidence=Fraction(1))
    assert limit(report, "I1").queries == 1
    assert report.verdict is Verdict.FEASIBLE


def test_a_single_answer_tells_nothing():
    report = planned(1, tau=20, phi=Arbitrary())
    assert limit(report, "I1").excludes_all
    assert report.verdict is Verdict.IMPOSSIBLE


# -- I2 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("N", [1, 10, 1000])
def test_dichotomy_of_block_and_neighbours(N):
    """2 N tau >= W: impossible for every number of queries; just below: the block attack works."""
    W = oracle.W(planned(N, phi=Arbitrary()).scenario)
    edge = Fraction(str(mp.nstr(W / (2 * N), 30)))
    above = planned(N, tau=edge * (1 + Fraction(1, 10**6)), phi=Arbitrary())
    below = planned(N, tau=edge * (1 - Fraction(1, 10**6)), phi=Arbitrary())
    assert above.verdict is Verdict.IMPOSSIBLE
    assert limit(above, "I2").excludes_all
    assert below.verdict is Verdict.FEASIBLE


def test_neighbours_say_nothing_of_deterministic_rounding():
    report = planned(10_000, d=1)
    assert not limit(report, "I2").excludes_all
    assert report.verdict is not Verdict.IMPOSSIBLE


def test_an_unclipped_zero_is_proof_against_any_additive_noise():
    report = planned(100, tau=1000, clip=None)
    assert not any(one.excludes_all or one.queries for one in report.limits if one.id != "I1")
    assert report.verdict is not Verdict.IMPOSSIBLE


def test_a_fixed_format_without_a_clip_has_a_finite_reach():
    """Its scorer refuses a prediction of 0, so that neighbours can be hidden; otherwise this would be false."""
    import numpy as np

    from backends import fixed

    with pytest.raises(fixed.OffGridError):
        fixed.score(np.array([1, 0]), np.array([0.0, 0.5]), fpa(64))
    assert planned(100, tau=1000, clip=None, phi=fpa(64)).verdict is Verdict.IMPOSSIBLE


def test_a_clip_below_the_fixed_grid_is_what_a_zero_is_charged():
    """On a grid of 2^-4 a prediction of 0 is moved to 1e-15, so that one row spreads over 34.5, not over ln 15."""
    report = planned(1, tau=5, phi=fpa(9))
    assert not limit(report, "I2").excludes_all


# -- I3 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("N", "d", "queries"),
    [(10_000, 5, 621), (25_000, 3, 2833), (25_000, 4, 2060), (25_000, 5, 1617), (25_000, 6, 1331),
     (10_000, 3, 1055), (1_000_000, 5, 78_116)],
)  # fmt: skip
def test_entropy_of_rounded_scores(N, d, queries):
    """M/2 log2(2 pi e ((W/(4 tau sqrt N) + 1/2)^2 + 1/12)) >= N, tau half a unit of the last decimal."""
    W, tau = mp.log((1 - mpf(10) ** -15) / mpf(10) ** -15), mpf(10) ** -d / 2
    bits = mp.log(2 * mp.pi * mp.e * ((W / (4 * tau * mp.sqrt(N)) + mpf(1) / 2) ** 2 + mpf(1) / 12), 2) / 2
    assert whole(N / bits) == queries
    assert limit(planned(N, d=d, columns=2, **SURE), "I3").queries == queries


def test_entropy_does_not_bind_an_adaptive_attacker():
    assert limit(planned(10_000, d=5), "I3").queries is None


def test_entropy_of_adversarial_noise():
    """The adversary snaps scores to a grid of 2 tau: the same bound as rounding to that grid."""
    noisy = limit(planned(10_000, tau="0.000005", phi=Arbitrary(), **SURE), "I3").queries
    assert noisy == limit(planned(10_000, d=5, phi=Arbitrary(), **SURE), "I3").queries == 621


def test_random_noise_does_not_undo_rounding():
    """Told the noise, an attacker still sees only a rounded score."""
    scenario = Scenario(name="known", N=10_000, clip=CLIP, shown=Decimals(5), adaptive=False)
    quiet = plan(scenario)
    for noise in (Gaussian(real("1e-9")), Laplace(real("1e-9")), Uniform(real("-1e-9"), real("1e-9"))):
        assert limit(plan(replace(scenario, noise=noise)), "I3").queries == limit(quiet, "I3").queries
        assert limit(plan(replace(scenario, noise=noise)), "I1").queries == limit(quiet, "I1").queries


# -- I4 and I5 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("adaptive", [True, False])
@pytest.mark.parametrize(
    "noise",
    [Gaussian(real("0.001")), Gaussian(real("0.1")), Laplace(real("0.01")), Uniform(real("-0.1"), real("0.1"))],
)
def test_fano(noise, adaptive):
    scenario = Scenario(name="known", N=10_000, phi=Arbitrary(), clip=CLIP, noise=noise, adaptive=adaptive)
    expected = whole(oracle.Need.of(scenario).fano() / oracle.capacity(scenario))
    assert limit(plan(scenario), "I4").queries == expected


@pytest.mark.parametrize("noise", [Gaussian(real("0.1")), Laplace(real("0.1")), Uniform(real(-1), real(1))])
def test_neighbours_under_random_noise(noise):
    """The least M whose label error is tolerated: one query less is not."""
    scenario = Scenario(name="known", N=1000, phi=Arbitrary(), clip=CLIP, noise=noise)
    queries = NeighbourRandom()._one(channel_of(scenario)).queries
    assert oracle.label_error(scenario, queries - 1) > oracle.tolerated(scenario)
    assert oracle.label_error(scenario, queries) <= oracle.tolerated(scenario)


def test_gaussian_noise_forbids_what_averaging_cannot_undo():
    scenario = Scenario(name="known", N=10_000, phi=Arbitrary(), clip=CLIP, noise=Gaussian(real("0.1")), queries=1000)
    assert plan(scenario).verdict is Verdict.IMPOSSIBLE


def test_bounded_noise_needs_its_true_bound():
    """I2 takes the least tau that an irrational one may be, attacks the largest."""
    assert plan(Scenario(name="known", N=10, clip=CLIP, noise=Bounded(real(2)))).verdict is Verdict.IMPOSSIBLE


# -- floats as answers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("clip", "queries", "bits"), [(15, 433, 57.84), (7, 440, 56.88), (3, 448, 55.88)])
def test_floats_that_scores_can_be(clip, queries, bits):
    """From the least loss to the largest, and not all bit patterns: 2^64 would leave 391."""
    report = planned(25_000, clip=Real.of(Fraction(1, 10**clip)))
    found = limit(report, "I1")
    assert found.queries == queries
    assert mp.log(dict(found.parameters)["answers"], 2) < bits


def test_places_of_every_half_precision_number(one_in):
    numbers = np.arange(1, 0x7C00, dtype=np.uint16).view(np.float16)
    half = format_of(Ieee(16))
    for place, number in one_in(7, enumerate(map(float, numbers), 1), "places"):
        assert half.place(Fraction(number)) == place
        assert half.place(Fraction(number) * Fraction(1001, 1000)) >= place
        assert float_place(16, Fraction(number)) == place
    assert half.place(Fraction(0)) == float_place(16, Fraction(0)) == 0


@pytest.mark.parametrize("number", [0.1, 1.0, 1.5, 3e-17, 2.0**-1022, 5e-324, 34.5])
def test_places_of_doubles(number):
    assert format_of(Ieee(64)).place(Fraction(number)) == int(np.float64(number).view(np.uint64))
    assert float_place(64, Fraction(number)) == int(np.float64(number).view(np.uint64))


@pytest.mark.parametrize("clip", [1e-3, 0.1, 0.3])
def test_no_more_scores_in_half_precision_than_are_counted(clip):
    """Every score of thousands of submissions of two rows, added up in float16."""
    board = dsl.loads(f"scenario a {{ N = 2; clip = {clip}; phi = float16 }}")[0]
    answers = dict(limit(plan(board), "I1").parameters)["answers"]
    draw = np.random.default_rng(1)
    u = np.clip(draw.random((200_000, 2)) ** draw.choice([1, 4, 12], (200_000, 1)), clip, 1 - clip).astype(np.float16)
    charges = -np.log(np.where(draw.random(u.shape) < 0.5, u, 1 - u)).astype(np.float16)
    seen = np.unique((charges[:, 0] + charges[:, 1]) / np.float16(2))
    assert answers / 4 < len(seen) <= answers


def test_scores_that_may_be_negative_are_any_floats(monkeypatch):
    monkeypatch.setattr(LogLoss, "nonnegative", False)
    assert limit(planned(25_000), "I1").queries == 391


@pytest.mark.parametrize("N", range(40, 72))
def test_all_scores_but_the_first_know_how_many_rows_are_one(N):
    """Accuracy, listed beforehand: the first score has the entropy of a binomial law, a later one that of a quarter."""
    (scenario,) = dsl.loads(f"scenario a {{ N = {N}; metric = accuracy; decimals = 4; adaptive = no }}")
    first, later = (mp.log(2 * mp.pi * mp.e * (mpf(N) / of + mpf(1) / 12), 2) / 2 for of in (4, 16))
    assert limit(plan(replace(scenario, confidence=Fraction(1))), "I3").queries == 1 + whole((N - first) / later)
