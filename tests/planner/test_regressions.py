"""Defects that were found once, each by name."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import ctx

from backends import ieee
from dsl import loads
from dsl.numbers import Real
from dsl.scenario import (
    Arbitrary,
    Bounded,
    Decimals,
    FixedPoint,
    Gaussian,
    Ieee,
    Laplace,
    Multiplicative,
    Scenario,
    Scorer,
    Significant,
    Summation,
    Time,
    Uniform,
)
from planner import plan
from planner.attacks.block.certify import smallest_gap
from planner.channel.channel import channel_of
from planner.channel.mechanisms import law_of
from planner.channel.metrics.log_loss import LOG_LOSS
from planner.model import Limit, Verdict
from planner.numerics.reals import ball, bound
from planner.planning import Contradiction, goal_text
from tests.planner.known import certified, planned, real
from tests.planner.scenarios import CLIP
from threatplan.verify import check


def test_digits_are_those_of_the_noisy_score():
    """Loss .95 and noise .6 may show 2 at one digit: an error of 1.05, not of .65."""
    scenario = Scenario(name="x", N=1, phi=Arbitrary(), noise=Bounded(real("0.6")), shown=Significant(1))
    assert float(channel_of(scenario).errors(1).score_error(ball(Fraction(95, 100)))) >= 1.05


def test_multiplicative_noise_also_scales_rounding_errors():
    """A factor 1 + alpha acts on the computed score: alpha + f + alpha f of the loss."""
    noisy = channel_of(Scenario(name="x", N=100, phi=Ieee(16), noise=Multiplicative(real("0.5"))))
    quiet = channel_of(Scenario(name="x", N=100, phi=Ieee(16)))
    share = float(quiet.errors(1).relative())
    assert share > 0.01
    assert float(noisy.errors(1).relative()) == pytest.approx(0.5 + share * 1.5)


def test_an_irrational_uniform_law_is_recentred_outward():
    """The centre is rational: the bound covers what it misses."""
    a, b = Real(Fraction(-1), Fraction(-9, 10)), Real(Fraction(1), Fraction(11, 10))
    scenario = Scenario(name="x", N=1, phi=Arbitrary(), noise=Uniform(a, b))
    centre = law_of(scenario.noise).centre
    bound = channel_of(scenario).errors(1).constant()
    assert bound.upper() >= ball(b.hi - centre)
    assert bound.upper() >= ball(centre - a.lo)


@pytest.mark.parametrize("d", [3, 5])
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("clip", [None, CLIP])
def test_exact_scorers_leak_no_less_than_float64(d, columns, clip):
    exact = planned(25_000, d=d, columns=columns, clip=clip, phi=Arbitrary(), adaptive=False)
    rounded = planned(25_000, d=d, columns=columns, clip=clip, adaptive=False)
    assert exact.best.certified.queries <= rounded.best.certified.queries


@pytest.mark.parametrize("noise", [Bounded(real(1)), Multiplicative(real("0.1"))])
@pytest.mark.parametrize("shown", [None, Decimals(4), Significant(3)])
@pytest.mark.parametrize("N", [3000, 10**6, 10**12])
def test_exponential_time_is_planned_at_any_size_and_can_be_written_down(N, shown, noise):
    report = plan(Scenario(name="x", N=N, phi=Arbitrary(), noise=noise, shown=shown, time=Time.EXPONENTIAL))
    assert report.verdict is Verdict.FEASIBLE
    assert len(json.dumps(report.to_json())) < 10**6


@pytest.mark.parametrize("shown", [None, Decimals(0), Significant(2)])
@pytest.mark.parametrize("noise", [Bounded(real("0.1")), Laplace(real("0.1")), Gaussian(real("0.1")),
                                   Multiplicative(real("0.1")), Uniform(real(0), real(1))])  # fmt: skip
@pytest.mark.parametrize("adaptive", [True, False])
def test_a_sum_that_floating_point_says_nothing_about(noise, shown, adaptive):
    """float16, thousands of sequential additions: no bound on the error, no attack from it and no traceback."""
    scenario = Scenario(
        name="x", N=5000, phi=Ieee(16), summation=Summation.SEQUENTIAL, clip=CLIP, noise=noise, shown=shown,
        adaptive=adaptive,
    )  # fmt: skip
    assert plan(scenario).verdict is not Verdict.FEASIBLE


def test_uniform_noise_is_bounded_and_allows_certainty():
    report = plan(Scenario(name="x", N=2, clip=CLIP, noise=Uniform(real("-1"), real("1")), confidence=Fraction(1)))
    assert certified(report, "block").queries == 1


@pytest.mark.parametrize("N", [2, 6, 12, 48])
def test_few_significant_digits_leave_room_below_one(N):
    """Weights that keep the noisy score below 1 keep the last digit's unit small."""
    scenario = Scenario(
        name="x", N=N, clip=CLIP, columns=2, shown=Significant(1), noise=Bounded(real("0.01")), adaptive=False
    )
    assert plan(scenario).verdict is Verdict.FEASIBLE


