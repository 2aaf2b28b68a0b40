"""Brier scores through scikit-learn's own function: known answers, every labeling of small boards, and the error model.

What is known of Brier scores: a row weighs up to W = 1, every number of queries below was worked out apart from the planner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, ldexp, log2
from typing import Any

import numpy as np
import pytest
from flint import arb
from sklearn import config_context
from sklearn.metrics import brier_score_loss

from dsl import loads
from dsl.scenario import FixedPoint
from planner import plan
from planner.attacks.attack import InconsistentScores
from planner.attacks.design.parameters import DesignStages
from planner.attacks.threshold.parameters import Thresholds, offset_rows_needed
from planner.attacks.threshold.theorem import offset_setting
from planner.catalogue import CATALOGUE
from planner.certify import certify
from planner.channel.channel import Channel, channel_of
from planner.channel.metrics.brier_classes import BRIER
from planner.considering import consider
from planner.limits import limits_of
from planner.model import Candidate, Status
from planner.numerics.reals import lower, upper, working
from planner.report import Report
from tests.attacks.leaderboard import labelings


@cache
def report(text: str) -> Report:
    (scenario,) = loads("scenario brier {\nmetric = brier\n" + text.replace("; ", "\n") + "\n}\n")
    return plan(scenario)


def channel(text: str) -> Channel:
    (scenario,) = loads("scenario brier {\nmetric = brier\n" + text.replace("; ", "\n") + "\n}\n")
    return channel_of(scenario)


def attacks(text: str) -> dict[str, Candidate]:
    return {one.attack: one for one in report(text).candidates if one.certified is not None}


def queries(candidate: Candidate) -> int:
    assert candidate.certified is not None
    return candidate.certified.queries


class Board:
    """scikit-learn's brier_score_loss, rounded or cut off, with a counter."""

    def __init__(self, labels: Any, decimals: int | None = None, cut: bool = False, dtype: Any = np.float64) -> None:
        self.labels, self.decimals, self.cut, self.dtype = labels, decimals, cut, dtype
        self.noise: Callable[[], float] = lambda: 0.0
        self.asked = 0

    def __call__(self, u: Any) -> float:
        self.asked += 1
        score = self._loss(np.asarray(u).astype(self.dtype)) + self.noise()
        if self.decimals is None:
            return score
        if self.cut:
            return float(np.floor(score * 10**self.decimals) / 10**self.decimals)
        return float(np.round(score, self.decimals))

    def _loss(self, u: Any) -> float:
        """The operations of scikit-learn; where the query's number is a power of two its function, and they agree."""
        both, truth = np.stack([1 - u, u], axis=1), np.stack([1 - self.labels, self.labels], axis=1)
        score = float(np.average(((truth.astype(self.dtype) - both) ** 2).sum(axis=1)) * 0.5)
        if self.asked & (self.asked - 1):
            return score
        with config_context(assume_finite=True, skip_parameter_validation=True):
            known = float(brier_score_loss(self.labels, u, pos_label=1))
        assert abs(score - known) <= 4 * np.finfo(self.dtype).eps
        return known


# -- known answers -----------------------------------------------------------------------------------------

KNOWN = [(306, 3, 56), (306, 4, 36), (306, 5, 26), (306, None, 8), (1000, 4, 128), (1000, 5, 91)]


@pytest.mark.parametrize(("N", "decimals", "most"), KNOWN)
def test_known_numbers_of_queries_recover_every_labeling(N, decimals, most):
    found = report(f"N = {N}; scorer = sklearn; decimals = {'full' if decimals is None else decimals}")
    assert found.best is not None
    assert queries(found.best) == most
    attack = found.best.build()
    for labels in labelings(N):
        board = Board(labels, decimals)
        assert (attack.recover(board) == labels).all()
        assert board.asked == most


# Offset rows of weight 1/2 to 1 bear 3/16 each of a cell N/10^d.
OFFSETS = [(300, 1, 161), (600, 1, 321), (1000, 1, 534), (1000, 2, 54)]
PAST = [(300, 1, 308), (600, 1, 609), (1000, 1, 1010), (1000, 2, 1006), (1000, 3, 1003), (2000, 2, 2007)]


@pytest.mark.parametrize(("N", "decimals", "rows"), OFFSETS)
def test_offset_rows_of_the_theory(N, decimals, rows):
    setting = offset_setting(channel(f"N = {N}; scorer = sklearn; decimals = {decimals}"), Fraction(0))
    assert setting is not None
    assert offset_rows_needed(setting) <= setting.offset_rows
    assert abs(setting.offset_rows - rows) <= 1
    assert setting.offset_rows == pytest.approx(16 / 3 * N / 10**decimals, abs=2)


