"""Brier scores of several classes, through scikit-learn's own function.

A row u charges label k the sum of squares 1 + |u|² - 2 u_k, whole or halved; what is known of that was worked out apart from
the planner.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from flint import arb
from sklearn import config_context
from sklearn.metrics import brier_score_loss

from dsl import loads
from dsl.diagnostics import ThreatError
from planner import plan
from planner.attacks.attack import InconsistentScores
from planner.attacks.design.parameters import DesignStages
from planner.catalogue import CATALOGUE
from planner.certify import certify
from planner.channel.channel import Channel, channel_of
from planner.channel.metrics.brier_classes import BRIER, HALF_BRIER
from planner.considering import consider
from planner.limits import limits_of
from planner.model import Candidate, Status
from planner.numerics.reals import lower, upper, working
from planner.report import Report

HALVED: dict[str, Any] = {"brier": "auto", "half_brier": True}


def text_of(text: str, metric: str = "brier") -> str:
    return f"scenario classes {{\nmetric = {metric}\n" + text.replace("; ", "\n") + "\n}\n"


@cache
def report(text: str, metric: str = "brier") -> Report:
    (scenario,) = loads(text_of(text, metric))
    return plan(scenario)


def channel(text: str, metric: str = "brier") -> Channel:
    (scenario,) = loads(text_of(text, metric))
    return channel_of(scenario)


def attacks(text: str, metric: str = "brier") -> dict[str, Candidate]:
    return {one.attack: one for one in report(text, metric).candidates if one.certified is not None}


def queries(candidate: Candidate) -> int:
    assert candidate.certified is not None
    return candidate.certified.queries


def labelings(N: int, K: int) -> list[Any]:
    """Random, all of one class, in turn, 2 % and 70 % of them another class."""
    coins = np.random.default_rng(N)
    rare, often = (np.where(coins.random(N) < share, coins.integers(1, K, N), 0) for share in (0.02, 0.7))
    return [coins.integers(0, K, N), np.zeros(N, int), np.full(N, K - 1), np.arange(N) % K, rare, often]


class Board:
    """brier_score_loss, rounded, with a counter; the function itself answers queries whose number is a power of two."""

    def __init__(
        self, labels: Any, K: int, decimals: int | None, metric: str = "brier", dtype: Any = np.float64
    ) -> None:
        self.labels, self.decimals, self.halved, self.dtype = labels, decimals, HALVED[metric], dtype
        self.truth = (labels[:, None] == np.arange(K)).astype(dtype)
        self.scale, self.noise, self.asked = (0.5 if metric == "half_brier" else 1.0), lambda: 0.0, 0

    def __call__(self, u: Any) -> float:
        self.asked += 1
        score = self._loss(np.asarray(u).astype(self.dtype)) + self.noise()
        return score if self.decimals is None else round(score, self.decimals)

    def _loss(self, u: Any) -> float:
        score = float(np.average(((self.truth - u) ** 2).sum(axis=1)) * self.scale)
        if self.asked & (self.asked - 1):
            return score
        known = scored(self.labels, u, self.halved)
        assert abs(score - known) <= 4 * np.finfo(self.dtype).eps
        return known


def scored(labels: Any, u: Any, halved: Any) -> float:
    with config_context(assume_finite=True, skip_parameter_validation=True), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return float(brier_score_loss(labels, u, labels=list(range(u.shape[1])), scale_by_half=halved))


# -- known answers -----------------------------------------------------------------------------------------

KNOWN = [("brier", 306, 3, 4, 58), ("half_brier", 306, 3, 4, 64), ("brier", 300, 4, 5, 50), ("brier", 200, 10, 5, 63)]


@pytest.mark.parametrize(("metric", "N", "K", "decimals", "most"), KNOWN)
def test_all_labels_of_several_classes(metric, N, K, decimals, most):
    found = report(f"N = {N}; K = {K}; scorer = sklearn; decimals = {decimals}", metric)
    assert found.best is not None
    assert queries(found.best) == most
    attack = found.best.build()
    for labels in labelings(N, K):
        board = Board(labels, K, decimals, metric)
        assert (attack.recover(board) == labels).all()
        assert board.asked == most


@pytest.mark.parametrize(("attack", "text"), [("spread", ""), ("hadamard", "; goal = 90%")])
def test_noise_is_averaged_over_rows_of_two_sides(attack, text):
    found = attacks(f"N = 32; K = 3; noise = gaussian(0.01); confidence = 99%{text}")[attack]
    wrong = getattr(found.certified.certificate.parameters, "wrong", 0)
    coins = np.random.default_rng(5)
    for labels in labelings(32, 3):
        board = Board(labels, 3, None)
        board.noise = lambda: coins.normal(0, 0.01)
        assert (found.build().recover(board) != labels).sum() <= wrong
        assert board.asked == queries(found)


def test_a_guess_of_three_classes_is_set_right():
    found = attacks("N = 60; K = 3; guess = 95%; decimals = 4; scorer = sklearn")["splitting"]
    coins = np.random.default_rng(6)
    for labels in labelings(60, 3):
        attack, guess = found.build(), labels.copy()
        rows = coins.choice(60, 3, replace=False)
        guess[rows] = (guess[rows] + coins.integers(1, 3, 3)) % 3
        attack.guess = guess
        board = Board(labels, 3, 4)
        assert (attack.recover(board) == labels).all()
        assert board.asked <= queries(found)


@pytest.mark.parametrize(("phi", "dtype", "N"), [("float32", np.float32, 24), ("float16", np.float16, 5)])
def test_narrow_submissions(phi, dtype, N):
    certified = attacks(f"N = {N}; K = 4; scorer = sklearn; phi = {phi}; score_phi = {phi}")
    assert "batches" in certified
    for candidate in certified.values():
        for labels in labelings(N, 4):
            assert (candidate.build().recover(Board(labels, 4, None, dtype=dtype)) == labels).all(), candidate.attack


# -- every labeling, every error ---------------------------------------------------------------------------


def exactly(labels: Any, u: Any, scale: Fraction) -> Fraction:
    rows = [[Fraction(p) for p in row] for row in np.asarray(u).tolist()]
    total = sum(
        (p - (k == label)) ** 2 for row, label in zip(rows, labels.tolist(), strict=True) for k, p in enumerate(row)
    )
    return scale * total / len(labels)


@pytest.mark.parametrize(("metric", "K"), [("brier", 3), ("half_brier", 3), ("brier", 4)])
def test_every_labeling_at_the_certified_edge(metric, K):
    """Scores off by .999 of the certified error: upward, downward, or in turn."""
    N, tau, scale = 3, "1/30", HALF_BRIER.scale(K) if metric == "half_brier" else BRIER.scale(K)
    certified = attacks(f"N = {N}; K = {K}; noise = bounded({tau})", metric)
    assert {"design", "batches"} <= certified.keys()
    for name in ("design", "batches"):
        candidate = certified[name]
        own, attack = candidate.channel, candidate.build()
        assert own is not None
        with working(200):
            error = lower(own.errors(queries(candidate)).score_error(arb(0)))  # with a loss it grows by 2^-50
        for hidden, side in product(product(range(K), repeat=N), (1, -1, 0)):
            labels, turn = np.array(hidden), [1]

            def score(u, labels=labels, side=side, turn=turn, error=error):
                turn[0] = -turn[0]
                return exactly(labels, u, scale) + (side or turn[0]) * error * 999 / 1000

            assert (attack.recover(score) == labels).all(), (name, hidden, side)


def test_one_step_past_what_is_certified_fails():
    """The certificate fails by each number, and with a decimal fewer the attack itself does."""
    text = "N = 306; K = 3; scorer = sklearn; decimals = 4"
    own, found = channel(text), attacks(text)["design"]
    p = found.certified.certificate.parameters
    assert isinstance(p, DesignStages)
    assert certify(own, p).holds
    for changed in (
        replace(p, gap=p.gap * 2),  # farther than rows reach
        replace(p, gap=p.gap / 2),  # nearer than scores are told apart
        replace(p, queries=p.queries - 1),
        replace(p, labels=p.design.capacity() + 1),
    ):
        assert not certify(own, changed).holds
    assert not certify(channel("N = 306; K = 3; scorer = sklearn; decimals = 3"), p).holds
    assert not certify(channel(text, "half_brier"), p).holds
    labels = labelings(306, 3)[0]
    with pytest.raises(InconsistentScores):
        found.build().recover(Board(labels, 3, 3))


def test_scores_of_another_scale_are_refused():
    found = attacks("N = 60; K = 3; scorer = sklearn; decimals = 4")["design"]
    with pytest.raises(InconsistentScores):
        found.build().recover(Board(np.arange(60) % 3, 3, 4, "half_brier"))


# -- what rows do ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("metric", "K"), [(BRIER, 3), (HALF_BRIER, 5), (BRIER, 10)])
def test_rows_of_two_groups_charge_what_is_wanted(metric, K):
    for inside in range(1, K):
        most = float(2 * metric.scale(K) / max(inside, K - inside))
        charges = np.array([most, -most, most / 3, 0.0])
        members, others = metric.entries(np, charges, inside, K, K)
        rows = np.repeat(others[:, None], K, axis=1)
        rows[:, :inside] = members[:, None]
        assert rows.min() >= 0
        assert rows.sum(axis=1) == pytest.approx(1)
        for row, charge in zip(rows, charges, strict=True):
            inner, outer = (exactly(np.array([k]), [row], metric.scale(K)) for k in (0, K - 1))
            assert float(inner - outer) == pytest.approx(charge, abs=1e-15)
            assert float(metric.total(np, row[:1], row[None])) == pytest.approx(float(inner), abs=1e-15)
    assert float(metric.neutral_charge(K)) == pytest.approx(
        float(exactly(np.array([0]), [[1 / K] * K], metric.scale(K)))
    )


@pytest.mark.parametrize("K", [3, 4, 7, 10])
def test_no_row_does_more_than_limits_grant(K):
    """Rows within [0, 1], whatever they sum to: corners and random ones; the bounds are reached."""
    own, coins = channel(f"N = 1; K = {K}"), np.random.default_rng(K)
    rows = [coins.choice([0.0, 1.0, 0.5], K) for _ in range(60)] + [coins.random(K) for _ in range(60)]
    rows += [np.eye(K)[0], 1 - np.eye(K)[0]]
    charges = np.array([[float(exactly(np.array([k]), [row], Fraction(1))) for k in range(K)] for row in rows])
    assert np.ptp(charges, axis=1).max() == float(own.span()) == 2
    assert charges.max() == float(own.metric.largest_charge(own, own.span())) == K
    # The heaviest row of a design lies above what it charges for its entry alone, by no more than a quarter of its weight.
    for inside in range(1, K):
        most = 2 / max(inside, K - inside)
        members, others = BRIER.entries(np, np.array([most, -most]), inside, K, K)
        row = [[float(members[at])] * inside + [float(others[at])] * (K - inside) for at in (0, 1)]
        heaviest = max(float(exactly(np.array([k]), [one], Fraction(1))) for one in row for k in (0, K - 1))
        assert heaviest <= float(own.metric.heaviest(own, arb(most))) <= heaviest + most


@pytest.mark.parametrize(("phi", "dtype"), [("float64", np.float64), ("float32", np.float32)])
def test_scikit_learn_computes_within_the_error_that_is_granted(phi, dtype):
    """100 queries; the worst error comes to more than a thousandth of the bound."""
    coins, worst = np.random.default_rng(12), 0.0
    for at in range(100):
        N, K = ((1, 3), (7, 4), (30, 11))[at // 2 % 3]
        u = coins.random((N, K)) ** (1 + at % 5)
        u = (u / u.sum(axis=1, keepdims=True)).astype(dtype)
        if at % 7 == 0:
            u[:] = dtype(1 / K)
        labels = coins.integers(0, K, N)
        metric = ("brier", "half_brier")[at % 2]
        scale = Fraction(1, 1 + at % 2)
        loss = exactly(labels, u.astype(float), scale)
        score = Fraction(scored(labels, u, HALVED[metric]))
        own = _errors_of(phi, N, K, metric)
        with working(160):
            granted = upper(own.errors(1).score_error(arb(loss.numerator) / loss.denominator))
        worst = max(worst, float(abs(score - loss) / granted))
    assert 1e-3 < worst < 1


@cache
def _errors_of(phi: str, N: int, K: int, metric: str) -> Channel:
    return channel(f"N = {N}; K = {K}; scorer = sklearn; phi = {phi}; score_phi = {phi}", metric)


@pytest.mark.parametrize("K", [3, 5])
def test_levels_are_charged_as_they_say(K):
    """Levels of two sides, in exact arithmetic: weights and charges within a part of what is granted."""
    granted = float(BRIER.level_deviation(K, Fraction(0), 1))
    for bit in range((K - 1).bit_length()):
        sides = tuple(bool(k >> bit & 1) for k in range(K))
        most = BRIER.strength_float(Fraction(0), K)
        for weight in (most, -most, most / 3, -most / 7, 0.0):
            level = BRIER.level(weight, K, sides)
            row = [list(level.entries(K, sides))]
            zero, one = (exactly(np.array([sides.index(side)]), row, Fraction(1)) for side in (False, True))
            assert abs(float(zero - one) - weight) <= granted / 2
            assert abs(float(zero - Fraction(level.zero))) <= granted / 4
            assert abs(float(one - Fraction(level.one))) <= granted / 4
            assert float(max(zero, one)) <= float(BRIER.heaviest_level(Fraction(0), K))


# -- what no attack can do ---------------------------------------------------------------------------------


def test_no_submission_has_more_answers_than_I1_counts():
    """All 27 labelings of three rows at one decimal, of 400 submissions."""
    own, coins = channel("N = 3; K = 3; decimals = 1"), np.random.default_rng(1)
    (limit,) = (one for one in limits_of(own) if one.id == "I1")
    most = dict(limit.parameters)["answers"]
    seen = 0
    for at in range(400):
        u = coins.random((3, 3)) if at % 2 else coins.choice([0.0, 0.5, 1.0, 1 / 3], (3, 3))
        answers = {round(float(exactly(np.array(labels), u, Fraction(1))), 1) for labels in product(range(3), repeat=3)}
        seen = max(seen, len(answers))
    assert seen <= most
    assert seen >= most // 2


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("N = 40; K = 3; noise = bounded(1)", "I2"),
        ("N = 500; K = 3; decimals = 1; queries <= 20", "I6"),
        ("N = 40; K = 3; decimals = 3; adaptive = no; queries <= 3", "I3"),
        ("N = 50; K = 4; noise = gaussian(1); queries <= 100", "I5"),
        ("N = 100; K = 3; decimals = 2; queries <= 10", "I1"),
    ],
)
def test_limits_of_several_classes(text, id):
    """Each excludes by itself, and none where rows may lie outside [0, 1]; halved scores never tell more."""
    assert report(text).verdict.value == "impossible"
    assert any(one.id == id and (one.excludes_all or one.queries is not None) for one in report(text).limits)
    assert report(text, "half_brier").verdict.value == "impossible"
    unchecked = report(f"{text}; checks = no")
    assert {one.id for one in unchecked.limits if one.queries is not None or one.excludes_all} <= {"I1"}


def test_neighbours_are_told_just_below_what_I2_excludes():
    """One row of two classes' difference 2: nothing is told from N tau >= 1 on; one of the two groups tells below 1/2."""
    assert report("N = 1; K = 3; noise = bounded(1.001)").verdict.value == "impossible"
    assert report("N = 1; K = 3; noise = bounded(0.999)").verdict.value != "impossible"
    assert report("N = 1; K = 3; noise = bounded(0.499)").verdict.value == "feasible"