@pytest.mark.parametrize("clip", ["0.0004316", "0.0003", "1e-9", "0.01234"])
def test_the_float_next_to_a_clip_is_a_float(clip):
    """An awkward clip costs no attack: averaging against noise works with either of two neighbouring clips."""
    for value in (Fraction(clip), Fraction(clip) * Fraction(1001, 1000)):
        scenario = Scenario(name="x", N=64, clip=Real.of(value), columns=2, noise=Gaussian(real("0.01")))
        assert plan(scenario).verdict is Verdict.FEASIBLE


def test_a_coarse_grid_near_its_smallest_step_holds_as_many_labels():
    """Multiplicative noise, fixed point: one bit more never costs a label."""
    labels = [
        certified(
            plan(Scenario(name="x", N=9, phi=FixedPoint(14, f), noise=Multiplicative(real("0.0006833")))), "block"
        ).labels_per_query
        for f in range(30, 42)
    ]
    assert labels == sorted(labels)


@pytest.mark.parametrize(
    ("noise", "phi", "shown"),
    [
        (Uniform(real("1e12"), real("1000000000000.0001")), Ieee(64), None),
        (Uniform(real("-1e12"), real("-999999999999.9999")), Ieee(64), Decimals(5)),
        (Uniform(real("1000"), real("1000.001")), Ieee(16), None),
        (Uniform(real("1000"), real("1000.001")), Ieee(64), Significant(5)),
        (Uniform(real("1000"), real("1000.001")), Arbitrary(), Significant(5)),
    ],
    ids=["float64", "float64 below 0", "float16", "digits", "digits of exact scores"],
)
def test_scores_are_rounded_where_the_noise_puts_them(noise, phi, shown):
    """A score near 1000 keeps the last digit of 1000, not that of its loss: no attack counts on digits beyond."""
    clip = real("1e-3")
    scenario = Scenario(name="x", N=20, phi=phi, clip=clip, noise=noise, shown=shown)
    centre, unit = abs(noise.a.lo + noise.b.lo) / 2, Fraction(1, 2**11 if phi == Ieee(16) else 2**53)
    lost = Fraction(1, 20) if shown == Significant(5) else centre * unit
    with ctx.workprec(128):
        assert channel_of(scenario).errors(1).score_error(ball(1)) >= ball(lost)


def test_noise_that_leaves_a_fixed_range_is_no_channel():
    scenario = Scenario(
        name="x", N=3, phi=FixedPoint(6, 20), clip=real("1e-3"), noise=Uniform(real("1000"), real("1000.001"))
    )
    assert plan(scenario).verdict is not Verdict.FEASIBLE


