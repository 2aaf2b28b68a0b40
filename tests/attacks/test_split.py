"""A secret part of the rows is scored: labels, and which rows these are, through scikit-learn's own log_loss."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from backends.simulate import simulate
from dsl import loads
from dsl.numbers import Real
from dsl.scenario import Between, Bounded, Decimals, Scenario
from planner import plan
from planner.attacks.attack import NOT_SCORED, InconsistentScores
from planner.attacks.split_design.theorem import SplitDesigns
from planner.attacks.split_labels.theorem import SplitLabelsOnce
from planner.attacks.split_peel.certify import later_error
from planner.attacks.split_peel.certify import prove as prove_peeling
from planner.attacks.split_peel.theorem import SplitPeeling
from planner.certify import certify
from planner.considering import consider
from planner.model import Status, Verdict
from planner.numerics.reals import upper, working
from tests.attacks.leaderboard import Leaderboard, channel

LABELS = [(198, 59, 5, 13), (506, 198, 5, 32), (1372, 412, 4, 109), (1372, 412, 3, 147)]
BOTH = [(198, 59, 5, 19), (506, 198, 5, 50), (1372, 412, 4, 166), (1372, 412, 3, 222)]
SIGNS = [(60, 20, 40), (128, 30, 74), (200, 30, 107)]


def there(N, n, decimals, columns=2, **more):
    return channel(N, decimals, columns=columns, public=n, **more)


def both(N, n, decimals, columns=2, **more):
    return there(N, n, decimals, columns, find="labels_and_split", **more)


def splits(N, n):
    """Labels and scored rows: random, of one class, few ones, and the first rows."""
    coins = np.random.default_rng(N + n)
    some = np.sort(coins.permutation(N)[:n])
    yield coins.integers(0, 2, N), some
    yield np.ones(N, dtype=int), some
    yield (coins.random(N) < 0.03).astype(int), np.arange(n)


class Part(Leaderboard):
    """A leaderboard that sees the scored rows alone."""

    def __init__(self, labels, rows, decimals, **more):
        super().__init__(labels[rows], decimals, **more)
        self.rows = rows

    def __call__(self, u):
        return super().__call__(u[self.rows])


def wanted(labels, rows, outside):
    found = np.full(len(labels), outside)
    found[rows] = labels[rows]
    return found


@pytest.mark.parametrize(("N", "n", "decimals", "most"), LABELS)
def test_labels_alone(N, n, decimals, most):
    attack = consider(SplitLabelsOnce(), there(N, n, decimals)).build()
    for labels, rows in splits(N, n):
        board = Part(labels, rows, decimals)
        assert (attack.recover(board) == wanted(labels, rows, 0)).all()
        assert board.asked == attack.parameters.queries <= most


@pytest.mark.parametrize(("N", "n", "decimals", "most"), BOTH)
def test_labels_and_split(N, n, decimals, most):
    attack = consider(SplitDesigns(), both(N, n, decimals)).build()
    for labels, rows in splits(N, n):
        board = Part(labels, rows, decimals)
        assert (attack.recover(board) == wanted(labels, rows, NOT_SCORED)).all()
        assert board.asked == attack.parameters.queries <= most


@pytest.mark.parametrize("decimals", [5, 3, None])
@pytest.mark.parametrize(("N", "n"), [(60, 1), (60, 59), (40, 20)])
def test_one_column(N, n, decimals):
    for theorem, outside in ((SplitLabelsOnce(), 0), (SplitDesigns(), NOT_SCORED)):
        attack = consider(theorem, there(N, n, decimals, columns=1)).build()
        for labels, rows in splits(N, n):
            assert (attack.recover(Part(labels, rows, decimals)) == wanted(labels, rows, outside)).all()


@pytest.mark.parametrize(("N", "n", "most"), SIGNS)
def test_signs_alone_tell_everything_up_to_the_limit(N, n, most):
    """Whole numbers: half a unit, n times over, is just below half of W."""
    attack = consider(SplitDesigns(), both(N, n, 0)).build()
    assert attack.parameters.seed.high == 1
    for labels, rows in splits(N, n):
        board = Part(labels, rows, 0)
        assert (attack.recover(board) == wanted(labels, rows, NOT_SCORED)).all()
        assert board.asked <= most


def test_ten_thousand_rows():
    labels, rows = next(splits(10_000, 3000))
    attack = consider(SplitLabelsOnce(), there(10_000, 3000, 5)).build()
    board = Part(labels, rows, 5)
    assert (attack.recover(board) == wanted(labels, rows, 0)).all()
    assert board.asked <= 691
    assert consider(SplitDesigns(), both(10_000, 3000, 5)).certified.queries <= 1072
    assert consider(SplitDesigns(), both(25_000, 7500, 5)).certified.queries <= 2798


@pytest.mark.parametrize(("N", "n", "K", "decimals"), [(40, 15, 3, 4), (30, 29, 4, 5), (30, 1, 10, 4), (60, 20, 5, 3)])
def test_several_classes(N, n, K, decimals):
    attack = consider(SplitLabelsOnce(), channel(N, decimals, columns=K, K=K, public=n)).build()
    coins = np.random.default_rng(K)
    rows = np.sort(coins.permutation(N)[:n])
    for labels in (coins.integers(0, K, N), np.zeros(N, dtype=int), np.full(N, K - 1), np.arange(N) % K):
        assert (attack.recover(Part(labels, rows, decimals)) == wanted(labels, rows, 0)).all()


PEELED = [(40, 15, 3, 4), (30, 29, 4, 5), (30, 1, 10, 4), (60, 20, 5, 3), (25, 12, 6, 2)]


@pytest.mark.parametrize("find", ["labels", "labels_and_split"])
@pytest.mark.parametrize(("N", "n", "K", "decimals"), PEELED)
def test_classes_are_peeled(N, n, K, decimals, find):
    found = consider(SplitPeeling(), channel(N, decimals, columns=K, K=K, public=n, find=find))
    attack, outside = found.build(), NOT_SCORED if find == "labels_and_split" else 0
    coins = np.random.default_rng(K)
    rows = np.sort(coins.permutation(N)[:n])
    for labels in (coins.integers(0, K, N), np.zeros(N, dtype=int), np.full(N, K - 1), np.arange(N) % K):
        board = Part(labels, rows, decimals)
        assert (attack.recover(board) == wanted(labels, rows, outside)).all()
        assert board.asked <= found.certified.queries


def test_peeling_takes_fewer_queries_than_every_digit_of_every_row():
    for N, n, K, decimals, most, whole in ((512, 154, 3, 5, 42, 65), (1372, 412, 10, 4, 213, 293)):
        there = channel(N, decimals, columns=K, K=K, public=n)
        assert consider(SplitPeeling(), there).certified.queries <= most
        assert most < consider(SplitLabelsOnce(), there).certified.queries
        assert consider(SplitPeeling(), replace(there, membership=True)).certified.queries <= whole


def test_every_state_of_three_classes(one_in):
    for n in (1, 2, 3):
        attack = consider(SplitPeeling(), channel(4, 2, columns=3, K=3, public=n, find="labels_and_split")).build()
        for state in one_in(3, product((NOT_SCORED, 0, 1, 2), repeat=4), f"{n}"):
            rows = np.flatnonzero(np.array(state) >= 0)
            if len(rows) == n:
                assert (attack.recover(Part(np.array(state), rows, 2)) == state).all()


def test_peeling_notices_another_number_of_scored_rows():
    attack = consider(SplitPeeling(), channel(60, 4, columns=3, K=3, public=20, find="labels_and_split")).build()
    coins = np.random.default_rng(9)
    for n in (7, 19, 21, 60):
        with pytest.raises(InconsistentScores):
            attack.recover(Part(coins.integers(0, 3, 60), np.sort(coins.permutation(60)[:n]), 4))


@pytest.mark.parametrize(("K", "n"), [(3, 7), (3, 12), (6, 9)])
@pytest.mark.parametrize("sign", [1, -1, 0])
def test_peeling_bears_noise_at_the_bound(K, n, sign):
    """Of one class, of none, of all, always one way or by a coin: each number of members has its designs."""
    tau, coins = 0.02, np.random.default_rng(K)
    noise = Bounded(Real.of(tau))
    found = consider(SplitPeeling(), channel(14, 3, columns=K, K=K, public=n, find="labels_and_split", noise=noise))
    attack, N = found.build(), 14
    assert len(attack.parameters.members) > 1
    for labels in (coins.integers(0, K, N), np.zeros(N, int), np.full(N, K - 1), coins.integers(1, K, N)):
        rows = np.sort(coins.permutation(N)[:n])
        board = Part(labels, rows, 3, noise=lambda: 0.999 * tau * (sign or coins.choice([-1, 1])))
        assert (attack.recover(board) == wanted(labels, rows, NOT_SCORED)).all()
        assert board.asked <= found.certified.queries


def test_one_step_further_peeling_is_not_certified():
    there = channel(60, 3, columns=6, K=6, public=20, find="labels_and_split")
    p = consider(SplitPeeling(), there).certified.certificate.parameters
    assert certify(there, p).holds
    for worse in (
        replace(p, queries=p.queries - 1),
        replace(p, members=p.members[:-1], others=p.others[:-1]),
        replace(p, members=p.members[::-1], queries=p.queries),
        replace(p, others=p.others[::-1]),
        replace(p, others=p.others[1:]),
        replace(p, others=(p.others[-1],) * len(p.others)),  # too small for the rows that few members leave
        replace(p, members_gap=p.members_gap * 2),
        replace(p, members_gap=p.members_gap / 40),
        replace(p, others_gap=p.others_gap * 2),
        replace(p, others_gap=p.others_gap / 40),
        replace(p, others_centre=p.others_centre * 2),
    ):
        assert not certify(there, worse).holds


@pytest.mark.parametrize(("errors", "holds"), [(Fraction(21, 10), True), (Fraction(19, 10), False)])
def test_rows_that_are_left_stand_two_errors_apart(errors, holds):
    there = channel(60, 3, columns=6, K=6, public=20, find="labels_and_split")
    p = consider(SplitPeeling(), there).certified.certificate.parameters
    with working(there.working_bits):
        gap = errors * upper(later_error(there, p))
        proof = prove_peeling(there, replace(p, others_gap=gap))
    assert [one.holds for one in proof.inequalities if one.name.startswith("gap of rows that are left")] == [holds]


def test_peeling_refuses_scores_that_nothing_explains():
    attack = consider(SplitPeeling(), channel(60, 4, columns=3, K=3, public=20)).build()
    labels, rows = np.random.default_rng(2).integers(0, 3, 60), np.arange(20)
    coins, gap = np.random.default_rng(3), float(attack.parameters.gap) / 20
    for _ in range(5):
        board = Part(labels, rows, None)
        with pytest.raises(InconsistentScores):
            attack.recover(lambda u, board=board: board(u) + 0.6 * gap * coins.choice([-1, 1]))


# -- how many rows are scored is not known -------------------------------------------------------------------


@pytest.mark.parametrize("decimals", [0, 1, 4])
def test_every_state_of_six_rows_of_any_number(decimals, one_in):
    ranged = consider(SplitDesigns(), channel(6, decimals, columns=2, public=Between(1, 5)))
    attack = ranged.build()
    assert attack.adaptive
    asked = set()
    for state in one_in(11, states(6), f"{decimals}"):
        rows = np.flatnonzero(state >= 0)
        if 1 <= len(rows) <= 5:
            board = Part(state, rows, decimals)
            assert (attack.recover(board) == state).all()
            asked.add(board.asked)
    assert max(asked) <= ranged.certified.queries == attack.parameters.design.M + 4


@pytest.mark.parametrize("decimals", [0, 1, 4])
def test_one_query_settles_two_states(decimals, monkeypatch):
    """Scores may fit two numbers of scored rows: whichever states are left, the right one stays."""
    attack = consider(SplitDesigns(), channel(6, decimals, columns=2, public=Between(1, 5))).build()
    coins = np.random.default_rng(decimals)
    parts = [one for one in states(6) if 1 <= (one >= 0).sum() <= 5]
    for _ in range(60):
        left = [parts[place] for place in coins.choice(len(parts), 3, replace=False)]
        if coins.random() < 0.3:  # a part of another, of the same labels
            left[1] = np.where(np.cumsum(left[0] >= 0) == 1, NOT_SCORED, left[0])
        true = left[coins.integers(0, 3)] if (left[1] >= 0).any() else left[0]
        left = [one for one in left if (one >= 0).any()]
        monkeypatch.setattr(attack, "_possible", lambda scores, left=left: iter(left))
        board = Part(true, np.flatnonzero(true >= 0), decimals)
        assert (attack.recover(board) == true).all()
        assert board.asked == attack.parameters.design.M + len(left) - 1


def test_a_range_is_settled_on_a_larger_board():
    found = consider(SplitDesigns(), channel(200, 4, columns=2, public=Between(50, 70)))
    attack = found.build()
    for n in (50, 63, 70):
        for labels, rows in splits(200, n):
            board = Part(labels, rows, 4)
            assert (attack.recover(board) == wanted(labels, rows, NOT_SCORED)).all()
            assert board.asked <= found.certified.queries
    with pytest.raises(InconsistentScores):
        attack.recover(Part(*next(splits(200, 90)), 4))


def test_a_range_is_certified_for_every_number_in_it():
    there = channel(60, 4, columns=2, public=Between(5, 9))
    record = consider(SplitDesigns(), there).certified.certificate.parameters
    assert record.settling == 4
    assert certify(there, record).holds
    assert not certify(there, replace(record, settling=3, queries=record.queries - 1)).holds
    assert not certify(there, replace(record, queries=record.queries - 1)).holds
    assert not certify(replace(there, scored=10, uncertain=5), record).holds


def test_a_range_needs_adaptive_queries():
    refused = consider(SplitDesigns(), channel(60, 4, columns=2, public=Between(5, 9), adaptive=False))
    assert [one.field for one in refused.reasons] == ["adaptive"]
    assert consider(SplitLabelsOnce(), channel(60, 4, columns=2, public=Between(5, 9))).certified is None


# -- every state, errors at the bound ----------------------------------------------------------------------


def states(N):
    return [np.array(one) for one in product((NOT_SCORED, 0, 1), repeat=N)]


@pytest.mark.parametrize("decimals", [0, 1, 3])
def test_every_state_of_six_rows_with_errors_at_the_bound(decimals, one_in):
    coins = np.random.default_rng(6)
    attacks = {n: consider(SplitDesigns(), both(6, n, decimals)).build() for n in range(1, 6)}
    for state in one_in(4, states(6), f"bound {decimals}"):
        n = int((state >= 0).sum())
        if n not in attacks:
            continue
        attack = attacks[n]
        columns = np.stack([state == 1, state == 0], axis=1).ravel().astype(int)
        y = attack.parameters.design.scores(columns).astype(float)
        for signs in (1, -1, coins.choice([-1, 1], len(y))):
            assert (attack.read(y + 0.999 * signs * attack.tolerance) == state).all()
        with pytest.raises(InconsistentScores):
            attack.read(y + 1.001 * attack.tolerance)


@pytest.mark.parametrize("n", [1, 2, 4, 5])
def test_every_state_of_six_rows_through_the_scorer(n, one_in):
    labels_only, whole = (
        consider(SplitLabelsOnce(), there(6, n, 2)).build(),
        consider(SplitDesigns(), both(6, n, 2)).build(),
    )
    for state in one_in(4, (one for one in states(6) if (one >= 0).sum() == n), f"scorer {n}"):
        rows = np.flatnonzero(state >= 0)
        assert (whole.recover(Part(state, rows, 2)) == state).all()
        assert (labels_only.recover(Part(state, rows, 2)) == (state == 1)).all()


def test_labels_with_errors_at_the_bound():
    coins = np.random.default_rng(7)
    attack = consider(SplitLabelsOnce(), there(198, 59, 4)).build()
    p, design = attack.parameters, attack.parameters.design
    for share in (0, 0.02, 0.5, 1):
        ones = (coins.random(198) < share).astype(int)
        y = design.scores(ones).astype(float) * float(design.unit)
        for signs in (1, -1, coins.choice([-1, 1], len(y))):
            assert (attack.read(y + 0.999 * signs * attack.tolerance) == ones).all()
    for count in (0, 1, 58, 59):
        for sign in (1, -1):
            assert attack.count(count * p.most + sign * attack.error) == count
        with pytest.raises(InconsistentScores):
            attack.count(count * p.most + attack.error * 3 / 2)
    with pytest.raises(InconsistentScores):
        attack.count(60 * p.most)


@pytest.mark.parametrize("theorem", [SplitLabelsOnce(), SplitDesigns()])
def test_errors_twice_the_bound_break_it(theorem):
    """What the certificate leaves out is not there to be had: else a test could not see a failure."""
    attack = consider(theorem, there(198, 59, 4)).build()
    labels, rows = next(splits(198, 59))
    coins = np.random.default_rng(3)
    exact = [Part(labels, rows, None)(u) for u in attack.queries()]
    gap = float(attack.parameters.gap) / 59
    for _ in range(5):
        with pytest.raises(InconsistentScores):
            attack.decode([score + gap * coins.choice([-1, 1]) * 0.6 for score in exact])


@pytest.mark.parametrize("theorem", [SplitLabelsOnce(), SplitDesigns()])
def test_another_number_of_scored_rows_is_noticed(theorem):
    attack = consider(theorem, there(198, 59, 4)).build()
    coins = np.random.default_rng(4)
    for n in (20, 58, 60, 198):
        labels, rows = coins.integers(0, 2, 198), np.sort(coins.permutation(198)[:n])
        with pytest.raises(InconsistentScores):
            attack.recover(Part(labels, rows, 4))


@pytest.mark.parametrize("theorem", [SplitLabelsOnce(), SplitDesigns()])
def test_wrong_scores_are_refused(theorem):
    attack = consider(theorem, there(60, 20, 4)).build()
    labels, rows = next(splits(60, 20))
    scores = [Part(labels, rows, 4)(u) for u in attack.queries()]
    for wrong in (scores[:-1], [*scores[:-1], float("nan")], [*scores[:-1], float("inf")], [s + 0.5 for s in scores]):
        with pytest.raises(InconsistentScores):
            attack.decode(wrong)


# -- what a goal and a budget come to ----------------------------------------------------------------------


def test_some_rows_are_told_and_the_others_do_not_disturb():
    attack = consider(SplitLabelsOnce(), there(60, 20, 4, goal=0.5)).build()
    assert attack.parameters.labels == 60 - 10
    for labels, rows in splits(60, 20):
        found = attack.recover(Part(labels, rows, 4))
        assert (found[50:] == -1).all()
        assert (found[:50] == wanted(labels, rows, 0)[:50]).all()


def test_the_limit_is_that_of_the_scored_rows():
    """2 n tau >= W hides labels for good, and just below all is told: n counts, not N."""
    reach = float(there(300, 90, None).metric.corner_reach(there(300, 90, None), 1))
    for factor, verdict in ((1.0001, Verdict.IMPOSSIBLE), (0.9999, Verdict.FEASIBLE)):
        tau = Real.of(factor * reach / (2 * 90))
        board = Scenario("board", 300, public=90, clip=Real.of(1e-15), columns=2, noise=Bounded(tau))
        assert plan(board).verdict is verdict


def test_attacks_on_a_part_refuse_boards_that_score_all_rows():
    for theorem in (SplitLabelsOnce(), SplitDesigns()):
        refused = consider(theorem, channel(60, 4, columns=2))
        assert refused.status is Status.REFUSED
        assert [one.field for one in refused.reasons] == ["public"]


def test_a_state_of_another_number_of_rows_is_refused():
    attack = consider(SplitDesigns(), both(6, 3, 3)).build()
    for count in (2, 4):
        state = np.where(np.arange(6) < count, 1, NOT_SCORED)
        y = attack.parameters.design.scores(np.stack([state == 1, state == 0], axis=1).ravel().astype(int))
        with pytest.raises(InconsistentScores, match="told to be scored"):
            attack.read(y.astype(float))


@pytest.mark.parametrize("n", [198, 5, 500])
def test_boards_that_show_both_scores_tell_all_rows(n):
    """Both scores, weighed by their rows, are the mean of all rows, off by what either is off at most."""
    (board,) = loads(
        "scenario late { N = 506; clip = 1e-15; columns = 2; noise = bounded(0.000005); queries <= 30; adaptive = no }"
    )
    attack = plan(board).best.build()
    for labels, rows in splits(506, n):
        others = np.setdiff1d(np.arange(506), rows)
        public, private = Part(labels, rows, 5), Part(labels, others, 5)
        found = attack.recover(lambda u, a=public, b=private: (n * a(u) + (506 - n) * b(u)) / 506)
        assert (found == labels).all()


# -- other metrics ------------------------------------------------------------------------------------------


class Squares:
    """scikit-learn's Brier score, or mean squared or absolute error, of the scored rows alone, rounded."""

    def __init__(self, metric, labels, rows, decimals, noise=lambda: 0.0):
        self.metric, self.labels, self.rows, self.decimals, self.noise = metric, labels, rows, decimals, noise
        self.asked = 0

    def __call__(self, u):
        from sklearn import metrics

        self.asked += 1
        y, p = self.labels[self.rows], u[self.rows]
        if self.metric == "brier":
            score = metrics.brier_score_loss(y, p, pos_label=1)
        else:
            score = (metrics.mean_squared_error if self.metric == "mse" else metrics.mean_absolute_error)(y, p)
        return round(score + self.noise(), self.decimals)


