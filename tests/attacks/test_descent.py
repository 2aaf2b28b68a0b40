"""Boards that only fall: a label a query, sharp at 3/2 of the step, and several where the step is finer."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from backends.simulate import simulate
from dsl import loads
from planner import plan
from planner.attacks.attack import InconsistentScores
from planner.attacks.descent.certify import rising
from planner.attacks.descent.parameters import Descent
from planner.attacks.descent.run import DescentAttack
from planner.catalogue import BY_ID
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.considering import consider
from planner.model import Status
from threatplan.render.json import finite
from threatplan.verify import check

LADDER = "clip = 1e-15; decimals = 5; release = ladder(0.01)"


def channel(body: str):
    (found,) = loads(f"scenario board {{ {body} }}")
    return channel_of(found)


def found(body: str):
    return consider(BY_ID["descent"], channel(body))


def test_the_ladder_as_published_falls_in_one_query_more_than_labels():
    report = plan(channel(f"N = 2000; {LADDER}").scenario)
    assert (report.verdict, report.best.attack, report.best.certified.queries) == ("feasible", "descent", 2001)
    assert check(json.loads(json.dumps(finite(report.to_json())))).faults == ()


@pytest.mark.parametrize(("N", "status"), [(2295, "feasible"), (2296, "refused")])
def test_it_is_certified_up_to_three_halves_of_a_step(N, status):
    """W = ln((1-p)/p) = 34.434 at p = 10/2^53: 34.434/0.015 = 2,295.6 rows."""
    assert found(f"N = {N}; {LADDER}").status == status


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ("release = ladder(0.01, ln(2))", "release"),
        ("release = ladder(0.01, 40)", "release"),
        ("release = capped(1)", "release"),
        ("release = changes(9)", "release"),
        ("release = plain", "release"),
        ("release = best; noise = gaussian(0.001)", "noise"),
        ("release = best; adaptive = no", "adaptive"),
        ("release = best; K = 3", "K"),
        ("release = best; decimals = significant(3)", "decimals"),
        ("release = best; phi = float32", "phi"),
        ("release = best; decimals = 1", "decimals"),
        ("release = ladder(0.3); decimals = 1", "release"),
        ("release = ladder(0.15); decimals = 1", "release"),
    ],
)
def test_what_it_refuses(body, field):
    decimals = "" if "decimals" in body else "decimals = 5; "
    candidate = found(f"N = 300; clip = 1e-3; {decimals}{body}")
    assert candidate.status is Status.REFUSED
    assert field in {one.field for one in candidate.reasons}


@pytest.mark.parametrize(
    "body",
    [
        f"N = 120; {LADDER}",
        "N = 120; clip = 1e-15; decimals = 3; columns = 2; release = ladder(0.15)",
        "N = 120; clip = 1e-3; decimals = 3; release = best",
        "N = 120; clip = 1e-3; decimals = truncated(3); release = best",
        "N = 120; clip = 1e-3; release = best",
        "N = 120; scorer = sklearn; decimals = 4; release = best; goal = 60%",
    ],
)
@pytest.mark.parametrize("scorer", [None, "sklearn"])
def test_no_label_is_wrong(body, scorer):
    (scenario,) = loads(f"scenario board {{ {body} }}")
    report = plan(scenario)
    assert report.best.attack == "descent"
    run = simulate(report, attack="descent", trials=2, seed=3, scorer=scorer)
    assert (run.wrong_labels, run.exact_trials, run.failures) == (0, 2, ())
    certified = report.best.certified
    assert run.queries == certified.queries == -(-report.channel.wanted // certified.labels_per_query) + 1


def board(machine, digits, labels, error=lambda: 0.0):
    """A board in exact numbers, whose scores are off by as much as is said."""
    state = [machine.start()]

    def score(u):
        loss = float(-np.where(labels == 1, np.log(u), np.log1p(-u)).mean()) + error()
        state[0], shown = machine.step(state[0], loss)
        return round(shown, digits)

    return score


def rows_of(p: Fraction, falls) -> tuple[Fraction, ...]:
    """Weaker predictions of these weights less than p's own."""
    weight = np.log(float((1 - p) / p))
    return tuple(Fraction(1 / (1 + np.exp(weight - fall))) for fall in falls)