@pytest.mark.parametrize(("N", "decimals", "most"), PAST)
def test_comparisons_past_the_limit_of_rounding(N, decimals, most):
    found = attacks(f"N = {N}; scorer = sklearn; decimals = {decimals}")["threshold"]
    parameters = found.certified.certificate.parameters
    assert isinstance(parameters, Thresholds)
    j = parameters.offset_rows
    assert queries(found) <= min(most, N + max(ceil(log2(j + 1)), 1))
    attack = found.build()
    for labels in list(labelings(N))[: max(1, 1500 // N)]:
        board = Board(labels, decimals)
        assert (attack.recover(board) == labels).all()
        assert board.asked <= queries(found)


def test_comparisons_of_scores_that_are_cut_off_need_offset_rows():
    found = attacks("N = 120; decimals = truncated(1)")["threshold"]
    assert found.certified.certificate.parameters.offset_rows > 0
    for labels in labelings(120):
        board = Board(labels, 1, cut=True)
        assert (found.build().recover(board) == labels).all()
        assert board.asked <= queries(found)


def test_a_dithered_spread_takes_fewer_queries_than_labels():
    found = attacks("N = 300; scorer = sklearn; decimals = 2")["dither"]
    assert queries(found) < 200
    for labels in labelings(300):
        board = Board(labels, 2)
        assert (found.build().recover(board) == labels).all()
        assert board.asked <= queries(found)


@pytest.mark.parametrize(("attack", "text"), [("spread", ""), ("hadamard", "; goal = 95%")])
def test_gaussian_noise_is_averaged(attack, text):
    found = attacks(f"N = 64; noise = gaussian(0.01); confidence = 99%{text}")[attack]
    wrong = getattr(found.certified.certificate.parameters, "wrong", 0)
    coins = np.random.default_rng(3)
    for labels in labelings(64):
        board = Board(labels)
        board.noise = lambda: coins.normal(0, 0.01)
        assert (found.build().recover(board) != labels).sum() <= wrong
        assert board.asked <= queries(found)


@pytest.mark.parametrize(("phi", "dtype"), [("float32", np.float32), ("float16", np.float16)])
def test_narrow_submissions(phi, dtype):
    certified = attacks(f"N = 60; scorer = sklearn; phi = {phi}; score_phi = {phi}")
    assert "block" in certified
    for candidate in certified.values():
        for labels in labelings(60):
            assert (candidate.build().recover(Board(labels, dtype=dtype)) == labels).all(), candidate.attack


# -- every labeling, every error ---------------------------------------------------------------------------

SMALL = (
    "N = 6; phi = arbitrary; noise = bounded(1/50)",
    "N = 6; noise = bounded(1/100)",
    "N = 6; noise = multiplicative(0.02)",
    "N = 6; phi = float32; decimals = 2",
    "N = 6; phi = arbitrary; decimals = significant(2); goal = 75%",
    "N = 7; scorer = sklearn; decimals = 3",
)
SUMS = {"one-label", "block", "conway-guy", "growing-block", "design"}


def exactly(labels: Any, u: Any) -> Fraction:
    """The score as a rational number."""
    rows = zip(np.asarray(u).tolist(), labels.tolist(), strict=True)
    return sum(((_rational(p) - label) ** 2 for p, label in rows), Fraction(0)) / len(labels)


def _rational(p: Any) -> Fraction:
    return Fraction(int(p.numerator), int(p.denominator)) if hasattr(p, "denominator") else Fraction(p)


@pytest.mark.parametrize("text", SMALL)
def test_every_labeling_of_a_small_board_at_the_certified_edge(text, one_in):
    """Every score off by .999 of the certified error: upward, downward, or against the decoder's last answer."""
    tried = set()
    for name, candidate in attacks(text).items():
        own = candidate.channel
        if name not in SUMS or own is None:
            continue
        attack, errors = candidate.build(), own.errors(queries(candidate))
        every = product(product((0, 1), repeat=own.rows), (1, -1, 0))
        for hidden, side in one_in(2, every, f"{name} {text}"):
            labels, turn = np.array(hidden), [1]

            def score(u, labels=labels, side=side, turn=turn, own=own, errors=errors):
                loss = exactly(labels, u)
                turn[0] = -turn[0]
                with working(200):
                    error = lower(errors.score_error(arb(loss.numerator) / loss.denominator))
                return loss + own.law.centre + (side or turn[0]) * error * 999 / 1000

            found = attack.recover(score)
            spoken = found >= 0
            assert spoken.sum() >= own.wanted
            assert (found[spoken] == labels[spoken]).all(), (name, hidden, side)
        tried.add(name)
    assert {"block", "design"} & tried


@pytest.mark.parametrize(
    ("attack", "text"),
    [
        ("threshold", "N = 7; decimals = 1"),
        ("threshold", "N = 8; decimals = truncated(1)"),
        ("threshold", "N = 7; decimals = 1; noise = bounded(0.005)"),
        ("dither", "N = 8; decimals = 1"),
    ],
)
def test_comparisons_on_every_labeling_of_a_small_board(attack, text):
    """Noise before the rounding has its full size and the worse sign: away from the half that the score is nearer to."""
    found = attacks(text)[attack]
    own, p = found.channel, found.certified.certificate.parameters
    assert own is not None
    bound = float(p.error) * 0.999
    built = found.build()
    for hidden in product((0, 1), repeat=own.rows):
        labels = np.array(hidden)

        def score(u, labels=labels):
            exact = float(exactly(labels, u))
            at = exact * 10 + (0 if p.truncates else 0.5)
            nearest = round(at)  # the boundary that a score can be pushed across
            pushed = exact + (bound if at < nearest else -bound)
            shown = np.floor(pushed * 10) if p.truncates else np.floor(pushed * 10 + 0.5)
            return float(shown / 10)

        assert (built.recover(score) == labels).all(), hidden


def test_one_step_past_what_is_certified_fails():
    text = "N = 306; scorer = sklearn; decimals = 4"
    own = channel(text)
    found = attacks(text)["design"]
    p = found.certified.certificate.parameters
    assert isinstance(p, DesignStages)
    assert certify(own, p).holds
    assert not certify(own, replace(p, gap=p.gap * 2)).holds  # farther than rows reach
    assert not certify(own, replace(p, gap=p.gap / 2)).holds  # nearer than scores are told apart
    assert not certify(own, replace(p, queries=p.queries - 1)).holds
    assert not certify(own, replace(p, labels=p.design.capacity() + 1)).holds
    finer = channel("N = 306; scorer = sklearn; decimals = 3")
    assert not certify(finer, p).holds
    block = attacks("N = 8; phi = arbitrary; noise = bounded(1/50)")["block"]
    rows = block.certified.certificate.parameters
    for tau in ("1/49", "1/30"):
        noisier = channel(f"N = 8; phi = arbitrary; noise = bounded({tau})")
        assert certify(noisier, rows).holds is (consider_again(noisier, "block") == rows.queries)


def consider_again(own: Channel, attack: str) -> int | None:
    (theorem,) = (one for one in CATALOGUE if one.id == attack)
    found = consider(theorem, own)
    return found.certified.queries if found.certified else None


def test_scores_of_another_board_are_refused():
    found = attacks("N = 60; scorer = sklearn; decimals = 4")["design"]
    board = Board(np.arange(60) % 2, 4)
    coins = np.random.default_rng(0)
    board.noise = lambda: coins.normal(0, 0.05)
    with pytest.raises(InconsistentScores):
        found.build().recover(board)


# -- what is refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "N = 12; phi = arbitrary",
        "N = 12; scorer = sklearn; decimals = 5",
        "N = 12; noise = uniform(-1, 1)",
        "N = 300; scorer = sklearn",
    ],
)
def test_products_of_odds_are_refused_by_the_metric(text):
    refused = {
        one.attack: {reason.field for reason in one.reasons}
        for one in report(text).candidates
        if one.status is Status.REFUSED
    }
    ids = {one.id for one in CATALOGUE}
    named = {id for id in ids if any(part in id for part in ("prime", "subset", "digit", "zero"))}
    assert len(named) >= 4
    for id in named:
        assert "metric" in refused[id], id