@pytest.mark.parametrize("digits", [13, 14, 15, 16, 50, 323, 324, 400, 1000])
@pytest.mark.parametrize("phi", [Ieee(64), Arbitrary()], ids=["float64", "exact"])
def test_no_comparisons_of_digits_that_a_float_does_not_hold(digits, phi):
    """0.26265233750365 is off a multiple of 1e-14 by more than the comparator takes; 1e-400 is no float at all."""
    report = plan(Scenario(name="x", N=5, phi=phi, clip=CLIP, shown=Decimals(digits)))
    assert report.verdict is Verdict.FEASIBLE
    assert all(one.certified is None for one in report.candidates if one.attack in ("threshold", "dither"))


VANISHING = {
    "float32, 1 - clip is 1": (Ieee(32), "1e-15", 1),
    "float64, 1 - clip is 1": (Ieee(64), "1e-17", 1),
    "float16, clip is 0": (Ieee(16), "1e-15", 2),
    "float64, clip is 0": (Ieee(64), "1e-400", 2),
}


@pytest.mark.parametrize(("phi", "clip", "columns"), VANISHING.values(), ids=VANISHING)
def test_a_clip_that_its_format_rounds_away_hides_nothing(phi, clip, columns):
    """The scorer shows infinity for a missed 0 or 1, so that no noise proves anything impossible."""
    certain = np.full(50, 0.5) if columns == 1 else np.full((50, 2), 0.5)
    certain[0] = 1.0 if columns == 1 else (0.0, 1.0)
    assert ieee.score(np.zeros(50, dtype=int), certain, phi.bits, clip=float(Fraction(clip))) == np.inf
    scenario = Scenario(name="x", N=50, phi=phi, clip=real(clip), columns=columns)
    for noise in (Bounded(real("1e5")), Gaussian(real("1e5")), Multiplicative(real("0.99"))):
        report = plan(replace(scenario, noise=noise, queries=50, confidence=Fraction(1, 3)))
        assert report.verdict is not Verdict.IMPOSSIBLE
        assert plan(replace(scenario, noise=noise, queries=50)).verdict is not Verdict.IMPOSSIBLE


@pytest.mark.parametrize(("scorer", "phi", "clip"), [("xgboost", 32, "1e-16"), ("torch_bce", 32, "3.72e-44")])
def test_scorers_that_clip_what_they_charge_never_show_infinity(scorer, phi, clip):
    scenario = Scenario(
        name="x", N=50, phi=Ieee(phi), clip=real(clip), scorer=Scorer(scorer), noise=Bounded(real("1e5"))
    )
    assert plan(scenario).verdict is Verdict.IMPOSSIBLE


@pytest.mark.parametrize("size", ["1e-400", "1e-320", "1e-310", "1e300", "1e400"])
@pytest.mark.parametrize("law", [Bounded, Gaussian, Laplace, lambda x: Uniform(x, Real.of(2 * x.lo))])
def test_noise_of_any_size_is_planned(law, size):
    verdict = plan(Scenario(name="x", N=40, clip=CLIP, noise=law(real(size)))).verdict
    drowned = Verdict.IMPOSSIBLE if law is Bounded else Verdict.UNKNOWN
    assert verdict is (Verdict.FEASIBLE if real(size).hi < 1 else drowned)


@pytest.mark.parametrize("alpha", [Fraction(1, 10**400), 1 - Fraction(1, 10**400)])
def test_factors_near_0_and_1_are_planned(alpha):
    verdict = plan(Scenario(name="x", N=4, clip=CLIP, noise=Multiplicative(Real.of(alpha)))).verdict
    assert verdict is (Verdict.FEASIBLE if alpha < Fraction(1, 2) else Verdict.UNKNOWN)


@pytest.mark.parametrize("noise", [Bounded(real("0")), Gaussian(real("1e-3"))], ids=["none", "gaussian"])
def test_a_sum_of_so_many_rows_has_no_bound(noise):
    """10^18 sequential additions: nothing is known of their error, and averages rest on it."""
    scenario = Scenario(
        name="x", N=10**18, columns=2, clip=CLIP, noise=noise, summation=Summation.SEQUENTIAL, goal=Fraction(9, 10)
    )
    assert plan(scenario).verdict is not Verdict.FEASIBLE


