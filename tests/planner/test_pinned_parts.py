"""The parts of a channel by themselves: what a metric, a law, a rule of digits and a format say, against their formulas."""

from __future__ import annotations

from fractions import Fraction
from math import isclose

import mpmath as mp
import pytest
from flint import arb

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
    NoNoise,
    Scenario,
    Significant,
    Subexponential,
    Truncated,
    Uniform,
)
from planner.channel.channel import channel_of
from planner.channel.formats import format_of
from planner.channel.mechanisms import digits_of, law_of
from planner.channel.metrics import metric_of
from planner.channel.metrics.base import Metric
from planner.channel.metrics.brier_classes import BRIER
from planner.channel.metrics.log_loss import LOG_LOSS
from planner.channel.secret import Secret
from planner.channel.sides import BINARY
from planner.numerics.reals import working

CLIP = Real.of(Fraction(1, 1000))


def R(text):
    return Real.of(Fraction(text))


def near(ball, value, digits=1e-12):
    return isclose(float(ball), float(value), rel_tol=digits, abs_tol=1e-30)


def a_channel(N=20, **fields):
    return channel_of(Scenario(name="c", N=N, **{"clip": None, "phi": Ieee(64), **fields}))


def brier(**fields):
    return a_channel(**{"metric": "brier", "columns": 1, **fields})


@pytest.fixture(autouse=True)
def _many_digits():
    with working(200), mp.workprec(200):
        yield


# -- metrics -------------------------------------------------------------------------------------------


def charge(u, y):
    return (u - y) ** 2


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1, 7), Fraction(1, 2)])
def test_what_a_brier_row_charges(p):
    """p is the prediction of the label that is not favoured."""
    assert near(BRIER.light(p), charge(p, 0))
    assert near(BRIER.heavy(p), charge(p, 1))
    assert near(BRIER.weight(p), charge(p, 1) - charge(p, 0))
    assert near(BRIER.strength(p, 2), BRIER.strength_float(p, 2))
    assert near(BRIER.strength(p, 2), charge(p, 1) - charge(p, 0))
    assert isclose(BRIER.heavy_float(p), charge(p, 1))
    assert BRIER.neutral_charge(2) == arb(0.25)
    assert BRIER.even_charge(2) == 0.25
    assert BRIER.neutral_row(brier()) == (Fraction(1, 2), Fraction(1, 2))


@pytest.mark.parametrize("w", [0.0, 0.25, 0.6, 1.0])
def test_what_brier_labels_pay_for_a_weight(w):
    u = (1 - w) / 2  # a weight w against label 1
    assert isclose(BRIER.payment(w, 1, 1), charge(u, 1))
    assert isclose(BRIER.saving(w), charge(u, 0), abs_tol=1e-17)
    assert isclose(
        BRIER.slope(w, 1, 1), (BRIER.payment(w + 1e-6, 1, 1) - BRIER.payment(w - 1e-6, 1, 1)) / 2e-6, rel_tol=1e-6
    )
    for least in (0.0, 0.2):
        wanted = BRIER.payment(w, 1, 1) - BRIER.payment(least, 1, 1)
        assert isclose(BRIER.payment_range_float(least, w, 1.0), wanted, abs_tol=1e-16)
        assert near(BRIER.payment_range(arb(least), arb(w), Fraction(1)), wanted, 1e-9)
    assert near(BRIER.heaviest(brier(), arb(w)), charge(u, 1))
    level = BRIER.level(w, 1, BINARY)
    assert (level.on, level.off) == pytest.approx((1 - u, u))
    assert (level.zero, level.one) == pytest.approx((charge(1 - u, 0), charge(1 - u, 1)))
    assert BRIER.entries(None, w, 1, 2, 1) == pytest.approx((u, 1 - u))