@pytest.mark.parametrize("metric", ["brier", "mse", "mae"])
@pytest.mark.parametrize(("N", "n", "decimals"), [(30, 9, 1), (40, 30, 3), (24, 5, 6)])
def test_squared_and_absolute_errors_of_a_part(metric, N, n, decimals):
    """All rows at 0 or 1, their sides turning: a scored row charges 1 or nothing, and n 10^-d < 1 is enough."""
    for theorem, outside in ((SplitDesigns(), NOT_SCORED), (SplitLabelsOnce(), 0)):
        found = consider(theorem, there(N, n, decimals, columns=1, clip=None, metric=metric))
        if found.certified is None:
            assert theorem.id == "split-labels"  # weights below 1 have rests that deviate
            continue
        for labels, rows in splits(N, n):
            board = Squares(metric, labels, rows, decimals)
            assert (found.build().recover(board) == wanted(labels, rows, outside)).all()
            assert board.asked == found.certified.queries
    assert consider(SplitDesigns(), there(N, n, decimals, columns=1, clip=None, metric=metric)).certified is not None


@pytest.mark.parametrize("metric", ["brier", "mae"])
def test_the_limit_of_squares_is_that_of_the_scored_rows(metric):
    for factor, verdict in ((1.0001, Verdict.IMPOSSIBLE), (0.9999, Verdict.FEASIBLE)):
        tau = Real.of(factor / (2 * 9))
        board = Scenario("board", 30, public=9, metric=metric, predictions="probability", noise=Bounded(tau))
        report = plan(board)
        assert report.verdict is verdict
    coins, attack = np.random.default_rng(1), report.best.build()
    for labels, rows in splits(30, 9):
        board = Squares(metric, labels, rows, 15, lambda: 0.999 * 0.9999 / (2 * 9) * coins.choice([-1, 1]))
        assert (attack.recover(board)[rows] == labels[rows]).all()


