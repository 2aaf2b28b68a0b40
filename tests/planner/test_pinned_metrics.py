"""Figures of metrics, limits and formats, each term beside the formula that it comes from."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb, exp, log

import pytest
from flint import arb

from dsl import loads
from dsl.scenario import Ieee
from planner import plan
from planner.attacks.consistent.certify import moved
from planner.attacks.counting.certify import promised
from planner.attacks.line.certify import largest_sum
from planner.attacks.line.certify import prove as prove_line
from planner.attacks.ones.certify import prove
from planner.attacks.splitting.certify import largest_loss
from planner.catalogue import BY_ID
from planner.channel.channel import channel_of
from planner.channel.formats import format_of
from planner.channel.mechanisms.uniform import UniformLaw
from planner.channel.metrics import metric_of
from planner.channel.metrics.base import Metric
from planner.channel.metrics.counting import FLOAT_UNITS
from planner.considering import consider
from planner.limits.energy import Energy
from planner.limits.flat import TERMS, upper_tail
from planner.limits.start import Start
from planner.numerics.reals import working


def channel(text):
    (scenario,) = loads(f"scenario a {{ {text} }}")
    return channel_of(scenario)


def test_a_score_that_noise_makes_larger_is_computed_less_exactly():
    """FLOAT_UNITS roundings of 1 and of all that noise adds to it: half its width and its centre."""
    there = channel("N = 20; metric = accuracy; noise = uniform(1/5, 3/5)")
    with working(200):
        law, unit = there.law, there.scores.unit
        rounding = there.metric.error(there, 3) - law.within(there.delta, 3) - law.factor()
        size = 1 + law.within(there.delta, 3) + law.size() + law.factor()
        assert abs(rounding / (FLOAT_UNITS * unit.numerator) * unit.denominator - size) < 1e-20
        assert law.size() > 0.1


@pytest.mark.parametrize(("share", "told"), [(0.45, True), (0.4, True), (0.55, False)])
def test_a_silent_start_carries_bits_up_to_an_even_chance(share, told):
    eta = -log(share) / 100
    there = channel(f"N = 100; scorer = kaggle; decimals = 3; release = ladder({eta!r}, ln(2))")
    with working(there.working_bits):
        assert (Start().carried(there, 1) is not None) is told
    assert exp(-100 * eta) == pytest.approx(share)


@pytest.mark.parametrize(("id", "both"), [("balanced_accuracy", False), ("accuracy", False), ("mcc", True)])
def test_whose_labels_a_count_promises(id, both):
    there = channel(f"N = 9; metric = {id}; decimals = 4")
    assert ("with both classes" in promised(there, metric_of(id))) is both


@pytest.mark.parametrize(("N", "step"), [(7, Fraction(7, 24)), (8, Fraction(8, 32)), (2, Fraction(1))])
def test_the_least_step_of_balanced_accuracy(N, step):
    assert metric_of("balanced_accuracy").step(N, None) == step


@pytest.mark.parametrize("number", [Fraction(0), Fraction(-3)])
def test_no_positive_float_is_below_zero(number):
    there = channel("N = 9; phi = float32")
    assert format_of(there.precision).place(number) == 0


def test_noise_off_its_centre_moves_a_sum(monkeypatch):
    """A centre that no float is: what is left of it is added to all else."""
    found = consider(BY_ID["consistent"], channel("N = 60; columns = 2; scorer = sklearn; noise = uniform(0, 1/7)"))
    parameters = found.certified.certificate.parameters
    with working(300):
        monkeypatch.setattr(UniformLaw, "off_centre", lambda self: arb(1) / 1000)
        more = moved(found.channel, parameters)
        monkeypatch.setattr(UniformLaw, "off_centre", lambda self: arb(0))
        least = moved(found.channel, parameters)
        expected = arb(parameters.rows) / 1000 * parameters.gap.denominator / parameters.gap.numerator
        assert abs(more - least - expected) < 1e-30


def test_scores_of_half_precision_hold_what_ones_charge():
    """Each score must fit its format, however far apart sums are."""
    found = consider(BY_ID["ones"], channel("N = 9; K = 3; scorer = sklearn; decimals = significant(3)"))
    half = replace(found.channel, precision=Ieee(16), score_precision=Ieee(16))
    with working(half.working_bits):
        names = [one.name for one in prove(half, found.certified.certificate.parameters).inequalities]
    assert "largest finite sum and score < range of the format" in names


def test_counts_are_scored_to_within_so_many_roundings():
    there = channel("N = 20; metric = accuracy")
    assert there.metric.moved(there) == FLOAT_UNITS * Fraction(1, 2**53)


def test_scores_that_are_listed_beforehand_carry_less():
    """Each by itself, beside all of them together."""
    text = "N = 25_000; clip = 1e-15; columns = 2; decimals = 1"
    bits = []
    for adaptive in ("yes", "no"):
        there = channel(f"{text}; adaptive = {adaptive}")
        with working(there.working_bits):
            bits.append(float(Energy().carried(there, 5000).bits()))
    assert bits[1] < bits[0] - 1


def test_the_smallest_boards_of_two_metrics():
    assert metric_of("mcc").single(2) == (-1, 1)
    assert metric_of("mcc").single(1) is None
    assert metric_of("balanced_accuracy").step(1, None) == 0


def test_a_metric_that_says_nothing_may_charge_less_than_nothing():
    """The safe default: no limit counts scores from 0 on until a metric says so."""
    assert Metric.nonnegative is False
    assert not Metric.undefined(metric_of("brier"), channel("N = 9; metric = brier"))


def test_rows_of_a_metric_that_counts_charge_nothing():
    metric = metric_of("accuracy")
    assert (metric.light(Fraction(1, 3)), metric.heavy(Fraction(1, 3))) == (0, 0)


def test_payments_of_absolute_errors_are_halves():
    assert metric_of("mae").payment_range(arb(1), arb(4), Fraction(1)) == arb(3) / 2


@pytest.mark.parametrize(("N", "first"), [(9, 6), (400, 230), (2000, 1001)])
def test_a_tail_is_summed_and_what_is_left_is_bounded(N, first):
    """Against the exact sum: from above, and by no more than the last terms allow."""
    exact = Fraction(sum(comb(N, k) for k in range(first, N + 1)), 2**N)
    with working(200):
        found = upper_tail(N, first)
        last = first + TERMS
        left = Fraction(sum(comb(N, k) for k in range(last, N + 1)), 2**N)
        ratio = Fraction(max(N - last, 0), last + 1)
        bound = exact - left + Fraction(comb(N, last), 2**N) / (1 - ratio)
        assert found > arb(exact.numerator) / exact.denominator * (1 - arb(2) ** -150)
        assert abs(found - arb(bound.numerator) / bound.denominator) < arb(2) ** -150


def test_the_largest_sum_of_a_free_block():
    """((1 + w)/2)^2 for each of m weights, 1/4 for every other row; a block of one row is one."""
    found = consider(BY_ID["free-block"], channel("N = 9; metric = mse; decimals = 0"))
    gap = Fraction(8)
    for m in (1, 2, 9, 12):
        parameters = replace(found.certified.certificate.parameters, m=m, gap=gap)
        weights = sum(((1 + gap * 2**place) / 2) ** 2 for place in range(m))
        assert largest_sum(found.channel, parameters) == weights + Fraction(max(9 - m, 0), 4)
        assert prove_line(found.channel, parameters).inequalities


def test_the_largest_loss_of_splitting():
    """All rows at half the amplitude, against their labels."""
    found = consider(BY_ID["splitting"], channel("N = 12; guess = 75%; clip = 1e-15; decimals = 1; columns = 2"))
    p = found.certified.certificate.parameters
    with working(200):
        half = arb(p.unit.numerator) / p.unit.denominator * p.amplitude / 2
        wanted = found.channel.metric.mean_loss(found.channel, half, p.labels * half)
        assert abs(largest_loss(found.channel, p) - wanted) < 1e-40


def test_nothing_is_exposed_where_nothing_may_be_asked():
    """And nothing is known of what is where something may."""
    text = "N = 40; clip = 1e-3; noise = bounded(9)"
    (none,) = loads(f"scenario a {{ {text}; queries <= 0 }}")
    (some,) = loads(f"scenario a {{ {text}; queries <= 3 }}")
    assert plan(none).exposure.labels == 0
    assert plan(some).exposure.labels is None


def test_what_is_cut_off_is_never_exact():
    """Of 20 rows every share has two decimals: rounded to them it is shown exactly; cut off it may lose a unit, since the
    float below 0.35 is cut to 0.34."""
    rounded, cut = (channel(f"N = 20; metric = accuracy; decimals = {shown}") for shown in ("2", "truncated(2)"))
    metric = metric_of("accuracy")
    assert metric.error(rounded, 1, on_lattice=True) < 1e-9
    assert metric.error(cut, 1, on_lattice=True) > 0.004