def test_long_numbers_are_shown_short_and_outward():
    with ctx.workprec(20_000):
        shown = bound(ball(Fraction(3**9000 + 1, 2**200_000)))
    low, high = (Fraction(*_parts(text)) for text in (shown.lo, shown.hi))
    assert low <= Fraction(3**9000 + 1, 2**200_000) <= high
    assert len(shown.lo) < 40 > len(shown.hi)


def _parts(text: str) -> tuple[int, int]:
    mantissa, _, exponent = text.partition("*2^-")
    return int(mantissa), 2 ** int(exponent)


def test_a_grid_far_finer_than_needed_is_not_used_in_full():
    """A fixed point of 100,000 bits took a minute and a half: every weight was written out in full."""
    block = certified(plan(Scenario(name="x", N=100, phi=FixedPoint(50_000, 49_999))), "block")
    assert block.queries == 1
    rows = block.certificate.parameters.rows
    assert max(p.denominator.bit_length() for p in rows) < 1000


def test_weights_under_multiplicative_noise_leave_room_in_a_fixed_point_score():
    """Stretched to all of W, no block's score fitted the format, and all of them were tried."""
    scenario = Scenario(name="x", N=20, phi=FixedPoint(2, 5000), noise=Multiplicative(real("1e-6")))
    assert next(one for one in plan(scenario).candidates if one.attack == "block").certified.queries == 2


def test_the_bits_of_a_conway_guy_block_are_those_of_its_least_gap():
    """The least weight of the bowl's block is 2^12 gaps: a score that holds it tells no labels."""
    report = plan(loads("scenario s { N = 198; scorer = kaggle }")[0])
    plans = {one.attack: one.certified for one in report.candidates if one.certified}
    block = plans["conway-guy"].certificate.parameters
    assert block.core
    with ctx.workprec(200):
        gap = float(smallest_gap(LOG_LOSS, block.rows, block.core))
    assert 198 / 2 ** plans["conway-guy"].precision_bits <= gap < 198 / 2 ** (plans["conway-guy"].precision_bits - 1)


def test_a_contradiction_names_the_limit(monkeypatch):
    """A budget that no limit excludes, and a limit beyond what the attack asks: that one has to be named."""
    scenario = loads("scenario s { N = 6; scorer = kaggle; queries <= 100 }")[0]
    limit = Limit("I9", "planted", 50, False, "planted")
    monkeypatch.setattr("planner.planning.limits_of", lambda channel: (limit,))
    with pytest.raises(Contradiction, match="excluded by I9"):
        plan(scenario)


@pytest.mark.parametrize(
    ("fields", "least"),
    [
        ("N = 4; goal = 50%; confidence = 60%", 0),  # coins are right on two of four labels with probability 11/16
        ("N = 1; confidence = 50%", 0),
        ("N = 4; confidence = 60%", 1),
        ("N = 2; decimals = 5", 1),
        ("N = 40; decimals = 5; goal = 90%", 2),
    ],
)
def test_what_chance_tells_need_not_be_asked(fields, least):
    """Every report said that no attack does without a query."""
    (scenario,) = loads(f"scenario a {{ clip = 1e-3; {fields} }}")
    report = plan(scenario)
    assert report.lower_bound.queries == least
    assert check(report.to_json()).faults == ()


@pytest.mark.parametrize(("text", "goal"), [
    ("N = 100", "all 100 labels"),
    ("N = 1", "the label"),
    ("N = 100; goal = 0.5", "50 of 100 labels"),
    ("N = 100; public = 30%", "the labels of the 30 scored rows"),
    ("N = 100; public = 1", "the label of the one scored row"),
    ("N = 100; public = 30%; goal = 0.9", "all but 3 of the labels of the 30 scored rows"),
    ("N = 100; public = 30%; find = labels_and_split", "the labels of the 30 scored rows and their places among the 100"),
])  # fmt: skip
def test_what_is_to_be_recovered_in_words(text, goal):
    (scenario,) = loads(f"scenario words {{ {text}; scorer = kaggle }}")
    assert goal_text(channel_of(scenario)) == goal
