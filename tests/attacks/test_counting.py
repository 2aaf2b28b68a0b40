"""Metrics of predicted classes through scikit-learn's own functions: known answers, every labeling, and the bounds.

Numbers of queries were worked out apart from the planner. A labeling without both classes has no score in some metrics.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product
from math import floor
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

from dsl import loads
from planner import plan
from planner.attacks.attack import InconsistentScores
from planner.attacks.counting.parameters import Counts
from planner.attacks.one_row.parameters import OneRow
from planner.catalogue import BY_ID, CATALOGUE
from planner.certify import certify
from planner.channel.channel import Channel, channel_of
from planner.channel.metrics import all_metrics
from planner.channel.metrics.counting import CountingMetric
from planner.considering import consider
from planner.designs.ones import Ones
from planner.limits import LIMITS, limits_of
from planner.model import Candidate, Status
from planner.numerics.reals import lower, working
from planner.report import Report
from tests.planner.bench import of_classes
from threatplan.verify import Unreadable, check

SCIKIT = {
    "accuracy": sk.accuracy_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "f1": sk.f1_score,
    "macro_f1": lambda y, x: sk.f1_score(y, x, average="macro"),
    "jaccard": sk.jaccard_score,
    "mcc": sk.matthews_corrcoef,
    "kappa": sk.cohen_kappa_score,
    "roc_auc": sk.roc_auc_score,
}
COUNTING: dict[str, CountingMetric] = {one.id: one for one in all_metrics() if isinstance(one, CountingMetric)}
TWO_CLASSES = {"mcc", "kappa", "roc_auc"}  # where labels that are all alike are not told


@cache
def report(text: str) -> Report:
    (scenario,) = loads("scenario board {\n" + text.replace("; ", "\n") + "\n}\n")
    return plan(scenario)


def channel(text: str) -> Channel:
    (scenario,) = loads("scenario board {\n" + text.replace("; ", "\n") + "\n}\n")
    return channel_of(scenario)


def attacks(text: str) -> dict[str, Candidate]:
    return {one.attack: one for one in report(text).candidates if one.certified is not None}


def by_counts(text: str) -> Candidate:
    """The plan that predicts classes, where ranks of an area under the curve may need fewer queries."""
    return next(one for one in report(text).candidates if one.attack == "counting")


def queries(candidate: Candidate | None) -> int:
    assert candidate is not None
    assert candidate.certified is not None
    return candidate.certified.queries


def labelings(N: int) -> Iterator[Any]:
    """Random, all 0, all 1, alternating, few ones, many ones."""
    coins = np.random.default_rng(N)
    yield coins.integers(0, 2, N)
    yield np.zeros(N, dtype=int)
    yield np.ones(N, dtype=int)
    yield np.arange(N) % 2
    few = np.zeros(N, dtype=int)
    few[coins.choice(N, max(1, N // 50), replace=False)] = 1
    yield few
    yield (coins.random(N) < 0.7).astype(int)


def told(metric: str, labels: Any) -> bool:
    return metric not in TWO_CLASSES or 0 < labels.sum() < len(labels)


class Board:
    """A metric of predicted classes, rounded or cut off, with a counter.

    scikit-learn checks a submission far longer than it scores it: its function answers the queries whose number is a power of
    two, the textbook's formula all others, and both must agree.
    """

    def __init__(self, metric: str, labels: Any, decimals: int | None, cut: bool = False) -> None:
        self.metric, self.labels, self.decimals, self.cut = metric, labels, decimals, cut
        self.asked = 0

    def __call__(self, u: Any) -> float:
        self.asked += 1
        score = self._score(u)
        if self.decimals is None:
            return score
        return floor(score * 10**self.decimals) / 10**self.decimals if self.cut else round(score, self.decimals)

    def _score(self, u: Any) -> float:
        score = float(of_classes(self.metric, self.labels, u))
        if self.asked & (self.asked - 1):
            return score
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            known = float(SCIKIT[self.metric](self.labels, u))
        assert known == pytest.approx(score, abs=1e-14)
        return known


# -- known answers -----------------------------------------------------------------------------------------

DESIGNED = {306: 97, 418: 123, 1000: 253, 5000: 1010, 10**4: 1880, 25_000: 4198, 10**5: 14_717}
NEUTRAL = {306: 78, 1000: 213, 5000: 873, 10**4: 1624, 25_000: 3680, 10**5: 13_047}


@pytest.mark.parametrize(("N", "most"), DESIGNED.items())
def test_queries_of_the_design(N, most):
    assert queries(report(f"N = {N}; metric = accuracy; decimals = 6").best) == most


@pytest.mark.parametrize(("N", "most"), NEUTRAL.items())
def test_queries_with_neutral_rows(N, most):
    found = queries(report(f"N = {N}; metric = accuracy; scorer = sklearn; decimals = 6").best)
    assert (
        found == most if N <= 1000 else 0.97 * most < found <= most
    )  # other designs of entries up to 1 may do with less


RUN = [
    ("accuracy", 306, 3), ("accuracy", 306, 4), ("accuracy", 1000, 4), ("f1", 306, 3), ("f1", 306, 4),
    ("jaccard", 306, 3), ("precision", 306, 3), ("macro_f1", 306, 4),
]  # fmt: skip
MORE = [
    *((metric, *board) for metric in ("accuracy", "f1", "jaccard", "precision")
      for board in ((306, 3), (306, 4), (1000, 4), (1000, 5)) if (metric, *board) not in RUN),
    ("macro_f1", 306, 5), ("macro_f1", 1000, 4), ("macro_f1", 1000, 5),
]  # fmt: skip


@pytest.mark.parametrize(("metric", "N", "decimals"), [*RUN, *MORE])
def test_every_kind_of_labeling_through_scikit_learn(metric, N, decimals, thorough, one_in):
    if (metric, N, decimals) in MORE and not thorough:
        return
    found = attacks(f"N = {N}; metric = {metric}; decimals = {decimals}")["counting"]
    attack = found.build()
    for labels in one_in(2, labelings(N), f"{metric} {decimals}"):
        score = Board(metric, labels, decimals)
        assert (attack.recover(score) == labels).all()
        assert score.asked == queries(found) == DESIGNED[N]


@pytest.mark.parametrize(("N", "decimals"), [(306, 3), (1000, 4), (306, 4), (1000, 5)])
def test_neutral_rows_through_scikit_learn(N, decimals, thorough, one_in):
    if (N, decimals) in ((306, 4), (1000, 5)) and not thorough:
        return
    found = report(f"N = {N}; metric = accuracy; scorer = sklearn; decimals = {decimals}").best
    assert queries(found) == NEUTRAL[N]
    for labels in one_in(2, labelings(N), f"{N}"):
        assert (found.build().recover(Board("accuracy", labels, decimals)) == labels).all()


@pytest.mark.parametrize("metric", ["balanced_accuracy", "recall", "mcc", "kappa", "roc_auc"])
def test_a_row_a_query_where_the_number_of_ones_is_not_told(metric):
    N, decimals = 60, 2
    found = report(f"N = {N}; metric = {metric}; decimals = {decimals}").best
    assert queries(found) == N + (metric == "balanced_accuracy")
    for labels in labelings(N):
        if told(metric, labels):
            assert (found.build().recover(Board(metric, labels, decimals)) == labels).all(), metric
    ones = 17
    known = by_counts(f"N = {N}; metric = {metric}; decimals = {decimals}; positives = {ones}")
    assert queries(known) == queries(report(f"N = {N}; metric = accuracy; decimals = {decimals}").best) == 27
    labels = (np.random.default_rng(5).permutation(N) < ones).astype(int)
    assert (known.build().recover(Board(metric, labels, decimals)) == labels).all()


def test_known_ones_of_a_thousand(thorough):
    labels = (np.random.default_rng(9).permutation(1000) < 300).astype(int)
    for metric in SCIKIT:
        found = by_counts(f"N = 1000; metric = {metric}; decimals = 5; positives = 300")
        assert queries(found) == 253
        if thorough:
            board = Board(metric, labels, 5)
            assert (found.build().recover(board) == labels).all()
            assert board.asked == 253


def test_macro_averages_of_all_ones_that_are_told_both_classes():
    """Told `labels`, scikit-learn shows 1/2 where it shows 1 otherwise: both mean that all labels are 1."""
    found = attacks("N = 40; metric = macro_f1; decimals = 4")["counting"]
    ones = np.ones(40, dtype=int)

    def score(u):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return round(float(sk.f1_score(ones, u, average="macro", labels=[0, 1])), 4)

    assert (found.build().recover(score) == 1).all()
    assert (found.build().recover(Board("macro_f1", ones, 4)) == 1).all()


# -- the bounds, against all counts --------------------------------------------------------------------------


def triples(N: int) -> Iterator[tuple[int, int, int]]:
    """(a, s, n1) with a + 1 possible too."""
    for s, n1 in product(range(1, N), range(N + 1)):
        for a in range(max(0, s - (N - n1)), min(s, n1)):
            yield a, s, n1


def defined(metric: CountingMetric, n1: int, N: int) -> bool:
    return metric.one_class or 0 < n1 < N


@pytest.mark.parametrize("id", COUNTING)
def test_steps_are_bounds_and_nearly_reached(id):
    metric = COUNTING[id]
    for N in (2, 3, 4, 5, 8, 13):
        found = {
            (a, s, n1): metric.score(a + 1, s, n1, N) - metric.score(a, s, n1, N)
            for a, s, n1 in triples(N)
            if defined(metric, n1, N)
        }
        least = min(found.values())
        room = Fraction(1, 2**80)  # roots
        assert metric.step(N, None) <= least + room
        assert least <= metric.step(N, None) * 3
        for n1 in range(1, N):
            own = min(value for (_, _, ones), value in found.items() if ones == n1)
            assert metric.step(N, None) <= metric.step(N, n1) + room or metric.step(N, n1) <= own + room
            assert metric.step(N, n1) <= own + room


@pytest.mark.parametrize("id", COUNTING)
def test_the_number_of_ones_and_single_rows_against_all_labelings(id):
    metric = COUNTING[id]
    for N in (2, 3, 6, 11, 30):
        if metric.ones_step(N) is not None:
            scores = [metric.score(n1, N, n1, N) for n1 in range(N + 1)]
            steps = [after - before for before, after in pairwise(scores)]
            assert min(steps) == metric.ones_step(N) if id != "macro_f1" else min(steps) > metric.ones_step(N)
            assert [metric.ones(score, N) for score in scores] == list(range(N + 1))
        if metric.single(N) is not None:
            ones = [n1 for n1 in range(N + 1) if defined(metric, n1, N)]
            highest = max(metric.score(0, 1, n1, N) for n1 in ones if n1 < N)
            lowest = min(metric.score(1, 1, n1, N) for n1 in ones if n1 > 0)
            room = Fraction(1, 2**80)
            assert abs(metric.single(N)[0] - highest) <= room
            assert abs(metric.single(N)[1] - lowest) <= room


@pytest.mark.parametrize("id", [id for id, one in COUNTING.items() if one.pair(4) is not None and one.one_class])
def test_two_labelings_are_as_near_as_is_said_and_none_nearer(id):
    """Brute force over all pairs of labelings and all submissions: the threshold of I2 is sharp."""
    metric = COUNTING[id]
    for N in (3, 4, 6):
        masks = range(2**N)
        table = np.array(
            [[float(metric.score((y & x).bit_count(), x.bit_count(), y.bit_count(), N)) for x in masks] for y in masks]
        )
        apart = min(np.abs(table[one] - table[other]).max() for one in masks for other in range(one))
        assert apart == pytest.approx(float(metric.pair(N)))


@pytest.mark.parametrize("N", [3, 4, 5, 6])
def test_two_labelings_are_as_near_in_the_area_as_is_said_and_none_nearer(N):
    """Brute force over all ranks with ties: of labels with both classes, and of those with so many ones."""
    labels = [y for y in product((0, 1), repeat=N) if 0 < sum(y) < N]
    ranks = [u for u in product(range(N), repeat=N) if set(u) == set(range(max(u) + 1))]
    if N == 6:
        ranks = ranks[::37] + list(permutations(range(N)))
    areas = np.array([[_area(y, u) for u in ranks] for y in labels])
    apart = {
        (one, other): float(np.abs(areas[one] - areas[other]).max())
        for one in range(len(labels))
        for other in range(one)
    }
    assert min(apart.values()) == pytest.approx(float(COUNTING["roc_auc"].pair(N)))
    for n1 in range(1, N):
        same = [found for pair, found in apart.items() if {sum(labels[one]) for one in pair} == {n1}]
        assert min(same) == pytest.approx(float(COUNTING["roc_auc"].swap(N, n1)))


def _area(labels: tuple[int, ...], u: tuple[int, ...]) -> float:
    pairs = [(u[i], u[j]) for i in range(len(u)) for j in range(len(u)) if labels[i] > labels[j]]
    return sum(1.0 if a > b else 0.5 if a == b else 0.0 for a, b in pairs) / len(pairs)


@pytest.mark.parametrize("id", [id for id in COUNTING if id not in ("accuracy", "roc_auc")])
def test_a_swap_moves_a_score_no_farther_than_is_said(id):
    """Brute force over all submissions of classes and all labelings of so many ones; sharp but for the Jaccard index."""
    metric = COUNTING[id]
    for N in (3, 4, 6):
        for n1 in range(1, N):
            tables = [
                (metric.score(a, s, n1, N), metric.score(a + 1, s, n1, N))
                for s in range(1, N)
                for a in range(max(0, s - N + n1), min(s, n1))
            ]
            most = max(abs(float(two - one)) for one, two in tables)
            said = float(metric.swap(N, n1))
            assert most <= said * (1 + 1e-12)
            assert id == "jaccard" or said == pytest.approx(most)


@pytest.mark.parametrize("id", [id for id in COUNTING if id != "accuracy"])
def test_noise_that_hides_a_swap_where_the_ones_are_counted(id):
    """Just above the edge nothing is told, and the checker says so too; just below it the proof is silent."""
    N, n1 = 6, 2
    edge = max(COUNTING[id].swap(N, n1), COUNTING[id].swap(N, N - n1)) / 2
    for factor, hidden in ((Fraction(10**6 + 1, 10**6), True), (Fraction(999, 1000), False)):
        tau = (edge * factor).limit_denominator(10**12)
        found = report(f"N = {N}; metric = {id}; positives = {n1}; noise = bounded({tau.numerator}/{tau.denominator})")
        assert {one.id: one.excludes_all for one in found.limits}["I2"] == hidden
        assert check(json.loads(json.dumps(found.to_json()))).faults == ()
    alone = report(f"N = {N}; metric = {id}; positives = 0; noise = bounded(1)")
    assert not {one.id: one.excludes_all for one in alone.limits}["I2"]


@pytest.mark.parametrize("id", ["roc_auc", "balanced_accuracy"])
@pytest.mark.parametrize("N", [4, 5, 50])
def test_noise_that_hides_a_label_of_balanced_classes(id, N):
    for factor, hidden in ((Fraction(10**6 + 1, 10**6), True), (Fraction(999, 1000), False)):
        tau = factor / (N + N % 2)
        found = report(f"N = {N}; metric = {id}; noise = bounded({tau.numerator}/{tau.denominator})")
        assert {one.id: one.excludes_all for one in found.limits}["I2"] == hidden
        assert check(json.loads(json.dumps(found.to_json()))).faults == ()


@pytest.mark.parametrize("id", COUNTING)
def test_formulas_are_those_of_scikit_learn(id):
    metric, coins = COUNTING[id], np.random.default_rng(2)
    for N in (2, 5, 40, 400):
        for _ in range(12):
            labels, u = coins.integers(0, 2, N), coins.integers(0, 2, N)
            a, s, n1 = int((labels & u).sum()), int(u.sum()), int(labels.sum())
            if not 0 < n1 < N or not 0 < s < N:
                continue
            score = metric.score(a, s, n1, N)
            assert float(score) == pytest.approx(Board(id, labels, None)(u), abs=1e-14)
            assert float(metric.count(score, s, n1, N)) == pytest.approx(a)


# -- every labeling, every error -----------------------------------------------------------------------------

SMALL = [
    *(f"N = 7; metric = {id}; decimals = 2" for id in COUNTING),
    *(f"N = 6; metric = {id}; noise = bounded(1/60)" for id in COUNTING),
    *(f"N = 6; metric = {id}; positives = 2; decimals = 1; noise = bounded(1/60)" for id in ("f1", "roc_auc")),
    "N = 7; metric = accuracy; abstain = yes; noise = bounded(1/15)",
    "N = 8; metric = accuracy; goal = 60%; decimals = 2",
    "N = 8; metric = f1; goal = 60%; phi = arbitrary; noise = bounded(1/40)",
    "N = 7; metric = precision; decimals = truncated(2)",
    "N = 7; metric = jaccard; noise = multiplicative(0.05)",
    "N = 7; metric = recall; decimals = significant(2)",
]


@pytest.mark.parametrize("text", SMALL)
def test_every_labeling_of_a_small_board_at_the_certified_edge(text, one_in):
    """Every score off by .999 of the certified error: upward, downward, and to either side in turn."""
    certified = {name: one for name, one in attacks(text).items() if name in ("counting", "one-row")}
    assert certified
    for candidate in certified.values():
        own, attack = candidate.channel, candidate.build()
        metric = own.metric
        with working(200):
            errors = [lower(metric.error(own, queries(candidate), one)) * 999 / 1000 for one in (False, True)]
        for hidden, side in one_in(5, product(product((0, 1), repeat=own.rows), (1, -1, 0)), text):
            labels = np.array(hidden)
            if not told(metric.id, labels) or (own.exactly and labels.sum() != own.radius):
                continue
            turn = [1]

            def score(u, labels=labels, side=side, turn=turn, own=own, metric=metric, errors=errors):
                turn[0] = -turn[0]
                lattice = metric.id == "accuracy" or (u.all() and metric.ones_on_lattice)
                return of_classes(metric.id, labels, u) + own.centre + (side or turn[0]) * errors[bool(lattice)]

            found = attack.recover(score)
            spoken = found >= 0
            assert spoken.sum() >= own.wanted
            assert (found[spoken] == labels[spoken]).all(), (candidate.attack, hidden, side)


def test_all_labelings_of_small_designs():
    for M in range(1, 6):
        design = Ones(M)
        n = design.capacity()
        rows = np.array([design.row(t, n) for t in range(M)])
        assert rows[0].all()
        assert not rows[1:].all(axis=1).any()
        for x in product((0, 1), repeat=n):
            counts = rows @ np.array(x)
            assert (design.scores(np.array(x)) == counts).all()
            assert (design.decode(counts, n) == x).all()


@pytest.mark.parametrize("n", [1, 2, 7, 30, 97, 300])
def test_designs_of_fewer_labels_than_they_hold(n):
    M = next(M for M in range(1, 200) if Ones(M).capacity() >= n)
    coins = np.random.default_rng(n)
    for labels in (coins.integers(0, 2, n), np.ones(n, dtype=int), np.zeros(n, dtype=int)):
        counts = np.array([int(Ones(M).row(t, n) @ labels) for t in range(M)])
        assert (Ones(M).scores(labels) == counts).all()
        assert (Ones(M).decode(counts, n) == labels).all()


# -- past what is certified ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "most"),
    [("accuracy", 100), ("precision", 100), ("jaccard", 100), ("f1", 50), ("macro_f1", 25)],
)
def test_as_many_rows_as_decimals_tell_and_not_one_more(metric, most):
    assert "counting" in attacks(f"N = {most}; metric = {metric}; decimals = 2")
    assert "counting" not in attacks(f"N = {most + 1}; metric = {metric}; decimals = 2")


def test_decimals_that_hide_nothing_hide_noise_all_the_same():
    """k/100 is shown as it is, but not what noise makes of it."""
    assert "counting" in attacks("N = 100; metric = accuracy; decimals = 2")
    assert "counting" not in attacks("N = 100; metric = accuracy; decimals = 2; noise = bounded(0.002)")


def test_as_many_neutral_rows_as_decimals_tell_and_not_one_more():
    assert "counting" in attacks("N = 100; metric = accuracy; abstain = yes; decimals = 2")
    assert "counting" not in attacks("N = 101; metric = accuracy; abstain = yes; decimals = 2")
    assert "counting" in attacks("N = 10; metric = accuracy; abstain = yes; noise = bounded(0.0499)")
    assert "counting" not in attacks("N = 10; metric = accuracy; abstain = yes; noise = bounded(0.0501)")


@pytest.mark.parametrize(
    ("metric", "most"), [("recall", 99), ("roc_auc", 100), ("balanced_accuracy", 100), ("mcc", 200)]
)
def test_as_many_single_rows_as_decimals_tell(metric, most):
    assert "one-row" in attacks(f"N = {most}; metric = {metric}; decimals = 2")
    assert "one-row" not in attacks(f"N = {most + 1}; metric = {metric}; decimals = 2")


@pytest.mark.parametrize(
    ("metric", "edge"), [("accuracy", "1/10"), ("recall", "1/12"), ("balanced_accuracy", "10/96"), ("f1", "1/15")]
)
def test_a_known_number_of_ones_is_read_to_the_edge_of_its_steps(metric, edge):
    """Of 10 labels 4 are of one class: steps are 2/10, 1/6 or more, 10/48, and 2/(9 + 6) or more."""
    text = f"N = 10; metric = {metric}; positives = 4; noise = bounded({edge} * {{}})"
    assert "counting" in attacks(text.format("0.999"))
    assert "counting" not in attacks(text.format("1.001"))


def test_scores_that_are_cut_off_need_one_row_less():
    """k/100 cut off after two digits may lose a whole one in floats: .29 * 100 is 28.999999999999996."""
    assert "counting" in attacks("N = 99; metric = accuracy; decimals = truncated(2)")
    assert "counting" not in attacks("N = 100; metric = accuracy; decimals = truncated(2)")
    found = attacks("N = 99; metric = accuracy; decimals = truncated(2)")["counting"]
    for labels in labelings(99):
        assert (found.build().recover(Board("accuracy", labels, 2, cut=True)) == labels).all()


@pytest.mark.parametrize(("metric", "N"), [("accuracy", 180), ("f1", 90), ("jaccard", 180)])
def test_with_rows_that_decimals_do_not_tell_it_goes_wrong(metric, N):
    """Otherwise these tests could not see a failure."""
    own = channel(f"N = {N}; metric = {metric}; decimals = 2")
    M = next(M for M in range(1, 200) if Ones(M).capacity() >= N)
    parameters = Counts(M, N, Ones(M), neutral=False, first=False)
    assert not certify(own, parameters).holds
    attack, wrong = BY_ID["counting"].build(own, parameters), 0
    for labels in labelings(N):
        try:
            wrong += int((attack.recover(Board(metric, labels, 2)) != labels).sum())
        except InconsistentScores:
            wrong += N
    assert wrong > 0


def test_changed_records_are_refused():
    own = channel("N = 306; metric = accuracy; decimals = 4")
    found = attacks("N = 306; metric = accuracy; decimals = 4")["counting"].certified.certificate.parameters
    assert certify(own, found).holds
    for other in (
        replace(found, labels=found.design.capacity() + 1),
        replace(found, queries=found.queries - 1),
        replace(found, design=Ones(found.design.M - 1), queries=found.queries - 1),
        replace(found, neutral=True),
    ):
        assert not certify(own, other).holds
    some = replace(own, wanted=305)
    assert not certify(some, replace(found, labels=305)).holds  # nobody tells how many labels are 1
    assert certify(some, replace(found, labels=305, first=True, queries=found.queries + 1)).holds
    neutral = attacks("N = 306; metric = accuracy; abstain = yes; decimals = 4")["counting"]
    parameters = neutral.certified.certificate.parameters
    assert not certify(own, parameters).holds
    abstaining = channel("N = 306; metric = accuracy; abstain = yes; decimals = 4")
    assert certify(abstaining, parameters).holds
    assert not certify(abstaining, replace(parameters, neutral=False)).holds


@pytest.mark.parametrize("metric", SCIKIT)
def test_scores_of_another_board_are_refused(metric):
    found = report(f"N = 60; metric = {metric}; decimals = 4").best
    coins = np.random.default_rng(0)
    with pytest.raises(InconsistentScores):
        found.build().recover(lambda u: float(coins.random()))
    with pytest.raises(InconsistentScores):
        found.build().recover(lambda u: float("nan"))
    for constant in (2.0, -1.0, 0.123):
        with pytest.raises(InconsistentScores):
            found.build().recover(lambda u, constant=constant: constant)


def test_labels_that_are_all_alike_are_told_by_the_control_alone():
    """All of them told to be 1: no row tells its label by itself, and no control may be left out."""
    own = channel("N = 12; metric = balanced_accuracy; decimals = 3")
    parameters = OneRow(13, 12, control=True)
    assert certify(own, parameters).holds
    assert not certify(own, replace(parameters, queries=12, control=False)).holds
    told = channel("N = 12; metric = balanced_accuracy; decimals = 3; positives = 12")
    assert not certify(told, replace(parameters, queries=12, control=False)).holds
    both = channel("N = 12; metric = balanced_accuracy; decimals = 3; positives = 5")
    assert certify(both, replace(parameters, queries=12, control=False)).holds


@pytest.mark.parametrize("metric", ["accuracy", "f1", "recall"])
def test_scores_a_little_beyond_the_error_are_refused(metric):
    """The nearest count is still the true one: it does not explain what is seen."""
    found = report(f"N = 12; metric = {metric}; noise = bounded(1/1000)").best
    labels = np.arange(12) % 2

    def score(u, off):
        return float(of_classes(metric, labels, u)) + off

    assert (found.build().recover(lambda u: score(u, 0.0009)) == labels).all()
    for off in (0.002, -0.002):
        with pytest.raises(InconsistentScores):
            found.build().recover(lambda u, off=off: score(u, off))


def test_another_number_of_ones_than_was_told_is_noticed():
    found = report("N = 60; metric = accuracy; decimals = 4; positives = 20").best
    labels = (np.arange(60) < 21).astype(int)
    with pytest.raises(InconsistentScores):
        found.build().recover(Board("accuracy", labels, 4))


# -- what is refused, and what is excluded -------------------------------------------------------------------------


@pytest.mark.parametrize("metric", all_metrics(), ids=lambda one: one.id)
def test_attacks_and_limits_need_what_they_name(metric):
    """Every attack and limit that does not name what a metric is refuses it by its field."""
    assert metric.weighs or metric.counts or metric.squares
    for text in ("N = 12", "N = 12; decimals = 2", "N = 12; noise = bounded(1)", "N = 12; noise = gaussian(1)"):
        own = channel(f"{text}; metric = {metric.id}")
        assert not own.unknown
        for theorem in CATALOGUE:
            found = consider(theorem, own)
            if not theorem.scope.fits(own):
                assert found.status is Status.REFUSED, theorem.id
                assert [reason.field for reason in found.reasons] in (["metric"], ["release"])
        for theorem, limit in zip(LIMITS, limits_of(own), strict=True):
            if not theorem.serves(own):
                assert limit.queries is None
                assert not limit.excludes_all
                assert "metric" in limit.why


@pytest.mark.parametrize("field", ["K", "phi", "score_phi", "predictions", "abstain"])
def test_what_nobody_has_a_word_for_is_refused_by_its_name(field):
    from dsl.scenario import Ieee

    changes = {
        "K": {"classes": 3, "columns": 3},
        "phi": {"precision": Ieee(32), "score_precision": Ieee(32)},
        "score_phi": {"score_precision": Ieee(32)},
        "predictions": {"predictions": "probability"},
        "abstain": {"abstain": True},
    }
    own = replace(channel("N = 12; metric = f1; decimals = 2"), **changes[field])
    assert field in own.unknown
    for theorem in CATALOGUE:
        assert consider(theorem, own).certified is None
    for limit in limits_of(own):
        assert limit.queries is None
        assert not limit.excludes_all


EDGE = {
    "accuracy": lambda N: Fraction(1, 2 * N),
    "recall": lambda N: Fraction(1, 2 * N),
    "jaccard": lambda N: Fraction(1, 2 * N),
    "f1": lambda N: Fraction(1, N + 1),
    "precision": lambda N: Fraction(1, 2),
}


@pytest.mark.parametrize("metric", EDGE)
@pytest.mark.parametrize("N", [4, 6, 50])
def test_noise_that_hides_a_label_and_noise_just_below(metric, N):
    """I2 is sharp: at the edge no number of queries suffices, below it N queries do."""
    edge = EDGE[metric](N)
    tau = edge * Fraction(10**6 + 1, 10**6)
    hidden = report(f"N = {N}; metric = {metric}; noise = bounded({tau.numerator}/{tau.denominator})")
    assert hidden.verdict.value == "impossible"
    tau = edge * Fraction(999, 1000)
    shown = report(f"N = {N}; metric = {metric}; noise = bounded({tau.numerator}/{tau.denominator})")
    assert shown.verdict.value == "feasible"


def test_limits_of_accuracy():
    """Of 1000 rows: 1001 answers, the entropy of a count of all of them, and given that of a count of half of them."""
    text = "N = {}; metric = accuracy; decimals = 6; adaptive = no; confidence = 1 - 1e-12; abstain = {}"
    found = {one.id: one.queries for one in report(text.format(1000, "yes")).limits}
    assert found["I1"] == 101
    assert found["I3"] == 166
    assert 160 <= found["I6"] <= 166
    for N, least in ((1000, 199), (10**4, 1495), (10**5, 11_974)):
        assert {one.id: one.queries for one in report(text.format(N, "no")).limits}["I3"] == least
    assert (
        report("N = 1000; metric = accuracy; decimals = 4; adaptive = no; queries <= 195").verdict.value == "impossible"
    )


def test_scores_of_small_boards_carry_no_more_than_is_said():
    """The entropy of all scores of random submissions, over all labelings."""
    from math import log2

    from planner.limits.entropy import later_bits, score_bits

    N, coins = 10, np.random.default_rng(4)
    own = channel(f"N = {N}; metric = accuracy; decimals = 4; adaptive = no")
    labels = np.array(list(product((0, 1), repeat=N)))
    step = own.metric.lattice(own)
    with working(80):
        first, later = float(score_bits(own, step)), float(later_bits(own, step))
    for M in (1, 2, 3, 4):
        for _ in range(20):
            asked = coins.integers(0, 2, (M, N))
            if M > 1 and _ % 2:  # halves of the first, which tell most
                asked[1:] = [np.where(coins.permutation(N) < N // 2, 1 - asked[0], asked[0]) for _ in range(M - 1)]
            shown = [(labels == one).sum(axis=1) for one in asked]
            _, counts = np.unique(np.stack(shown, axis=1), axis=0, return_counts=True)
            bits = -sum(c / 2**N * log2(c / 2**N) for c in counts.tolist())
            assert bits <= first + (M - 1) * later


def test_an_accuracy_of_classes_that_do_not_exist_is_said_to_be_refused():
    assert "a class that does not exist is refused" in report("N = 12; metric = accuracy").assumes
    assert "a class that does not exist is refused" not in report("N = 12; metric = accuracy; abstain = yes").assumes


# -- the flat cell -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("N", "decimals", "least"), [(600, 1, 63), (1000, 1, 578), (2000, 1, 118_244), (40_000, 2, 22)]
)
def test_balanced_labels_in_a_flat_cell(N, decimals, least):
    found = report(f"N = {N}; metric = accuracy; decimals = {decimals}; confidence = 1 - 1e-12").limits
    assert {one.id: one.queries for one in found}["I9"] == least
    for other in ("abstain = yes", "noise = gaussian(1e-9)", "positives = 50%", f"decimals = truncated({decimals})"):
        shown = "" if "truncated" in other else f"decimals = {decimals}; "
        silent = report(f"N = {N}; metric = accuracy; {shown}{other}").limits
        assert {one.id: one.queries for one in silent}["I9"] is None


def test_the_tail_of_the_flat_cell_is_a_bound():
    """Against the sum of all terms, and against what submissions really show."""
    from math import comb

    from planner.limits.flat import upper_tail

    for N in (10, 101, 700):
        for first in range(N // 2 + 1, N + 1, 7):
            exact = Fraction(sum(comb(N, k) for k in range(first, N + 1)), 2**N)
            with working(100):
                bound = lower(upper_tail(N, first))
            assert exact * Fraction(999_999, 10**6) <= bound <= exact * Fraction(1001, 1000)
    own = channel("N = 600; metric = accuracy; decimals = 1")
    coins = np.random.default_rng(1)
    shown = [round(float((coins.integers(0, 2, 600) == coins.integers(0, 2, 600)).mean()), 1) for _ in range(20_000)]
    from planner.limits.flat import first_outside

    with working(100):
        p = float(2 * upper_tail(600, first_outside(own)))
    assert np.mean(np.array(shown) != 0.5) == pytest.approx(p, rel=0.2)


# -- defects, by name --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "N = 9; metric = f1; noise = bounded(2941/100000)",  # steps of n1 are 1/17
        "N = 1; metric = f1; noise = uniform(-7/20, 7/20); decimals = significant(2)",
        "N = 1; metric = macro_f1; noise = bounded(249/1000)",
        "N = 5; metric = jaccard; positives = 2; noise = bounded(1249/10000)",  # steps of a are 1/4
    ],
)
def test_half_a_step_of_a_score_is_not_half_a_count(text):
    """A count that was solved for and rounded was a neighbour of the right one, whose score is nearer: a plan failed."""
    candidate = attacks(text)["counting"]
    own, attack = candidate.channel, candidate.build()
    with working(200):
        error = lower(own.metric.error(own, queries(candidate))) * 999 / 1000
    for ones in range(own.rows + 1):
        if own.exactly and ones != own.radius:
            continue
        labels = (np.arange(own.rows) < ones).astype(int)
        for side in (1, -1):
            shown = attack.recover(
                lambda u, labels=labels, side=side: of_classes(own.metric.id, labels, u) + own.centre + side * error
            )
            assert (shown == labels).all(), (ones, side)


@pytest.mark.parametrize(
    "text", ["N = 1; metric = kappa; noise = bounded(2)", "N = 2; metric = roc_auc; noise = bounded(1)"]
)
def test_a_score_that_is_no_number_is_an_answer(text):
    """No noise hides nan: one row predicted 0 is scored nan in kappa if its label is 0, else 0, which tells it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.isnan(sk.cohen_kappa_score([0], [0]))
        assert sk.cohen_kappa_score([1], [0]) == 0
        assert np.isnan(sk.roc_auc_score([1, 1], [0, 1]))
    found = report(f"{text}; confidence = 30%")
    assert found.verdict.value == "unknown"
    assert check(json.loads(json.dumps(found.to_json()))).holds
    told = report("N = 2; positives = 1; metric = kappa; noise = bounded(2)")  # both classes: there is no nan
    assert told.verdict.value == "impossible"
    assert check(json.loads(json.dumps(told.to_json()))).holds


