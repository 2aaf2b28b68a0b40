"""Noise by a factor that may be larger one way than the other."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from backends.noise import NoiseSource
from backends.simulate import simulate
from dsl import ThreatError, loads, source
from dsl.numbers import Real
from dsl.scenario import Multiplicative, Skewed
from planner import plan
from planner.channel.mechanisms import law_of
from planner.numerics.reals import lower, upper, working
from planner.report import Report
from threatplan.campaign.laws import contradictions
from threatplan.verify import check


@cache
def report(noise: str, more: str = "N = 12; clip = 1e-3") -> Report:
    (scenario,) = loads("scenario board {\n" + f"{more}; noise = {noise}".replace("; ", "\n") + "\n}\n")
    return plan(scenario)


def test_it_is_written_as_it_was_read():
    (one,) = loads("scenario a { N = 9; noise = multiplicative(1/10, 1/100) }")
    assert one.noise == Skewed(Real.of(Fraction(1, 10)), Real.of(Fraction(1, 100)))
    assert loads(source(one)) == [one]
    (even,) = loads("scenario a { N = 9; noise = multiplicative(1/10, 0.1) }")
    assert even.noise == Multiplicative(Real.of(Fraction(1, 10)))
    for wrong in (
        "multiplicative(0.1, 1)",
        "multiplicative(-0.1, 0.1)",
        "multiplicative(0.1, 0.1, 0.1)",
        "multiplicative()",
    ):
        with pytest.raises(ThreatError):
            loads(f"scenario a {{ N = 9; noise = {wrong} }}")


@pytest.mark.parametrize(
    ("noise", "larger"), [("multiplicative(0.001, 0)", "0.001"), ("multiplicative(0, 0.002)", "0.002")]
)
def test_attacks_bear_the_larger_of_both(noise, larger):
    skewed, even = report(noise), report(f"multiplicative({larger})")
    assert skewed.best.certified.queries == even.best.certified.queries
    assert check(json.loads(json.dumps(skewed.to_json()))).faults == ()
    assert not list(contradictions(skewed))
    for mode in ("plus", "minus", "alternating", "inside"):
        assert simulate(skewed, trials=2, noise_mode=mode).exact_trials == 2


def test_the_adversary_has_a_grid_of_both():
    """As many cells as a factor either way of which the ratio is the same; never fewer than the larger factor leaves."""
    text = "N = 300; clip = 1e-3; queries <= 5"
    one, other, even = (
        report(noise, text).limits[0]
        for noise in ("multiplicative(1/2, 0)", "multiplicative(0, 1/2)", "multiplicative(1/2)")
    )
    assert one.queries < even.queries  # a grid of 2 against one of 3
    assert other.queries <= one.queries  # of 3/2
    for noise in ("multiplicative(1/2, 0)", "multiplicative(0, 1/2)"):
        assert check(json.loads(json.dumps(report(noise, text).to_json()))).faults == ()
    law = law_of(Skewed(Real.of(Fraction(1, 2)), Real.of(Fraction(1, 4))))
    with working(80):
        assert lower(law.factor()) == upper(law.factor()) == law.tilt == Fraction(1, 2)


def test_noise_keeps_to_its_bounds():
    noise = Skewed(Real.of(Fraction(1, 10)), Real.of(Fraction(1, 100)))
    for mode, least, most in (("plus", 0.01, 0.01), ("minus", -0.1, -0.1), ("inside", -0.1, 0.01)):
        drawn = [float(NoiseSource(noise, np.random.default_rng(k), mode).draw(lambda: 0.0).scale) for k in range(50)]
        assert least - 1e-12 <= min(drawn) <= max(drawn) <= most + 1e-12
