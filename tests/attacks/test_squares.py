"""Roots and quotients of squared errors through scikit-learn: the law of the root, every labeling, the edge."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import isqrt
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import r2_score, root_mean_squared_error

from backends.simulate import simulate
from dsl import loads
from planner import plan
from planner.attacks.attack import InconsistentScores
from planner.attacks.squares.certify import largest_sum, prove
from planner.attacks.squares.parameters import SquareBlock
from planner.catalogue import BY_ID
from planner.certify import certify
from planner.channel.channel import Channel, channel_of
from planner.channel.metrics.rmse import RMSE
from planner.considering import consider
from planner.model import Candidate
from planner.numerics.reals import lower, working
from planner.report import Report
from tests.attacks.leaderboard import labelings
from threatplan.verify import check
from threatplan.verify.recorded import channel_of as checked_channel
from threatplan.verify.squares import derive

SCORES = {"rmse": root_mean_squared_error, "r2": r2_score}


def channel(text: str) -> Channel:
    (scenario,) = loads("scenario board {\n" + text.replace("; ", "\n") + "\n}\n")
    return channel_of(scenario)


@cache
def found(text: str) -> Candidate:
    return consider(BY_ID["square-block"], channel(text))


@cache
def report(text: str) -> Report:
    (scenario,) = loads("scenario board {\n" + text.replace("; ", "\n") + "\n}\n")
    return plan(scenario)


def labels_a_query(text: str) -> int:
    certified = found(text).certified
    return 0 if certified is None else certified.certificate.parameters.m


def law(N: int, d: int) -> int:
    """The largest m with 4^m - 1 < 3 * 10^(2d)/N."""
    m = 0
    while (4 ** (m + 1) - 1) * N < 3 * 10 ** (2 * d):
        m += 1
    return m


@pytest.mark.parametrize(
    ("N", "decimals", "known"),
    [(306, 1, 0), (306, 2, 3), (306, 3, 6), (306, 5, 13), (1000, 1, 0), (1000, 2, 2), (1000, 3, 5), (1000, 5, 12),
     (10_000, 2, 0), (10_000, 3, 4), (10_000, 5, 10)],
)  # fmt: skip
def test_the_law_of_the_root(N, decimals, known):
    assert labels_a_query(f"N = {N}; metric = rmse; decimals = {decimals}") == known == law(N, decimals)


@pytest.mark.parametrize(("decimals", "m", "queries"), [("0", 19, 54), ("5", 27, 39), ("full", 42, 25)])
def test_labels_a_query_of_the_share(decimals, m, queries):
    """As many as the squared error tells of the same digits, or one less in full; and one query for the number of ones."""
    text = f"N = 1000; metric = r2; decimals = {decimals}"
    assert (labels_a_query(text), found(text).certified.queries) == (m, queries)
    told = found(f"{text}; positives = 300").certified
    assert told.queries == queries - 1


def shown(metric: str, labels: Any, decimals: str) -> Any:
    def score(u: Any) -> float:
        exact = float(SCORES[metric](labels, u))
        return exact if decimals == "full" else round(exact, int(decimals))

    return score


@pytest.mark.parametrize(
    ("metric", "decimals"), [("rmse", "5"), ("rmse", "full"), ("r2", "0"), ("r2", "5"), ("r2", "full")]
)
def test_every_kind_of_labeling_through_scikit_learn(metric, decimals):
    attack = found(f"N = 1000; metric = {metric}; decimals = {decimals}").build()
    for labels in labelings(1000):
        if metric == "r2" and len(set(labels.tolist())) < 2:  # nothing is promised of these, and nothing is made up
            with pytest.raises(InconsistentScores):
                attack.recover(shown(metric, labels, decimals))
            continue
        assert (attack.recover(shown(metric, labels, decimals)) == labels).all()
    for strange in (0.3, -1e9, float("nan")):
        with pytest.raises(InconsistentScores):
            attack.recover(lambda u, strange=strange: strange)


SMALL = (
    "N = 7; metric = rmse; decimals = 1",
    "N = 6; metric = rmse; noise = bounded(1/6)",
    "N = 6; metric = rmse; decimals = 3; predictions = probability",
    "N = 6; metric = rmse; noise = multiplicative(0.001)",
    "N = 7; metric = r2; decimals = 0",
    "N = 6; metric = r2; noise = bounded(3)",
    "N = 6; metric = r2; noise = multiplicative(0.0001)",
)


@pytest.mark.parametrize("text", SMALL)
def test_every_labeling_of_a_small_board_at_the_certified_edge(text):
    """Every score moved by as much as its own error may be, up, down or in turn."""
    candidate = found(text)
    own, attack, p = candidate.channel, candidate.build(), candidate.certified.certificate.parameters
    N = own.rows
    with working(200):
        errors = own.errors(p.queries)
        constant, relative = (lower(one) * Fraction(999, 1000) for one in (errors.constant(), errors.relative()))
    for hidden, side in product(product((0, 1), repeat=N), (1, -1, 0)):
        labels, turn, ones = np.array(hidden), [1], sum(hidden)
        if own.metric_id == "r2" and ones in (0, N):
            continue

        def score(u, labels=labels, side=side, turn=turn, ones=ones):
            turn[0] = -turn[0]
            rows = zip(u.tolist(), labels.tolist(), strict=True)
            total = sum(((Fraction(one) - label) ** 2 for one, label in rows), Fraction(0))
            if own.metric_id == "r2":
                share = total * N / (ones * (N - ones))
                return 1 - share + (side or turn[0]) * (constant + relative * (1 + share))
            root = Fraction(isqrt(total.numerator * 4**200 // (total.denominator * N)), 2**200)
            return root + (side or turn[0]) * (constant + relative * root)

        assert (attack.recover(score) == labels).all(), (hidden, side)


def test_one_label_more_fails():
    """Neither certified nor read."""
    candidate = found("N = 1000; metric = rmse; decimals = 3")
    own, p = candidate.channel, candidate.certified.certificate.parameters
    assert certify(own, p).holds
    for gap in (p.gap, p.gap / 4, 64 * p.gap):
        assert not certify(own, replace(p, m=p.m + 1, queries=-(-1000 // (p.m + 1)), gap=gap)).holds
    assert not certify(own, replace(p, gap=p.gap / 8)).holds
    assert not certify(own, replace(p, gap=p.gap + Fraction(1, 3))).holds  # no float64
    labels = next(iter(labelings(1000)))
    more = replace(p, m=p.m + 1, queries=-(-1000 // (p.m + 1)))
    try:
        wrong = int((BY_ID["square-block"].build(own, more).recover(shown("rmse", labels, "3")) != labels).sum())
    except InconsistentScores:
        wrong = 1000
    assert wrong > 0


def test_the_number_of_ones_is_asked_for():
    """A share needs it, and t must outweigh the error; where it is told nobody asks."""
    candidate = found("N = 1000; metric = r2; decimals = 0")
    own, p = candidate.channel, candidate.certified.certificate.parameters
    assert (p.t, p.before) == (1024, 1)
    finer = found("N = 1000; metric = r2; decimals = 1")  # here errors alone would allow a smaller t
    least = replace(finer.certified.certificate.parameters, t=Fraction(2001, 2))
    assert certify(finer.channel, least).holds
    assert not certify(finer.channel, replace(least, t=Fraction(1000))).holds  # the branches of the score may meet
    assert not certify(own, replace(p, t=Fraction(1))).holds  # too near
    assert not certify(own, replace(p, t=Fraction(0), before=0, queries=p.queries - 1)).holds
    two = replace(p, t=Fraction(256), before=2, queries=p.queries + 1)
    assert certify(own, two).holds
    assert not certify(own, replace(two, t=Fraction(128))).holds
    assert not certify(own, replace(two, t=Fraction(2) ** 40)).holds
    with pytest.raises(ValueError, match="in one query or in two"):
        prove(own, replace(two, before=3, queries=two.queries + 1))
    assert not certify(own, replace(p, t=Fraction(2) ** 40)).holds  # its own roundings drown it
    told = channel("N = 1000; metric = r2; decimals = 0; positives = 300")
    known = replace(p, t=Fraction(0), before=0, queries=p.queries - 1)
    assert certify(told, known).holds
    attack = BY_ID["square-block"].build(told, known)
    labels = (np.arange(1000) < 301).astype(int)
    with pytest.raises(InconsistentScores):
        attack.recover(shown("r2", labels, "0"))


@pytest.mark.parametrize("noise", ["bounded(0.04)", "bounded(0.4)", "bounded(40)"])
def test_one_constant_tells_every_number_of_ones_at_the_bound(noise):
    """At t = 1, and on both branches of a score that rises and falls; errors as large as they are certified."""
    text = f"N = 6; metric = r2; noise = {noise}"
    p = found(text).certified.certificate.parameters
    assert p.before == 1
    assert (p.t == 1) is (noise == "bounded(0.04)")
    attack = found(text).build()
    for ones, side in product(range(1, 6), (1, -1, 0)):
        labels, off = (np.arange(6) < ones).astype(int), Fraction(noise[8:-1]) * side * Fraction(999, 1000)
        assert (attack.recover(lambda u, y=labels, e=off: Fraction(float(r2_score(y, u))) + e) == labels).all()


def test_numbers_of_ones_are_as_far_apart_under_one_constant_as_is_said():
    """Both bounds of the step, over all pairs, at the least t and beyond."""
    for N in (2, 3, 4, 5, 8, 9, 30, 31):
        for t in (Fraction(1), N + Fraction(1, 2), Fraction(N + 1), Fraction(7 * N)):
            loss = [N * (t * t / n + (t - 1) ** 2 / (N - n)) for n in range(1, N)]
            step = 4 * (2 * t - 1) / N if t > 1 else Fraction(1, N)
            share = (2 * t - 1) / (2 * N * t * t)
            for i, j in product(range(N - 1), repeat=2):
                if i < j:
                    assert abs(loss[i] - loss[j]) >= step
                    assert abs(loss[i] - loss[j]) >= share * (loss[i] + loss[j])


def test_two_constants_tell_where_one_does_not():
    """Predictions within [0, 1], errors between 1/(4N) and 1/N."""
    candidate = found("N = 12; metric = r2; decimals = 1; predictions = probability")
    p = candidate.certified.certificate.parameters
    assert (p.t, p.before, p.queries) == (1, 2, 8)
    assert not certify(candidate.channel, replace(p, before=1, queries=7)).holds
    for ones in range(1, 12):
        labels = (np.arange(12) < ones).astype(int)
        assert (candidate.build().recover(shown("r2", labels, "1")) == labels).all()


def test_the_checker_asks_the_same_of_one_constant():
    text = "N = 1000; metric = r2; decimals = 1"
    true = json.loads(json.dumps(report(text).to_json()))
    assert check(true).faults == ()
    for other in ({"t": {"fraction": "0x3e8/0x1"}}, {"t": {"fraction": "0x1/0x1"}}, {"before": 0}, {"before": 2}):
        false = copy.deepcopy(true)
        _certified(false)["parameters"].update(other)
        assert check(false).faults, other


def test_digits_of_shares_of_any_size_are_not_known():
    """Of scores to so many significant digits the coarsest are not those of the most even labels."""
    for told in ("", "; positives = 10"):
        assert found(f"N = 30; metric = r2; decimals = significant(6){told}").certified is None
    assert found("N = 30; metric = rmse; decimals = significant(6)").certified is not None


def test_roundings_are_counted():
    """Both sums of squares of a share are added up: 33 additions of 5000 numbers at most, as numpy pairs them."""
    from planner.channel.formats.summation import additions

    own, unit = channel("N = 5000; metric = r2"), Fraction(1, 2**53)
    added = additions(5000, own.summation)
    assert own.metric.charge_error(own) == (added + 10) * unit + 10_000 * (added + 2) ** 2 * unit**2
    root = channel("N = 5000; metric = rmse; predictions = probability")
    assert root.metric.charge_error(root) == 5 * unit
    assert root.metric.moved(root) == 2 * (added + 8) * unit


def test_neighbouring_numbers_of_ones_are_as_far_apart_as_is_said():
    """The two bounds of the step, over all numbers of ones of some boards."""
    for N in (3, 4, 7, 30):
        for a in range(1, N - 1):
            b = N - a
            step = N * (Fraction(1, a * (a + 1)) + Fraction(1, b * (b - 1)))
            assert step == N * (Fraction(1, a) - Fraction(1, b)) - N * (Fraction(1, a + 1) - Fraction(1, b - 1))
            assert step >= Fraction(8, N)
            assert step >= max(Fraction(1, a) + Fraction(1, b), Fraction(1, a + 1) + Fraction(1, b - 1))


def test_floats_keep_to_the_error_that_is_counted():
    """scikit-learn's own roundings, against exact scores: also of large numbers, and of very few ones."""
    coins = np.random.default_rng(3)
    for N, ones in ((1000, 1), (1000, 999), (1000, 500), (37, 5)):
        labels = coins.permutation((np.arange(N) < ones).astype(int))
        for scale in (1, 1e3, 1e9):
            u = np.full(N, 0.5)
            u[: N // 20 + 1] = coins.normal(0, scale, N // 20 + 1)
            total = sum(((Fraction(one) - int(y)) ** 2 for one, y in zip(u.tolist(), labels, strict=True)), Fraction(0))
            own = channel(f"N = {N}; metric = r2")
            share = total * N / (ones * (N - ones))
            with working(200):
                relative = {one: lower(channel(f"N = {N}; metric = {one}").errors(1).relative()) for one in SCORES}
            assert abs(Fraction(float(r2_score(labels, u))) - (1 - share)) <= relative["r2"] * (1 + share)
            root = Fraction(isqrt(total.numerator * 4**200 // (total.denominator * N)), 2**200)
            assert abs(Fraction(float(root_mean_squared_error(labels, u))) - root) <= relative["rmse"] * root
            assert not own.unknown


# -- limits --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("N", [4, 9, 50])
def test_noise_that_hides_a_label_and_noise_just_below(N):
    """2 tau sqrt N >= 1: exact scores, since floats of large numbers are off by any amount."""
    root = Fraction(isqrt(N * 10**24), 10**12)
    above, below = (1 / (2 * root) * Fraction(1000 + off, 1000) for off in (1, -1))
    text = f"N = {N}; metric = rmse; noise = bounded({{}})"
    hidden = report(text.format(f"{above.numerator}/{above.denominator}") + "; phi = arbitrary")
    assert hidden.verdict.value == "impossible"
    assert check(json.loads(json.dumps(hidden.to_json()))).faults == ()
    assert found(text.format(f"{below.numerator}/{below.denominator}")).certified is not None
    assert found(text.format(f"{above.numerator}/{above.denominator}")).certified is None


def test_nothing_is_excluded_where_floats_are_off_by_any_amount():
    loud = "N = 4; metric = rmse; noise = bounded(1)"
    assert not any(one.excludes_all for one in report(loud).limits)
    assert any(one.excludes_all for one in report(f"{loud}; predictions = probability").limits)


def test_no_submission_parts_neighbours_farther_than_is_said():
    coins = np.random.default_rng(0)
    for _ in range(300):
        N = int(coins.integers(1, 9))
        u, labels = coins.normal(0, 10 ** coins.uniform(-1, 3), N), coins.integers(0, 2, N)
        other = labels.copy()
        other[coins.integers(N)] ^= 1
        apart = abs(np.sqrt(((u - labels) ** 2).mean()) - np.sqrt(((u - other) ** 2).mean()))
        assert apart <= float(RMSE.pair(N)) + 1e-9
    assert RMSE.pair(16) >= Fraction(1, 4) > RMSE.pair(17)
    assert float(RMSE.pair(10**6)) == pytest.approx(1e-3)


def test_answers_of_predictions_within_an_interval():
    text = "N = 40; metric = rmse; decimals = 2; queries <= 3"
    assert {one.id: one.queries for one in report(f"{text}; predictions = probability").limits}[
        "I1"
    ] == 6  # 102^6 > 2^40
    assert report(text).limits[0].queries == 1  # any number may be shown


# -- the checker ---------------------------------------------------------------------------------------------------


def _certified(one):
    return next(each for each in one["candidates"] if each["attack"] == "square-block")["certified"]


@pytest.mark.parametrize(
    "text", ["N = 30; metric = rmse; decimals = 3; queries <= 9", "N = 30; metric = r2; decimals = 1"]
)
def test_records_are_derived_again(text):
    true = json.loads(json.dumps(report(text).to_json()))
    assert check(true).faults == ()
    for name, other in (("m", 40), ("gap", {"fraction": "0x1/0x10000"}), ("t", {"fraction": "0x3/0x1"})):
        false = copy.deepcopy(true)
        _certified(false)["parameters"][name] = other
        assert check(false).faults, name


def test_what_was_certified_is_simulated():
    for metric in SCORES:
        run = simulate(report(f"N = 30; metric = {metric}; decimals = 3"), trials=3, labels="balanced")
        assert run.exact_trials == 3


def test_a_block_within_an_interval_keeps_to_it():
    p = found("N = 6; metric = rmse; decimals = 3; predictions = probability").certified.certificate.parameters
    assert all(0 <= one <= 1 for one in p.predictions())
    own = channel("N = 6; metric = rmse; decimals = 3; predictions = probability")
    assert largest_sum(own, p) <= 6
    assert largest_sum(own, replace(p, m=2, gap=Fraction(1))) == 4 * Fraction(1, 4) + 1 + Fraction(9, 4)
    wide = replace(p, gap=Fraction(2))
    assert certify(channel("N = 6; metric = rmse; decimals = 3"), wide).holds
    assert not certify(own, wide).holds


@pytest.mark.parametrize(
    "text", ["N = 1; metric = r2", "N = 6; metric = r2; positives = 0", "N = 6; metric = r2; positives = 6"]
)
def test_labels_that_can_only_be_alike_are_not_promised(text):
    """A single row has no score that tells its label, and three queries were promised to: no labeling has both classes."""
    own = channel(text)
    (refusal,) = found(text).reasons
    assert refusal.need == "labels of both classes"
    with pytest.raises(ValueError, match="all alike"):
        prove(own, SquareBlock(3, own.wanted, 1, Fraction(1), Fraction(1), 2))


def test_the_checker_knows_that_one_row_has_no_share_that_tells_its_label():
    one = json.loads(json.dumps(report("N = 2; metric = r2").to_json()))
    data, there = _certified(one)["parameters"], checked_channel(one["channel"]["exact"])
    for own, fits in (
        (there, True),
        (replace(there, N=1, scored=1), False),
        (replace(there, exactly=True, radius=2), False),
    ):
        assert all(holds for _, holds in derive(own, data).fits) is fits


def test_a_report_says_that_labels_have_to_be_of_both_classes():
    for metric, said in (("r2", True), ("mcc", True), ("roc_auc", True), ("balanced_accuracy", False), ("rmse", False)):
        assumes = plan(loads(f"scenario s {{ N = 5; metric = {metric} }}")[0]).assumes
        assert any("both classes" in one for one in assumes) is said
    told = plan(loads("scenario s { N = 5; metric = mcc; positives = 2 }")[0]).assumes
    assert not any("both classes" in one for one in told)


def test_as_many_zeros_as_ones_were_told_are_refused():
    """Of n ones and of n zeros labels vary alike: every block is read, and only their number tells."""
    attack = found("N = 10; metric = r2; decimals = 5; positives = 3").build()
    labels = (np.arange(10) < 3).astype(int)
    assert (attack.recover(shown("r2", labels, "5")) == labels).all()
    with pytest.raises(InconsistentScores, match="fits no labeling"):
        attack.recover(shown("r2", 1 - labels, "5"))
