"""Scores that are cut off, not rounded: every attack through a scorer that does so is exact, or it is refused."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from backends.shown import show
from backends.simulate import simulate
from dsl import ThreatError, loads
from dsl.checking.spelling import field_value
from dsl.scenario import Bounded, Decimals, Gaussian, Multiplicative, Scenario, Truncated, Uniform
from planner import plan
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.limits.counting import fewest_answers
from planner.numerics.reals import ball
from tests.planner.known import real
from tests.planner.scenarios import CLIP


def scenario(body: str) -> Scenario:
    (one,) = loads(f"scenario x {{ {body} }}")
    return one


def test_the_language_writes_what_it_reads():
    one = scenario("N = 10; decimals = truncated(2 + 3)")
    assert one.shown == Truncated(5)
    assert field_value("decimals", one.shown) == "truncated(5)"
    assert [point.shown for point in scenario("N = 10; sweep decimals = truncated(1..3)").points()] == [
        Truncated(1), Truncated(2), Truncated(3)]  # fmt: skip
    with pytest.raises(ThreatError):
        scenario("N = 10; decimals = truncated(-1)")


@pytest.mark.parametrize(
    ("score", "digits", "shown"),
    [(0.29, 1, 0.2), (0.999999, 5, 0.99999), (0.0, 3, 0.0), (-0.0, 3, 0.0), (1e-9, 3, 0.0), (0.3, 1, 0.2), (2.5, 0, 2.0),
     (-0.01, 1, -0.1), (math.inf, 2, math.inf)],
)  # fmt: skip
def test_digits_are_cut_off_downwards(score, digits, shown):
    """0.3 as a float64 lies below 3/10: its first digit is 2."""
    assert show(score, Truncated(digits)) == shown
    assert math.copysign(1, show(score, Truncated(digits))) == (-1 if shown < 0 else 1)
    if math.isfinite(score):
        assert show(Fraction(score), Truncated(digits)) == Fraction(str(shown))


BOARDS = {
    "blocks": "N = 40; clip = 1e-15; decimals = truncated(4); columns = 2; adaptive = no",
    "one column": "N = 40; clip = 1e-15; decimals = truncated(4)",
    "few digits": "N = 300; clip = 1e-15; decimals = truncated(1); columns = 2",
    "none at all": "N = 30; clip = 1e-15; decimals = truncated(0); columns = 2",
    "classes": "N = 30; K = 3; clip = 1e-15; decimals = truncated(3)",
    "no clip": "N = 24; decimals = truncated(2)",
    "exact": "N = 12; phi = arbitrary; clip = 1e-9; decimals = truncated(3)",
    "fixed point": "N = 12; phi = fixed(12, 30); clip = 1e-6; decimals = truncated(3)",
    "noise": "N = 20; clip = 1e-15; decimals = truncated(4); noise = bounded(1e-3); columns = 2",
    "factors": "N = 12; clip = 1e-15; decimals = truncated(6); noise = multiplicative(1e-4); columns = 2",
    "uniform noise": "N = 16; clip = 1e-15; decimals = truncated(5); noise = uniform(0.1, 0.1001); columns = 2",
    "gaussian noise": "N = 16; clip = 1e-15; decimals = truncated(3); noise = gaussian(0.05); columns = 2; goal = 90%",
}
MODES = {"bounded": ("plus", "minus"), "multiplicative": ("plus", "minus")}


@pytest.mark.parametrize("body", BOARDS.values(), ids=BOARDS)
def test_every_certified_attack_is_exact_through_a_scorer_that_cuts_off(body):
    """Blocks, primes and subset sums read such scores as rounded ones, and returned wrong labels."""
    report = plan(scenario(body))
    certified = [one for one in report.candidates if one.certified is not None]
    assert certified
    for candidate in certified:
        wrong = report.channel.wrong_allowed if candidate.attack == "hadamard" else 0
        for mode in MODES.get(report.channel.law.name, ("random-sign",)):
            run = simulate(report, attack=candidate.attack, trials=2, seed=5, noise_mode=mode)
            assert run.wrong_labels <= 2 * wrong, (candidate.attack, mode, run.failures)
            assert not run.failures, (candidate.attack, mode, run.failures)


def test_attackers_add_half_a_unit():
    """No score that is cut off is farther from its loss than half a unit, once half a unit is added."""
    channel = channel_of(scenario("N = 50; clip = 1e-15; decimals = truncated(2)"))
    assert channel.centre == -Fraction(1, 200)
    rounded = channel_of(scenario("N = 50; clip = 1e-15; decimals = 2"))
    error = channel.errors(1).score_error(ball(1))
    assert float(error) == pytest.approx(float(rounded.errors(1).score_error(ball(1))))
    for loss in np.random.default_rng(0).uniform(0, 1, 200):
        assert (
            abs(ball(Fraction(show(float(loss), channel.shown))) - ball(channel.centre) - ball(Fraction(loss))) <= error
        )


def test_centres_of_noise_and_of_what_is_cut_off_add_up():
    noisy = Scenario(name="x", N=8, clip=CLIP, noise=Uniform(real("0.1"), real("0.3")), shown=Truncated(1))
    assert channel_of(noisy).centre == Fraction(2, 10) - Fraction(1, 20)


def test_boundaries_of_comparisons_lie_where_digits_end():
    """A record made for rounding is refused where scores are cut off, and the other way round."""
    rounded = scenario("N = 300; clip = 1e-15; decimals = 1; columns = 2")
    cut = replace(rounded, shown=Truncated(1))
    for attack in ("threshold", "dither"):
        for one, other in ((rounded, cut), (cut, rounded)):
            record = next(
                each for each in plan(one).candidates if each.attack == attack
            ).certified.certificate.parameters
            assert record.truncates is (one is cut)
            assert certify(channel_of(one), record).holds
            assert not certify(channel_of(other), record).holds
            assert not certify(channel_of(other), replace(record, unit=Fraction(1, 100))).holds


@pytest.mark.parametrize("noise", [Bounded(real("1e-3")), Gaussian(real("1e-3")), Multiplicative(real("0.1"))])
def test_limits_count_the_answers_of_cut_off_scores_like_those_of_rounded_ones(noise):
    """An interval of length W meets at most ceil(W/q) + 1 cells, wherever they begin."""
    quiet = Scenario(name="x", N=100, clip=CLIP, shown=Truncated(3))
    assert fewest_answers(channel_of(quiet))[0] == fewest_answers(channel_of(replace(quiet, shown=Decimals(3))))[0]
    for one in (quiet, replace(quiet, noise=noise), replace(quiet, adaptive=False)):
        for limit, twin in zip(plan(one).limits, plan(replace(one, shown=Decimals(3))).limits, strict=True):
            assert (limit.queries, limit.excludes_all) == (twin.queries, twin.excludes_all)


def test_floats_that_are_cut_off_a_multiple_of_themselves_are_within_the_error():
    """math.floor(score * 100) / 100 rounds twice in the score's format: both are counted."""
    channel = channel_of(scenario("N = 4; clip = 1e-15; decimals = truncated(2)"))
    error = channel.errors(1).score_error(ball(1))
    for k in range(1, 101):
        for score in (k / 100, math.nextafter(k / 100, 0), math.nextafter(k / 100, 2)):
            shown = math.floor(score * 100) / 100
            assert abs(ball(Fraction(shown) - channel.centre) - ball(Fraction(score))) <= error