def test_how_far_brier_rows_reach():
    there = brier()
    assert BRIER.reach(there) == BRIER.stage_reach(there, 2, 1) == BRIER.span(there) == 1
    assert there.span() == 1
    assert not brier(checks=False).span().is_finite()
    assert BRIER.largest_charge(there, arb(1)) == 1
    assert BRIER.largest_loss(there, arb(1)) == 2
    assert BRIER.smallest_usable(there) == 0
    assert BRIER.neutral_deviation(there) == 0
    assert BRIER.least_loss(there) is None
    assert not BRIER.shows_infinity(there)
    assert (BRIER.least_offset(2), BRIER.least_offset_reach(2)) == (0.5, 0.75)
    assert BRIER.payment(0.5, 1, 1) == 9 / 16


def test_brier_predictions_of_a_weight():
    there = brier(phi=Ieee(16))
    assert BRIER.prediction(there, arb(1)) == 0
    assert BRIER.prediction(there, arb(0)) == Fraction(1, 2)
    assert BRIER.prediction(there, arb(1.001)) is None
    third = BRIER.prediction(there, arb(1) / 3)
    assert third == Fraction(int(Fraction(2**12, 3)), 2**12)
    assert BRIER.weight(third) >= arb(1) / 3
    assert [BRIER.takes(there, Fraction(one)) for one in ("0", "1", "1/2", "1/3", "-1/2", "5/4")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


def test_the_mean_of_brier_rows_is_below_its_chord():
    there = brier()
    for largest in (0.25, 1.0):
        top = (1 + largest) ** 2 / 4
        assert near(BRIER.mean_loss(there, arb(largest), arb(4)), 0.25 + 4 / 20 * (top - 0.25) / largest)
    assert near(BRIER.mean_loss(there, arb(0), arb(0)), 0.25)


def test_fields_that_brier_has_no_word_for():
    assert BRIER.unknown(brier()) == ()
    assert BRIER.unknown(brier(clip=CLIP)) == ("clip",)
    assert BRIER.unknown(brier(phi=FixedPoint(4, 20))) == ("phi",)
    assert BRIER.unknown(brier(columns=2)) == ("columns",)
    assert BRIER.unknown(brier(K=3, columns=3)) == ()
    assert BRIER.unknown(brier(K=3, columns=1)) == ("columns",)
    assert BRIER.unknown(brier(phi=Arbitrary())) == ()


class Nothing(Metric):
    """Says no more than it must."""

    id = title = "nothing"
    neutral_charge = light = heavy = weight = lambda self, _: arb(1)


def test_a_metric_that_says_nothing_promises_and_excludes_nothing():
    one, there, ball = Nothing(), a_channel(), arb(1)
    assert one.unknown(there) == ()
    assert one.reach(there) == one.strength(Fraction(1, 4), 2) == 0
    for limit in (one.class_reach(there), one.stage_reach(there, 2, 1), one.payment_range(ball, ball, Fraction(1))):
        assert limit == arb.neg_inf()
    for error in (
        one.span(there), one.largest_charge(there, ball), one.largest_loss(there, ball), one.neutral_deviation(there),
        one.mean_loss(there, ball, ball), one.heaviest(there, ball), one.deviation(there, ball, ball, 2),
        one.own_error(there, ball, ball), one.level_step(1, Fraction(1, 4)), one.level_deviation(1, Fraction(1, 4), 1),
    ):  # fmt: skip
        assert error == arb.pos_inf()
    assert one.heavy_float(Fraction(1, 4)) == float("inf")
    for nothing in (one.least_loss(there), one.prediction(there, ball), one.charge_error(there), one.prepared(there),
                    one.moved(there),
                    one.smallest_usable(there)):  # fmt: skip
        assert nothing is None
    assert not one.takes(there, Fraction(1, 2))
    assert not one.shows_infinity(there)
    assert not one.logarithmic
    assert not one.known
    assert one.written(there) == one.strength_float(Fraction(1, 4), 2) == one.small_for(1.0) == 0
    assert one.payment_range_float(0.0, 1.0, 1.0) == one.steady_multiple(1, 5.0) == 0
    assert one.offset_prediction(there, Fraction(1, 4), 0.0) == Fraction(1, 4)
    assert (one.least_offset(2), one.least_offset_reach(2)) == (1.0, 2.0)
    for refused in (lambda: one.payment(1.0, 1, 1), lambda: one.saving(1.0), lambda: one.slope(1.0, 1, 1),
                    lambda: one.level(1.0, 1, BINARY), lambda: one.entries(None, 1.0, 1, 2, 1),
                    lambda: one.class_entries(None, 1.0, None), lambda: one.total(None, None)):  # fmt: skip
        with pytest.raises(ValueError, match="nothing"):
            refused()
    stranger = metric_of("a stranger")
    assert stranger.neutral_charge(2) == stranger.light(Fraction(1)) == stranger.heavy(Fraction(1)) == arb.pos_inf()
    assert stranger.weight(Fraction(1, 4)) == arb.neg_inf()


@pytest.mark.parametrize("w", [-3.0, 0.5, 4.0])
def test_what_log_loss_labels_pay_for_a_weight(w):
    for own, other in ((1, 1), (2, 3)):
        assert isclose(LOG_LOSS.payment(w, own, other), float(mp.log(own + other * mp.exp(w))), rel_tol=1e-12)
        slope = other * mp.exp(w) / (own + other * mp.exp(w))
        assert isclose(LOG_LOSS.slope(w, own, other), float(slope), rel_tol=1e-12)
    assert isclose(LOG_LOSS.saving(w), float(mp.log(1 + mp.exp(-w))), rel_tol=1e-12)
    for ratio in (1, 3):
        wanted = mp.log((ratio + mp.exp(w)) / (ratio + mp.exp(-4)))
        assert near(LOG_LOSS.payment_range(arb(-4), arb(w), Fraction(ratio)), wanted)
        assert isclose(LOG_LOSS.payment_range_float(-4.0, w, ratio), float(wanted), rel_tol=1e-9)
    assert isclose(float(LOG_LOSS.small_for(5.0)), float(1 / (mp.ceil(mp.exp(5)) + 2)))
    assert LOG_LOSS.small_for(5.0) < 1 / (1 + mp.exp(5))
    assert LOG_LOSS.steady_multiple(2, 9.0) == LOG_LOSS.steady_multiple(1, -1.0) == 0
    assert isclose(LOG_LOSS.steady_multiple(1, 9.0), 2.0**-52 * float(mp.exp(9)))


def test_the_smallest_log_loss_prediction_in_use():
    assert LOG_LOSS.smallest_usable(a_channel(columns=2)) == Fraction(1, 2**1000)
    assert LOG_LOSS.smallest_usable(a_channel(columns=1)) == Fraction(1, 2**53)
    steps = LOG_LOSS.smallest_usable(a_channel(columns=1, clip=R("1/1000000"))) * 2**53
    assert steps == -(-(2**53) // 10**6)
    two = LOG_LOSS.smallest_usable(a_channel(columns=2, clip=R("1/1000000")))
    assert two in (Fraction(1e-6), Fraction(float.fromhex("0x1.0c6f7a0b5ed8ep-20")))
    assert Fraction(1, 10**6) <= two < Fraction(1, 10**6) * (1 + Fraction(1, 2**52))
    assert LOG_LOSS.smallest_usable(a_channel(columns=2, clip=R("1/4"))) is None
    assert LOG_LOSS.smallest_usable(a_channel(columns=2, clip=R("1/5"))) is not None


# -- the secret ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("K", [2, 3, 4, 7])
def test_the_energy_of_labels(K):
    """(1 - 1/K) times the most that K numbers on an interval of length 1 have of squares about their mean."""
    squares = max(Fraction(m * (K - m), K) for m in range(K + 1))
    assert Secret(9, 9, K, 0, 9).energy() == (1 - Fraction(1, K)) * squares
    assert near(Secret(12, 9, K, 0, 9).bits(), 9 * mp.log(K, 2))
    assert near(Secret(9, 9, K, 0, 9).needed(), 9 * mp.log(K, 2))


# -- laws ----------------------------------------------------------------------------------------------


def test_what_a_law_carries_of_a_variance():
    third = R("1/3")
    V = mp.mpf("0.3")
    normal = law_of(Gaussian(third))
    assert near(normal.variance(), mp.mpf(1) / 9)
    assert near(normal.carries(arb(3) / 10), mp.log(1 + 9 * V, 2) / 2)
    heavy = law_of(Subexponential(third, R("2")))
    assert near(heavy.variance(), mp.mpf(1) / 3)
    assert near(heavy.carries(arb(3) / 10), mp.log(1 + 3 * V, 2) / 2)
    flat = law_of(Uniform(R("-1"), R("2")))
    assert near(flat.variance(), 0.75)
    assert near(flat.carries(arb(3) / 10), mp.log(mp.pi * mp.e / 6 * (1 + V / 0.75), 2) / 2)
    assert (flat.blur(), law_of(Uniform(R("1"), R("1"))).blur()) == (3, None)
    laplace = law_of(Laplace(third))
    assert near(laplace.variance(), mp.mpf(2) / 9)
    chosen = set()
    for x in (1e-3, 0.3, 5.0, 1e4):
        signal = mp.mpf(x) / (mp.mpf(2) / 9)
        forms = mp.log(1 + signal, 2), mp.log(1 + 3 * mp.sqrt(x), 2), mp.log(mp.pi / mp.e * (1 + signal), 2) / 2
        assert near(laplace.carries(arb(x)), min(forms))
        chosen.add(forms.index(min(forms)))
    assert len(chosen) >= 2


QUIET = (NoNoise(), Bounded(R("1/9")), Multiplicative(R("1/9")))
RANDOM = (Gaussian(R("1/9")), Laplace(R("1/9")), Subexponential(R("1/9"), R("1")), Uniform(R("-1"), R("2")))


@pytest.mark.parametrize("noise", QUIET + RANDOM, ids=str)
def test_what_kind_of_law_it_is(noise):
    law = law_of(noise)
    assert law.random == (noise in RANDOM)
    assert law.certain == (noise in QUIET)
    assert law.quiet == isinstance(noise, NoNoise)
    assert law.grows == isinstance(noise, Multiplicative)
    assert law.normal == isinstance(noise, Gaussian)
    assert law.tailed == (noise in RANDOM and not isinstance(noise, Uniform))
    assert law.concentrates == (noise in RANDOM and not isinstance(noise, Uniform))
    assert law.known
    assert law.centre == (Fraction(1, 2) if isinstance(noise, Uniform) else 0)
    assert law.size() == (0.5 if isinstance(noise, Uniform) else 0)
    assert law.tilt == (Fraction(1, 9) if law.grows else 0)
    assert near(law.factor(), law.tilt)
    assert law.grid() == (Fraction(2, 9) if isinstance(noise, Bounded) else None)
    if not law.random:
        assert law.tail_of_mean(3, arb(1)) == 1
        assert law.capacity(arb(1)) == law.carries(arb(1)) == arb.pos_inf()
        assert law.variance() == law.label_error(arb(1), 3) == law.off_centre() == 0
        assert law.blur() is None
        assert near(law.within(Fraction(1, 10), 3), mp.mpf(1) / 9 if isinstance(noise, Bounded) else 0)
    else:
        assert law.snapped(lambda: arb(1), lambda: arb(1), lambda: arb(1)) is None


def test_noises_that_snap_scores():
    assert law_of(Bounded(R("1/10"))).snapped(lambda: arb(1.05), None, lambda: arb(1))[0] == 6
    assert law_of(Bounded(R("1"))).snapped(lambda: arb(0.5), None, lambda: arb(1))[0] == 1
    growing = law_of(Multiplicative(R("1/10")))
    cells = mp.ceil(mp.log(mp.mpf(5) / mp.mpf("0.25") * 2) / mp.log(mp.mpf("1.1") / mp.mpf("0.9"))) + 2
    assert growing.snapped(lambda: arb(1), lambda: arb(0.25), lambda: arb(5))[0] == cells
    assert growing.snapped(lambda: arb(1), None, lambda: arb(5)) is None


# -- digits and formats --------------------------------------------------------------------------------


@pytest.mark.parametrize("shown", [None, Decimals(2), Truncated(2), Significant(2)])
def test_what_a_rule_of_digits_hides(shown):
    rule = digits_of(shown)
    places = isinstance(shown, Decimals | Truncated)
    assert rule.digits == (0 if shown is None else 2)
    assert rule.steps == places
    assert rule.truncates == isinstance(shown, Truncated)
    assert rule.grows == isinstance(shown, Significant)
    assert rule.unit == (Fraction(1, 100) if places else None)
    assert rule.centre == (Fraction(-1, 200) if isinstance(shown, Truncated) else 0)
    assert near(rule.half_unit(), 0.005 if places else 0)
    if places:
        assert rule.answers(lambda: arb(0.055), None, None)[0] == 7
        assert rule.relative(arb(5)) == 0
    if shown is None:
        assert rule.answers(lambda: arb(1), None, None) is None


@pytest.mark.parametrize(("precision", "kind", "unit", "half", "largest", "bits"), [
    (Arbitrary(), "exact", 0, 0, None, 0),
    (FixedPoint(5, 9), "fixed", 0, Fraction(1, 2**10), 32, 9),
    (Ieee(16), "floating", Fraction(1, 2**11), Fraction(4, 2**24), 65504, 0),
    (Ieee(32), "floating", Fraction(1, 2**24), Fraction(4, 2**149), 2**128 - 2**104, 0),
    (Ieee(64), "floating", Fraction(1, 2**53), 0, 2**1024 - 2**971, 0),
])  # fmt: skip
def test_what_a_format_holds(precision, kind, unit, half, largest, bits):
    one = format_of(precision)
    assert [name for name in ("exact", "fixed", "floating") if getattr(one, name)] == [kind]
    assert (one.unit, one.largest(), one.fraction_bits) == (unit, largest, bits)
    assert near(one.half_step(), half)
    assert one.round_down(Fraction(0)) is None
    third = one.round_down(Fraction(1, 3))
    if kind == "fixed":
        assert third == Fraction(2**9 // 3, 2**9)
        assert [one.holds(Fraction(1, 2**k)) for k in (9, 10)] == [True, False]
        assert not one.holds(Fraction(3, 7))
        assert one.least() == Fraction(1, 2**9)
        assert one.answers(None, None, None)[0] == 2**15
        assert one.answers(lambda: arb(1.001), None, None)[0] == 514
        assert one.answers(lambda: arb(10) ** 6, None, None)[0] == 2**15
    else:
        assert 0 <= Fraction(1, 3) - third < Fraction(1, 3) * (2 * unit or Fraction(1, 2**127))
        assert one.holds(Fraction(1, 3)) == (kind == "exact")
        assert (one.answers(None, None, None) is None) == (kind == "exact")
    if kind == "floating":
        fractions = int(1 / unit) // 2  # floats from 1 up to 2
        assert one.answers(None, lambda: arb(1), lambda: arb(2))[0] == 2**precision.bits
        assert one.answers(lambda: arb(1), lambda: arb(1), None)[0] == 2**precision.bits
        assert one.answers(lambda: arb(1), lambda: arb(1), lambda: arb(9))[0] == fractions + 4
        assert one.answers(lambda: arb(9), lambda: arb(1), lambda: arb(2))[0] == fractions + 4


def test_significant_digits_of_scores_in_every_decade():
    """Half a unit of the last of d digits, of the largest score that is shown."""
    for digits in (1, 3):
        for largest, decade in ((0.5, 0), (5.0, 1), (50.0, 2)):
            found = digits_of(Significant(digits)).relative(arb(largest))
            assert near(found, mp.mpf(10) ** (decade - digits) / 2)


def test_the_weight_of_odds_that_no_float_holds():
    small = Fraction(3, 2**1030)
    assert isclose(LOG_LOSS.strength_float(small, 2), float(1030 * mp.log(2) - mp.log(3)), rel_tol=1e-12)