def test_a_control_that_the_metric_does_not_have_is_refused():
    """Precision of nine ones in ten, read as 1 within an error of 1/5, was told to be that of ten: by a changed record."""
    text = "N = 10; metric = precision; noise = bounded(1/5)"
    own, found = channel(text), attacks(text)["one-row"].certified.certificate.parameters
    assert certify(own, found).holds
    assert not certify(own, replace(found, control=True, queries=found.queries + 1)).holds
    entry = json.loads(json.dumps(report(text).to_json()))
    for one in entry["candidates"]:
        if one["attack"] == "one-row":
            one["certified"]["parameters"] |= {"control": True, "queries": found.queries + 1}
    with pytest.raises(Unreadable, match="no control"):
        check(entry)


def test_a_guess_does_not_tell_the_number_of_ones():
    """Five labelings are within one of 0011, and F1 of 1010 tells them all: one query was said to be impossible."""
    near = [
        labels
        for labels in product((0, 1), repeat=4)
        if sum(a != b for a, b in zip(labels, (0, 0, 1, 1), strict=True)) <= 1
    ]
    assert len({round(sk.f1_score(labels, (1, 0, 1, 0), zero_division=0), 9) for labels in near}) == len(near) == 5
    found = report("N = 4; metric = f1; guess = 75%; queries <= 1")
    assert found.verdict.value == "unknown"
    assert found.ceiling.fraction == 1
    entry = json.loads(json.dumps(found.to_json()))
    assert check(entry).holds
    limit = next(one for one in entry["limits"] if one["id"] == "I1")
    limit |= {"queries": 2, "parameters": {"answers": 2, "radius": 1, "exactly": True}}  # as it was
    assert any("I1" in fault for fault in check(entry).faults)


@pytest.mark.parametrize("positives", [0, 5])
def test_labels_that_are_said_to_be_all_alike_have_no_score_that_tells_them(positives):
    """One row a query was certified for them, and divided by nothing when it explained what it had seen."""
    found = attacks(f"N = 5; metric = mcc; decimals = significant(5); positives = {positives}")
    assert "one-row" not in found
