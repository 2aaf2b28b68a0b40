"""Tails of means, each against its formula in mpmath or the checker's second statement, to many digits."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import pytest
from flint import arb

from dsl.numbers import Real
from dsl.scenario import Gaussian, Laplace, NoNoise, Subexponential, Uniform
from planner.channel.mechanisms import law_of
from planner.numerics import tails
from planner.numerics.reals import lower, upper, working
from threatplan.verify import tails as second
from threatplan.verify.intervals import precision

R = Real.of


def near(ball, value, digits=1e-12, tiny=1e-30):
    """Whether a ball is one number, to so many digits."""
    ends = [mp.mpf(one.numerator) / one.denominator for one in (lower(ball), upper(ball))]
    return all(abs(one - value) <= digits * abs(value) + tiny for one in ends)


@pytest.fixture(autouse=True)
def _many_digits():
    with working(160), precision(160), mp.workprec(200):
        yield


@pytest.mark.parametrize("count", [1, 2, 3, 7, 48, 49, 50, 100, 999])
@pytest.mark.parametrize("x", ["1/100", "1/7", "1/4", "2/5", "9/10", "1999/2000"])
def test_means_of_uniforms(count, x):
    point = Fraction(int(Fraction(x) * 2**32), 2**32)
    expected = second.uniform_at(count, point)
    found = tails.uniform_mean_tail_at(count, point)
    assert near(found, mp.mpf(expected.most().numerator) / expected.most().denominator, 1e-9, 1e-25)
    assert tails.uniform_mean_tail(count, arb(0)) == 1
    assert tails.uniform_mean_tail(count, arb(1)) == 0


def test_a_point_is_rounded_down():
    """Between two multiples of 2^-32 the tail is that of the lower one."""
    for count in (2, 5, 60):
        between = arb(3 * 2**20 + 1) / 2**22 / 4 + arb(2) ** -40
        point = Fraction(int(lower(between) * 2**32), 2**32)
        assert lower(tails.uniform_mean_tail(count, between)) == lower(tails.uniform_mean_tail_at(count, point))


def test_two_and_three_uniforms_exactly():
    for x in (Fraction(1, 8), Fraction(1, 2), Fraction(7, 8)):
        assert near(tails._irwin_hall(1, x), 1 - mp.mpf(x.numerator) / x.denominator)
        assert near(tails._irwin_hall(2, x), (1 - mp.mpf(x.numerator) / x.denominator) ** 2)
    # three: the density of the sum s on [-3, 3] is (3-|s|)^2/16 from 1 on
    assert near(tails._irwin_hall(3, Fraction(1, 2)), 2 * mp.mpf(3 - 1.5) ** 3 / 48)


@pytest.mark.parametrize("count", [49, 200])
def test_where_the_series_gives_way_to_chernoff(count):
    """At 12 standard deviations, sqrt(48/count) of the largest mean."""
    edge = mp.sqrt(mp.mpf(48) / count)
    for share, far in ((0.999, False), (1.001, True)):
        x = Fraction(int(edge * share * 2**32), 2**32)
        if x < 1:
            found = tails.uniform_mean_tail_at(count, x)
            chernoff = tails._uniform_chernoff(count, arb(x.numerator) / x.denominator)
            assert (lower(found) == lower(chernoff)) == far


def test_at_just_12_standard_deviations_the_series_is_taken():
    found = tails.uniform_mean_tail_at(192, Fraction(1, 2))
    assert lower(found) != lower(tails._uniform_chernoff(192, arb(0.5)))


@pytest.mark.parametrize("x", ["0.05", "0.3", "1.1", "2.5"])
@pytest.mark.parametrize("count", [1, 2, 30])
def test_laws_by_their_formulas(count, x):
    at = mp.mpf(x)
    ball = arb(x)
    sigma, b, variance, nu = mp.mpf("0.4"), mp.mpf("0.7"), mp.mpf("0.3"), mp.mpf("0.6")
    gaussian = mp.erfc(at / sigma * mp.sqrt(mp.mpf(count) / 2))
    assert near(law_of(Gaussian(R("0.4"))).tail_of_mean(count, ball), gaussian)
    t = (mp.sqrt(1 + (at / b) ** 2) - 1) / at
    laplace = mp.exp(-at / b)
    if count > 1:
        variance_of_one = b**2 * ((1 - b * t) ** -2 + (1 + b * t) ** -2)
        beyond = min(mp.mpf(1), 1 / (t * mp.sqrt(mp.pi * variance_of_one * (2 * count - 3))))
        laplace = min(mp.mpf(1), 2 * mp.exp(-count * (t * at + mp.log(1 - (b * t) ** 2))) * beyond)
    assert near(law_of(Laplace(R("0.7"))).tail_of_mean(count, ball), laplace)
    t = min(at / variance, 1 / nu)
    heavy = min(mp.mpf(1), 2 * mp.exp(-count * (t * at - variance * t * t / 2)))
    assert near(law_of(Subexponential(R("0.3"), R("0.6"))).tail_of_mean(count, ball), heavy)
    width = law_of(Uniform(R("-1"), R("4"))).tail_of_mean(count, ball)
    same = tails.uniform_mean_tail(count, 2 * ball / 5)
    assert lower(width) == lower(same)
    assert law_of(NoNoise()).tail_of_mean(count, ball) == 1
    assert law_of(Gaussian(R("0.4"))).tail_of_mean(count, arb(0)) == 1


@pytest.mark.parametrize("x", ["0.3", "0.9", "0.9985", "0.9995"])
def test_chernoff_for_uniforms(x):
    expected = second._chernoff(60, Fraction(float(x)))
    found = tails._uniform_chernoff(60, arb(float(x)))
    assert near(found, mp.mpf(expected.most().numerator) / expected.most().denominator, 1e-9)


def test_a_normal_variable():
    assert near(tails.gaussian_upper(arb(2)), mp.erfc(mp.sqrt(2)) / 2)


@pytest.mark.parametrize("queries", [0, 1, 7, 10**6])
def test_noises_of_all_queries_stay_within_their_bound(queries):
    """The union bound gives each query its share of delta."""
    delta = Fraction(1, 100)
    share = mp.mpf(1) / 100 / max(queries, 1)
    root = mp.sqrt(2) * mp.erfinv(1 - share)
    with mp.workprec(200):
        assert near(law_of(Gaussian(R("0.4"))).within(delta, queries), mp.mpf("0.4") * root, 1e-9)
        assert near(law_of(Laplace(R("0.7"))).within(delta, queries), -mp.mpf("0.7") * mp.log(share))
        log = mp.log(2 / share)
        near_one = mp.mpf("0.01") * log + mp.mpf("0.3") / (2 * mp.mpf("0.01"))
        normal = mp.sqrt(mp.mpf("0.3")) * mp.sqrt(2 * log)
        small_nu = normal if mp.mpf("0.01") * mp.sqrt(2 * log) <= mp.sqrt(mp.mpf("0.3")) else near_one
        assert near(law_of(Subexponential(R("0.3"), R("0.01"))).within(delta, queries), small_nu)
        linear = 2 * log + mp.mpf("0.3") / 4
        assert near(law_of(Subexponential(R("0.3"), R("2"))).within(delta, queries), linear)
    uniform = Uniform(R("-1"), R("4"))
    assert near(law_of(uniform).within(delta, queries), mp.mpf("2.5"))
    assert law_of(uniform).centre == Fraction(3, 2)
    assert law_of(uniform).size() == arb(1.5)
    assert law_of(Gaussian(R("0.4"))).size() == 0
    assert law_of(Laplace(R("0.7"))).centre == 0


@pytest.mark.parametrize("count", [10 * tails.MOST_SUMMED, 50 * tails.MOST_SUMMED])
def test_terms_that_are_left_out_come_to_less_than_is_said(count):
    """Of the series for sums of uniform errors: all terms after the last one, of which none is so small as to say nothing."""
    length, used = tails._series(count)
    angles = [arb.pi() * n / length for n in range(len(used) + 1, 4 * len(used))]
    left = [abs(t.sin() / t) ** count for t in angles]
    assert left[0] > arb(2) ** -150
    assert sum(left, arb(0)) < arb(2) ** -tails.LEFT_OUT_BITS