def refuses_all(own: Channel) -> set[str]:
    """The fields by which every attack and every limit refuses; nothing is promised and nothing excluded."""
    fields = []
    for theorem in CATALOGUE:
        found = consider(theorem, own)
        assert found.certified is None, theorem.id
        fields.append({reason.field for reason in found.reasons})
    for limit in limits_of(own):
        assert limit.queries is None
        assert not limit.excludes_all
        assert own.unknown[0] in limit.why
    return set.intersection(*fields)


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("columns", {"columns": 2}),
        ("phi", {"precision": FixedPoint(8, 20), "score_precision": FixedPoint(8, 20)}),
        ("predictions", {"metric_id": "accuracy"}),
        ("metric", {"metric_id": ""}),
    ],
)
def test_what_nobody_has_a_word_for_is_refused_by_its_name(field, change):
    for text in ("N = 12", "N = 12; decimals = 2", "N = 12; noise = bounded(1)", "N = 12; noise = gaussian(1)"):
        own = replace(channel(text), **change)
        assert field in own.unknown
        assert field in refuses_all(own)


@pytest.mark.parametrize(
    "text",
    [
        "N = 40; noise = bounded(1)",
        "N = 500; decimals = 1; queries <= 20",
        "N = 40; decimals = 3; adaptive = no; queries <= 3",
        "N = 50; noise = gaussian(1); queries <= 100",
    ],
)
def test_limits_need_predictions_within_0_and_1(text):
    """Outside them a row weighs as much as one likes; attacks do not need that."""
    assert report(text).verdict.value == "impossible"
    unchecked = report(f"{text}; checks = no")
    assert unchecked.verdict.value != "impossible"
    assert {one.id for one in unchecked.limits if one.queries is not None or one.excludes_all} <= {"I1"}
    free = attacks("N = 306; scorer = sklearn; decimals = 4; checks = no")
    assert queries(free["design"]) == 36


