"""Labels flipped once before they are scored: what is read are the stored ones, and no number of scores tells more."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import exp, fsum, lgamma, log, log1p

import numpy as np
import pytest

from backends.labels import flipped
from backends.promises import shortfall
from backends.setting import Setting
from backends.simulate import simulate
from dsl import loads
from dsl.numbers import Real
from planner import plan
from planner.catalogue import BY_ID, CATALOGUE
from planner.ceiling import ceiling_of
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.channel.response import chance_above, chance_from, flip_chance, flipped_at_most
from planner.considering import consider
from planner.limits import LIMITS, limit_of
from planner.model import Status
from planner.numerics.reals import ball, working
from threatplan.render.json import finite
from threatplan.verify import check
from threatplan.verify import response as checker
from threatplan.verify.intervals import precision, real
from threatplan.verify.recorded import channel_of as checked_channel
from threatplan.verify.response import exclusion

I10 = next(one for one in LIMITS if one.id == "I10")


def scenario(body: str):
    (found,) = loads(f"scenario board {{ {body} }}")
    return found


def entry_of(body: str):
    return json.loads(json.dumps(finite(plan(scenario(body)).to_json())))


def tail(n: int, first: int, p: float) -> float:
    return fsum(exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log1p(-p))
                for k in range(first, n + 1))  # fmt: skip


# -- how many are flipped --------------------------------------------------------------------------------


@pytest.mark.parametrize("p", [Fraction(1, 20), Fraction(1, 2), Fraction(2, 3)])
@pytest.mark.parametrize("n", [1, 2, 7, 90])
def test_tails_are_bounded_from_both_sides(n, p):
    for first in {0, 1, n // 3, n // 2, n - 1, n} & set(range(n + 1)):
        true = tail(n, first, float(p))
        with working(160), precision(160):
            assert float(chance_above(n, first - 1, ball(p)).upper()) >= min(1, true) * (1 - 1e-9)
            assert float(checker.above(n, first - 1, real(p))) >= min(1, true) * (1 - 1e-9)
            for block in (1, 5):
                assert float(chance_from(n, first, block, ball(p)).lower()) <= true * (1 + 1e-9)
                assert float(checker.at_least(n, first, block, real(p))) <= true * (1 + 1e-9)


def test_tails_are_sharp_where_it_matters():
    with working(160):
        assert float(chance_above(2000, 120, ball(Fraction(1, 20)))) < 1.2 * tail(2000, 121, 0.05)
        assert float(chance_from(2000, 96, 1, ball(Fraction(1, 20)))) > 0.99 * tail(2000, 96, 0.05)


@pytest.mark.parametrize(("n", "epsilon", "K"), [(2000, 3, 2), (300, 1, 2), (90, 2, 4), (50, 40, 2)])
def test_no_fewer_flips_will_do(n, epsilon, K):
    delta, p = Fraction(1, 100), (K - 1) / (exp(epsilon) + K - 1)
    found = flipped_at_most(n, Real.of(Fraction(epsilon)), K, delta)
    assert tail(n, found + 1, p) <= 0.005
    assert found == 0 or tail(n, found - 1, p) > 0.005
    assert found == checker.flipped(n, checker.Enclosure(Fraction(epsilon), Fraction(epsilon)), K, delta)


def test_a_label_stays_as_often_as_is_said():
    draw = np.random.default_rng(1)
    for K, epsilon in ((2, 1.0), (5, 2.0)):
        labels = draw.integers(0, K, 40_000)
        stored = flipped(labels, epsilon, K, draw)
        with working(160):
            wanted = float(flip_chance(Real.of(Fraction(epsilon)), K))
        assert abs((stored != labels).mean() - wanted) < 0.012
        others = np.bincount((stored - labels)[stored != labels] % K, minlength=K)[1:]
        assert others.min() > 0.9 * others.mean()


# -- I10 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "share"), [(1, 0.7311), (3, 0.9526), (5, 0.9933)])
def test_the_ceiling_is_what_stays(epsilon, share):
    """e^eps/(1 + e^eps), for any number of queries, and however many labels there are."""
    for budget in ("", "; queries <= 100000"):
        ceiling = ceiling_of(channel_of(scenario(f"N = 2000; clip = 1e-3; decimals = 5; response = {epsilon}{budget}")))
        assert (ceiling.by, round(ceiling.fraction, 4)) == ("I10", share)


def test_goals_above_what_stays_are_excluded_for_ever_and_those_below_are_reached():
    """2,000 labels, epsilon = 3: 1,880 are certified, and no more than 1,882 can be promised."""
    board = "N = 2000; clip = 1e-15; decimals = 5; response = 3"
    report = plan(scenario(f"{board}; goal = 94%"))
    assert (report.verdict, report.exposure.labels, report.exposure.right) == ("feasible", None, 1880)
    assert report.ceiling.promised == 1882
    assert limit_of(I10, channel_of(scenario(f"{board}; goal = 94.2%"))).excludes_all


@pytest.mark.parametrize("metric", ["accuracy", "mcc", "brier", "roc_auc"])
@pytest.mark.parametrize("release", ["plain", "best"])
def test_it_holds_for_any_metric_and_release(metric, release):
    if release != "plain" and metric != "brier":
        return
    report = plan(scenario(f"N = 100; metric = {metric}; response = 1; release = {release}"))
    assert report.verdict == "impossible"
    assert check(json.loads(json.dumps(finite(report.to_json())))).faults == ()


@pytest.mark.parametrize(("N", "wrong"), [(4, 0), (5, 1), (5, 2)])
def test_no_guess_at_small_boards_beats_the_bound(N, wrong):
    """Over all labelings and flips: whoever is told every stored label is right on N - r of them no oftener than is said."""
    pi = 1 / (1 + exp(1))
    right = 0.0
    for stored in product((0, 1), repeat=N):  # the stored labels are the best guess, which leaves the flips alone
        weights = {}
        for true in product((0, 1), repeat=N):
            moved = sum(a != b for a, b in zip(true, stored, strict=True))
            weights[true] = 2.0**-N * pi**moved * (1 - pi) ** (N - moved)
        best = max(
            sum(weight for true, weight in weights.items() if sum(map(int.__ne__, true, guess)) <= wrong)
            for guess in weights
        )
        right += best
    assert right <= 1 - tail(N, wrong + 1, pi) + 1e-12
    excluded = limit_of(I10, channel_of(scenario(f"N = {N}; response = 1; goal = {N - wrong}/{N}"))).excludes_all
    assert excluded == (tail(N, wrong + 1, pi) > 0.01)


def test_a_guess_leaves_as_many_open_as_it_may_have_wrong():
    far = limit_of(I10, channel_of(scenario("N = 1000; response = 1; guess = 90%; goal = 99%")))
    assert far.excludes_all
    assert "of 100 labels" in far.inequalities[0].name
    assert not limit_of(I10, channel_of(scenario("N = 1000; response = 1; guess = 99.5%; goal = 99%"))).excludes_all
    assert not limit_of(I10, channel_of(scenario("N = 1000; response = 1; positives = 100; goal = 99%"))).excludes_all
    assert not limit_of(I10, channel_of(scenario("N = 1000"))).excludes_all


# -- attacks ------------------------------------------------------------------------------------------------


def test_attacks_read_the_stored_labels():
    report = plan(scenario("N = 200; clip = 1e-9; decimals = 5; response = 2; goal = 75%"))
    certificate = report.best.certified.certificate
    assert certificate.promise.over == "which labels were flipped"
    assert "of the labels as stored" in certificate.guarantee
    run = simulate(report, trials=4, seed=2)
    setting = Setting(report.scenario, 2)
    for trial in range(4):
        draw = setting.generator(trial)
        hidden = setting.hidden(draw)
        setting.guessed(hidden, draw), setting.scored(draw)
        moved = int((setting.stored(hidden, draw) != hidden).sum())
        assert moved <= certificate.promise.wrong
    assert run.failures == ()
    assert 0.08 < run.wrong_labels / run.total_labels < 0.17  # 11.9 % are flipped
    assert shortfall(run, certificate.promise) is None


def test_the_best_score_of_flipped_labels_through_scikit_learn():
    report = plan(scenario("N = 200; clip = 1e-15; decimals = 5; response = 3; goal = 90%; release = best"))
    assert report.best.attack == "descent"
    run = simulate(report, trials=1, seed=1, scorer="sklearn")
    assert run.failures == ()
    assert run.most_wrong <= report.best.certified.certificate.promise.wrong


def test_half_of_delta_is_left_for_the_noise():
    held = channel_of(scenario("N = 60; clip = 1e-3; noise = gaussian(0.01); response = 6; goal = 80%"))
    assert held.stored.delta == held.delta / 2
    assert held.stored.wanted == held.wanted + held.flipped
    found = consider(BY_ID["spread"], held).certified.certificate
    assert found.promise.chance == held.delta
    assert found.promise.over == "the noise, and which labels were flipped"
    assert found.promise.wrong == held.flipped > 0


def test_a_record_made_for_true_labels_is_refused_where_they_were_flipped():
    plain = channel_of(scenario("N = 30; clip = 1e-6; decimals = 4"))
    held = [one for theorem in CATALOGUE if (one := consider(theorem, plain).certified)]
    assert held
    for one in held:
        moved = certify(replace(plain, response=Real.of(Fraction(2))), one.certificate.parameters)
        assert not moved.holds
        assert "goal" in {duty.field for duty in moved.obligations if not duty.holds}


def test_attacks_from_a_guess_refuse_flipped_labels_and_the_guess_itself_does_not():
    held = channel_of(scenario("N = 40; clip = 1e-6; decimals = 4; columns = 2; guess = 90%; goal = 90%; response = 5"))
    for theorem in CATALOGUE:
        found = consider(theorem, held)
        if theorem.informed:
            assert (found.status is Status.FEASIBLE) is (theorem.id == "guess"), theorem.id


def test_a_secret_part_and_flipped_labels_are_not_known():
    held = replace(channel_of(scenario("N = 30; public = 10; decimals = 3")), response=Real.of(Fraction(2)))
    assert held.unknown == ("response",)


# -- the checker ---------------------------------------------------------------------------------------------


def test_the_checker_counts_the_flips_itself():
    entry = entry_of("N = 60; clip = 1e-6; decimals = 4; response = 4; goal = 75%")
    assert check(entry).faults == ()
    for one in entry["candidates"]:
        if one["certified"] is not None:
            one["certified"]["promise"]["wrong"] -= 1
    assert any("the promise says wrong" in fault for fault in check(entry).faults)


def test_a_goal_that_few_flips_leave_is_not_excluded_by_how_often_there_is_one():
    entry = entry_of("N = 60; clip = 1e-6; decimals = 4; response = 4; goal = 75%")
    own = checked_channel(entry["channel"]["exact"])
    for first in range(1, own.wrong_allowed + 2):
        assert not exclusion(own, {"first": Fraction(first), "block": Fraction(4)}).excludes_all


@pytest.mark.parametrize(("key", "value"), [("first", 1), ("block", 0)])
def test_the_checker_takes_no_tail_from_before_it_begins(key, value):
    entry = entry_of("N = 60; clip = 1e-6; decimals = 4; response = 2; goal = 90%")
    assert check(entry).faults == ()
    limit = next(one for one in entry["limits"] if one["id"] == "I10")
    limit["parameters"][key] = value
    assert any(fault.startswith("I10") for fault in check(entry).faults)


def test_the_checker_asks_whether_labels_were_flipped():
    entry = entry_of("N = 60; clip = 1e-6; decimals = 4; response = 2; goal = 90%")
    entry["scenario"]["response"] = entry["channel"]["exact"]["response"] = None
    assert any(fault.startswith("I10") for fault in check(entry).faults)
    assert any(fault.startswith("ceiling") for fault in check(entry).faults)