# -- what is refused ---------------------------------------------------------------------------------------


def test_comparisons_are_refused_by_the_metric():
    refused = {
        one.attack: {reason.field for reason in one.reasons}
        for one in report("N = 300; K = 3; decimals = 1; scorer = sklearn").candidates
        if one.status is Status.REFUSED
    }
    for id in ("threshold", "dither"):
        assert "metric" in refused[id]


@pytest.mark.parametrize(
    ("field", "change"),
    [("renormalises", {"renormalises": True}), ("public", {"scored": 5}), ("columns", {"columns": 1})],
)
def test_what_nobody_has_a_word_for_is_refused_by_its_name(field, change):
    for text in ("N = 12; K = 3", "N = 12; K = 3; decimals = 2", "N = 12; K = 3; noise = gaussian(1)"):
        own = replace(channel(text), **change)
        assert field in own.unknown
        for theorem in CATALOGUE:
            found = consider(theorem, own)
            assert found.certified is None
            assert field in {reason.field for reason in found.reasons}
        assert all(one.queries is None and not one.excludes_all for one in limits_of(own))


def test_scikit_learn_has_no_score_of_several_classes_before_1_7():
    for version in ("1.1", "1.6"):
        with pytest.raises(ThreatError) as error:
            loads(text_of(f'N = 12; K = 3; scorer = sklearn("{version}")'))
        assert "T048" in str(error.value)
        assert loads(text_of(f'N = 12; scorer = sklearn("{version}")'))
    assert loads(text_of('N = 12; K = 3; scorer = sklearn("1.7")'))
    assert loads(text_of("N = 12; K = 3; scorer = sklearn", "half_brier"))
