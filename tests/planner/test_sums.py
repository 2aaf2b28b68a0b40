"""A summed log-loss: the same board as a mean whose noise and last digit are n times smaller; or refused by name."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from sklearn.metrics import log_loss

from dsl import loads
from dsl.numbers import Real
from dsl.scenario import Bounded, Gaussian, Multiplicative, Skewed, Subexponential, Uniform
from planner import plan
from planner.channel.channel import channel_of
from planner.channel.mechanisms import digits_of, law_of
from planner.model import Verdict
from threatplan.render.json import finite
from threatplan.verify import check

MEANS = {
    "N = 100; decimals = 3": "N = 100; decimals = 5",
    "N = 100; decimals = 1; noise = bounded(2)": "N = 100; decimals = 3; noise = bounded(1/50)",
    "N = 100; decimals = truncated(1); K = 3": "N = 100; decimals = truncated(3); K = 3",
    "N = 100; noise = gaussian(3); adaptive = no": "N = 100; noise = gaussian(3/100); adaptive = no",
    "N = 100; noise = uniform(-1, 2)": "N = 100; noise = uniform(-1/100, 2/100)",
    "N = 100; decimals = significant(5)": "N = 100; decimals = significant(5)",
    "N = 100; noise = multiplicative(0.001)": "N = 100; noise = multiplicative(0.001)",
    "N = 300; public = 100; decimals = 2": "N = 300; public = 100; decimals = 4",
    "N = 100; decimals = 0; guess = 90%": "N = 100; decimals = 2; guess = 90%",
    "N = 100; noise = bounded(20)": "N = 100; noise = bounded(1/5)",
}
"""Boards that show sums of 100 charges, and the same boards as means."""

REFUSED = {
    "N = 100; public = between(40, 60)": "n is not known",
    "N = 100; phi = fixed(16, 20)": "a grid of its own",
    "N = 100; release = best": "a memory of sums",
}


def planned(body: str, scorer: str = "scorer = sklearn"):
    (scenario,) = loads(f"scenario board {{ {body}; {scorer} }}")
    return plan(scenario)


@pytest.mark.parametrize("body", MEANS)
def test_a_sum_is_planned_like_the_mean_it_is(body):
    summed, mean = planned(f"{body}; reduction = sum"), planned(MEANS[body])
    assert summed.verdict == mean.verdict
    assert summed.lower_bound.queries == mean.lower_bound.queries
    certified = [
        {one.attack: one.certified.queries for one in each.candidates if one.certified} for each in (summed, mean)
    ]
    assert certified[0] == certified[1]
    assert check(json.loads(json.dumps(summed.to_json()))).faults == ()


@pytest.mark.parametrize("body", [body for body in MEANS if "noise" not in body])
def test_scikit_learns_own_sums_tell_all_labels(body):
    report = planned(f"{body}; reduction = sum")
    scenario, coins = report.scenario, np.random.default_rng(len(body))
    labels = coins.integers(0, scenario.K, scenario.N)
    rows = np.sort(coins.choice(scenario.N, scenario.scored[0], replace=False))
    shown = scenario.shown

    def score(u):
        total = log_loss(labels[rows], u[rows], normalize=False, labels=range(scenario.K))
        if type(shown).__name__ == "Significant":
            return float(f"{total:.{shown.digits - 1}e}")
        cut = Fraction(1, 2 * 10**shown.digits) if type(shown).__name__ == "Truncated" else 0
        return round(float(total - cut), shown.digits)

    if scenario.guess is None:
        found = report.best.build().recover(score)
    else:
        spoiled = np.where(np.arange(scenario.N) < 10, 1 - labels, labels)
        found = report.best.build(guess=spoiled).recover(score)
    assert (found[rows] == labels[rows]).all()


def test_a_sum_read_as_a_mean_fits_no_labeling():
    """What would be told if the division were forgotten: nothing, and loudly."""
    report = planned("N = 100; decimals = 3; reduction = sum")
    attack, labels = report.best.build(), np.arange(100) % 2
    with pytest.raises(ValueError, match=r"labeling|score"):
        attack.recover(lambda u: round(float(log_loss(labels, u)), 3))


@pytest.mark.parametrize("body", REFUSED)
def test_sums_that_are_no_means_are_refused_by_name(body):
    scorer = "clip = 1e-3"
    report = planned(f"{body}; reduction = sum", scorer)
    assert report.channel.unknown == ("reduction",)
    assert report.verdict is Verdict.UNKNOWN
    assert not any(one.certified for one in report.candidates)
    assert all(limit.queries is None and not limit.excludes_all for limit in report.limits)
    assert check(json.loads(json.dumps(finite(report.to_json())))).faults == ()
    assert planned(body, scorer).channel.unknown == ()


def test_a_mean_written_out_changes_nothing():
    written, left = (planned(f"N = 60; decimals = 4{more}").to_json() for more in ("; reduction = mean", ""))
    for entry in (written, left):
        del entry["channel"]["sources"]
    assert written == left


@pytest.mark.parametrize("scorer", ["scorer = torch_bce", "phi = arbitrary; clip = 1e-6", "phi = float32; clip = 1e-6"])
def test_models_of_scorers_add_up(scorer):
    from backends.simulate import simulate

    report = planned("N = 60; decimals = 2; reduction = sum", scorer)
    run = simulate(report, trials=2, seed=1)
    assert run.exact_trials == 2


def test_every_parameter_of_a_law_is_divided_by_its_power():
    one, two = Real.of(1), Real.of(2)
    assert law_of(Bounded(one), 4).value == Bounded(Real.of(Fraction(1, 4)))
    assert law_of(Gaussian(two), 4).value == Gaussian(Real.of(Fraction(1, 2)))
    assert law_of(Uniform(one, two), 4).value == Uniform(Real.of(Fraction(1, 4)), Real.of(Fraction(1, 2)))
    assert law_of(Subexponential(one, two), 4).value == Subexponential(
        Real.of(Fraction(1, 16)), Real.of(Fraction(1, 2))
    )
    assert law_of(Multiplicative(one), 4).value == Multiplicative(one)
    assert law_of(Skewed(one, two), 4).value == Skewed(one, two)
    assert not law_of("a law that nobody finished", 4).known


def test_significant_digits_of_a_sum_are_those_of_its_size():
    """A mean of 0.05 of 200 rows is a sum of 10: half a unit of its third digit is 0.05, 1/200 of that in the mean."""
    (scenario,) = loads("scenario s { N = 200; decimals = significant(3) }")
    digits = digits_of(scenario.shown, 200)
    assert digits.relative(arb("0.0499")).overlaps(arb("0.005") / 200)
    assert digits.relative(arb("0.051")).overlaps(arb("0.05") / 200)


def test_few_decimals_are_counted_in_the_mean():
    """A float64 of a large sum has fewer digits after the point: comparisons of shown digits ask for as many less."""
    assert any(
        one.attack == "threshold" and one.certified
        for one in planned("N = 1000; decimals = 9; reduction = sum").candidates
    )
    assert not any(
        one.attack == "threshold" and one.certified
        for one in planned("N = 1000; decimals = 10; reduction = sum").candidates
    )


def test_a_forged_reduction_is_found():
    entry = json.loads(json.dumps(planned("N = 100; decimals = 3; reduction = sum").to_json()))
    entry["channel"]["exact"]["reduction"] = "mean"
    assert check(entry).faults


def test_a_sum_of_float16_overflows():
    (scenario,) = loads("scenario s { N = 4000; phi = float16; clip = 1e-3; reduction = sum; noise = bounded(30000) }")
    assert channel_of(scenario).parts == 4000
    assert not any(one.certified for one in plan(scenario).candidates)


def test_the_checker_divides_noise_by_itself():
    report = planned("N = 50; noise = subexponential(4, 1/10); confidence = 90%; reduction = sum")
    assert any(one.certified for one in report.candidates)
    assert check(json.loads(json.dumps(finite(report.to_json())))).faults == ()