def test_metrics_that_count_refuse_a_part_by_its_name():
    for metric in ("accuracy", "f1", "roc_auc", "balanced_accuracy"):
        report = plan(Scenario("board", 30, public=9, metric=metric, shown=Decimals(3), predictions=PREDICTED[metric]))
        assert report.verdict is Verdict.UNKNOWN
        for one in report.candidates:
            assert "public" in {reason.field for reason in one.reasons}


PREDICTED = {"accuracy": "class", "f1": "class", "roc_auc": "real", "balanced_accuracy": "class"}


# -- exact scorers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "N = 12; metric = mae; phi = arbitrary; public = between(5, 9)",
        "N = 9; K = 4; phi = arbitrary; decimals = 2; public = 3",
        "N = 8; K = 3; phi = arbitrary; public = 7",
    ],
)
def test_exact_scores_are_read_as_finely_as_the_certificate_counts(text):
    """A gap as wide as a row reaches says little of how finely a score must be read; no clip bounds what a class can pay."""
    report = plan(loads(f"scenario board {{ {text}; find = labels_and_split }}")[0])
    certified = [one.attack for one in report.candidates if one.certified is not None]
    assert certified
    for attack in certified:
        run = simulate(report, trials=1, attack=attack)
        assert (run.exact_trials, run.failures) == (1, ())