# -- the error model ---------------------------------------------------------------------------------------

GRID = 120  # bits: no prediction below 10^-12 is tried but 0


@pytest.mark.parametrize(("phi", "dtype"), [("float64", np.float64), ("float32", np.float32), ("float16", np.float16)])
def test_scikit_learn_computes_within_the_error_that_is_granted(phi, dtype):
    """500 queries of all kinds; the worst error comes to more than a thousandth of the bound."""
    coins, worst = np.random.default_rng(11), 0.0
    for _ in range(500):
        N = int(coins.integers(1, 400))
        kind = coins.integers(0, 5)
        u = coins.random(N)
        if kind == 1:
            u = coins.choice([0.0, 1.0, 0.5, 1e-4, 1 - 1e-3], N)
        elif kind == 2:
            u = 10.0 ** coins.uniform(-12, 0, N)
        elif kind == 3:
            u = 1 - 10.0 ** coins.uniform(-6, 0, N)
        u = u.astype(dtype)
        labels = coins.integers(0, 2, N) if kind < 4 else np.rint(u).astype(int)
        loss = on_the_grid(labels, u.astype(float))
        with config_context(assume_finite=True, skip_parameter_validation=True):
            score = Fraction(float(brier_score_loss(labels, u, pos_label=1)))
        own = _errors_of(phi, N)
        with working(160):
            granted = upper(own.errors(1).score_error(arb(loss.numerator) / loss.denominator))
        worst = max(worst, float(abs(score - loss) / granted))
    assert 1e-3 < worst < 1


def on_the_grid(labels: Any, u: Any) -> Fraction:
    """The score of predictions that are multiples of 2^-GRID, in integers."""
    rows = zip(u.tolist(), labels.tolist(), strict=True)
    total = sum((int(ldexp(p, GRID)) - (label << GRID)) ** 2 for p, label in rows)
    return Fraction(total, len(labels) << 2 * GRID)


def test_scores_on_the_grid_are_exact():
    u = np.array([0.0, 1.0, 1e-12, 0.3, 1 - 1e-6])
    labels = np.array([0, 0, 1, 1, 0])
    assert on_the_grid(labels, u) == exactly(labels, u)


@cache
def _errors_of(phi: str, N: int) -> Channel:
    return channel(f"N = {N}; scorer = sklearn; phi = {phi}; score_phi = {phi}")


def test_every_single_row_is_computed_within_the_error():
    """Rows of float16 one by one: all of its numbers from 0 to 1, under both labels."""
    u = np.arange(0, 0x3C01, dtype=np.uint16).view(np.float16)
    assert u[0] == 0
    assert u[-1] == 1
    unit = Fraction(1, 2**11)
    bound = 4 * unit / (1 - 4 * unit)
    for label in (0, 1):
        columns = np.stack([1 - u, u], axis=1)
        indicators = np.array([1 - label, label], dtype=np.float16)
        charges = ((indicators - columns) ** 2).sum(axis=1).tolist()
        for p, twice in zip(u.tolist(), charges, strict=True):
            loss = (Fraction(p) - label) ** 2
            assert abs(Fraction(twice) / 2 - loss) <= bound * loss + unit, (p, label)


def test_a_row_weighs_one_and_no_more():
    own = channel("N = 12; scorer = sklearn")
    for p in (Fraction(0), Fraction(1, 4), Fraction(1, 3), Fraction(1, 2)):
        assert BRIER.heavy(p).overlaps(BRIER.light(p) + BRIER.weight(p))
        assert BRIER.weight(p) <= own.span()