@pytest.mark.parametrize("release", ["ladder(1/5)", "best"])
def test_every_labeling_of_a_small_board(release):
    held = channel(f"N = 6; clip = 1/10; decimals = {2 if release == 'best' else 9}; release = {release}")
    attack = BY_ID["descent"].build(held, Descent(7, 6, Fraction(1, 8), (Fraction(7, 8),)))
    for labels in product((0, 1), repeat=6):
        ask = board(held.released, 9, np.array(labels))
        assert attack.recover(ask).tolist() == list(labels)


@pytest.mark.parametrize(
    ("body", "m"),
    [
        ("N = 7; clip = 1e-3; decimals = 1; release = best", 3),
        ("N = 7; clip = 1e-6; decimals = truncated(1); release = best", 4),
        ("N = 7; clip = 1e-3; decimals = 4; release = ladder(1/5)", 2),
        ("N = 7; clip = 1e-9; decimals = 2; release = ladder(1/20); columns = 2", 6),
    ],
)
def test_every_labeling_in_blocks(body, m):
    """Certified, with the rows of a block as heavy as they must be and no heavier; the last block is not full."""
    (scenario,) = loads(f"scenario board {{ {body} }}")
    candidate = found(body)
    assert candidate.certified.certificate.parameters.m == m
    for labels in product((0, 1), repeat=7):
        run = simulate(candidate, trials=1, labels=np.array(labels))
        assert (run.wrong_labels, run.queries) == (0, -(-7 // m) + 1)
    assert scenario.N % m


def test_the_best_score_gives_eleven_labels_a_query():
    """2,000 labels in 183 queries, one more than a board that shows every score takes blocks; counting excludes 122."""
    report = plan(channel("N = 2000; scorer = sklearn; clip = 1e-15; decimals = 5; release = best").scenario)
    assert (report.best.attack, report.best.certified.queries, report.best.certified.labels_per_query) == (
        "descent",
        183,
        11,
    )
    assert check(json.loads(json.dumps(finite(report.to_json())))).faults == ()
    run = simulate(report, trials=1, seed=5, scorer="sklearn")
    assert (run.wrong_labels, run.queries) == (0, 183)


def at(ratio):
    """The attack on 40 rows of which each weighs so many steps of a Ladder, and the Ladder."""
    N, p = 40, Fraction(1, 8)
    held = channel(f"N = 40; clip = 1/10; release = ladder({Fraction(float(np.log(7.0)) / N / ratio)})")
    return DescentAttack("descent", held, Descent(N + 1, N, p, (1 - p,))), held.released


@pytest.mark.parametrize(("ratio", "right"), [(1.501, True), (1.49, False), (1.4, False)])
def test_three_halves_are_sharp(ratio, right):
    """Where a row weighs less than 3/2 steps, some labeling leaves a turn unseen, and that is told; above it none does."""
    attack, ladder = at(ratio)
    missed = 0
    for ones in range(41):  # each puts the first score at another place within a step
        labels = np.array([1] * ones + [0] * (40 - ones))
        try:
            assert attack.recover(board(ladder, 15, labels)).tolist() == labels.tolist()
        except InconsistentScores:
            missed += 1
    assert (missed == 0) is right


@pytest.mark.parametrize(("ratio", "right"), [(1.54, True), (1.49, False)])
def test_three_halves_are_sharp_through_scikit_learn(ratio, right):
    from sklearn.metrics import log_loss

    attack, ladder = at(ratio)
    labels, state = np.array([1] * 20 + [0] * 20), [ladder.start()]

    def ask(u):
        state[0], shown = ladder.step(state[0], log_loss(labels, u, labels=[0, 1]))
        return shown

    if right:
        assert attack.recover(ask).tolist() == labels.tolist()
    else:
        with pytest.raises(InconsistentScores, match="explain"):
            attack.recover(ask)


@pytest.mark.parametrize(
    ("falls", "right"),
    [((0.41, 0.65), True), ((0.41, 0.60), False), ((0.34, 0.65), False)],
)
def test_the_falls_of_a_block_are_sharp(falls, right):
    """One decimal, two rows: 2E = 0.2, D = 0.17. A gap below that, or a lightest row, and the certificate is refused."""
    p, held = Fraction(1, 8), channel("N = 2; clip = 1/10; decimals = 1; release = best")
    record = Descent(2, 2, p, rows_of(p, falls))
    assert certify(held, record).holds is right


def test_rows_that_weigh_too_little_are_misread():
    """The same board: a second row that falls by little more than the first is taken for it, in some labeling."""
    p, held = Fraction(1, 8), channel("N = 6; clip = 1/10; decimals = 1; release = best")
    attack, wrong = BY_ID["descent"].build(held, Descent(4, 6, p, rows_of(p, (1.2, 1.35)))), 0
    for labels in product((0, 1), repeat=6):
        try:
            wrong += attack.recover(board(held.released, 1, np.array(labels))).tolist() != list(labels)
        except InconsistentScores:
            wrong += 1
    assert wrong


def test_what_it_cannot_explain_it_says():
    held = channel("N = 20; clip = 1e-3; decimals = 4; release = ladder(0.1)")
    attack = consider(BY_ID["descent"], held).build()
    scores = iter(np.linspace(3.5, 6, 30))
    with pytest.raises(InconsistentScores, match="risen"):
        attack.recover(lambda u: next(scores))
    with pytest.raises(InconsistentScores, match="fits no labeling"):
        attack.recover(lambda u: 40.0)  # more than all rows wrong
    with pytest.raises(InconsistentScores, match="explain"):
        attack.recover(lambda u: 3.5)  # nothing ever changes, and yet ten rows are wrong
    falling = iter(np.linspace(3.5, 1, 30))
    with pytest.raises(InconsistentScores, match=r"explain|fits no labeling"):
        attack.recover(lambda u: next(falling))


def test_a_record_of_too_few_queries_or_another_side_is_refused():
    held = channel(f"N = 100; {LADDER}")
    good = consider(BY_ID["descent"], held).certified.certificate.parameters
    assert certify(held, good).holds
    for bad in (
        replace(good, queries=good.queries - 1),
        replace(good, weaker=()),
        replace(good, weaker=good.weaker[::-1]),
        replace(good, weaker=(*good.weaker[:-1], 1 - good.doubt / 2)),
        replace(good, weaker=(*good.weaker, Fraction(1, 2)), queries=30),
        replace(good, doubt=Fraction(1, 10**16)),
        replace(good, doubt=Fraction(1, 3)),
    ):
        assert not certify(held, bad).holds
    low = channel(f"N = 100; {LADDER.replace('0.01', '0.01, 100')}")
    assert not certify(low, good).holds


def test_the_checker_asks_where_the_ladder_starts():
    report = plan(channel("N = 30; clip = 1e-6; decimals = 4; release = ladder(1/4)").scenario)
    entry = json.loads(json.dumps(finite(report.to_json())))
    assert check(entry).faults == ()
    for held in (entry["scenario"]["release"], entry["channel"]["exact"]["release"]):
        held["start"] = {"lo": "100", "hi": "100"}
    for one in (one for one in entry["candidates"] if one["certified"] is not None):
        one["certified"]["promise"]["assumes"]["release"] = "ladder(1/4, 100)"
    assert any("descent: needs a board that shows the first score" in fault for fault in check(entry).faults)


def test_predictions_that_rise_are_counted():
    """From above p, each above the one before, and none beyond 1 - p."""
    good = consider(BY_ID["descent"], channel(f"N = 100; {LADDER}")).certified.certificate.parameters
    for tenths, count in (
        ((2, 3, 9), 3),
        ((3, 2, 5), 2),
        ((1, 2), 1),
        ((3, 3), 1),
        ((2, 3, 9.5), 2),
        ((10,), 0),
        ((), 0),
    ):
        weaker = tuple(Fraction(one) / 10 for one in tenths)
        assert rising(replace(good, doubt=Fraction(1, 10), weaker=weaker)) == count
