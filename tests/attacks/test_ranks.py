"""Blocks of ranks: what is promised, every labeling of small boards, scikit-learn's own area, and one step past the edge."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from backends.metrics import ROC_AUC as COMPUTED
from backends.simulate import simulate
from dsl import loads
from planner import plan
from planner.attacks.attack import InconsistentScores
from planner.attacks.ranks.certify import crossing, least_apart, prove
from planner.attacks.ranks.parameters import MOST, RankBlocks, offsets
from planner.attacks.ranks.run import subset
from planner.catalogue import BY_ID
from planner.certify import certify
from planner.channel.channel import Channel, channel_of
from planner.channel.metrics.roc_auc import ROC_AUC
from planner.considering import consider
from planner.limits import limits_of
from planner.model import Candidate
from planner.numerics.reals import lower, working
from threatplan.verify import check
from threatplan.verify import ranks as checker
from threatplan.verify.reading import Unreadable
from threatplan.verify.recorded import channel_of as channel_recorded


def channel(text: str) -> Channel:
    (scenario,) = loads("scenario board {\nmetric = roc_auc\n" + text.replace("; ", "\n") + "\n}\n")
    return channel_of(scenario)


@cache
def found(text: str, attack: str = "ranks") -> Candidate:
    return consider(BY_ID[attack], channel(text))


def record(candidate: Candidate) -> RankBlocks:
    assert candidate.certified is not None
    held = candidate.certified.certificate.parameters
    assert isinstance(held, RankBlocks)
    return held


def labels_of(N: int, ones: int, seed: int = 0) -> Any:
    return (np.random.default_rng(seed).permutation(N) < ones).astype(int)


def shown(labels: Any, decimals: int) -> Any:
    return lambda u: round(float(roc_auc_score(labels, u)), decimals)


@pytest.mark.parametrize(
    ("N", "ones", "decimals", "queries", "counted"),
    [
        (1000, 500, 5, 123, 253),  # elsewhere 177 to 224 were seen
        (1000, 500, 4, 200, 253),
        (1000, 500, 15, 99, 253),  # 142
        (306, 153, 5, 37, 97),  # 57
        (306, 153, 4, 49, 97),
        (306, 153, 3, 89, 97),
        (1000, 20, 5, 99, 253),
        (418, 158, 5, 48, 123),
        (10_000, 5000, 5, 1827, 1880),
        (2, 1, 1, 1, 2),
    ],
)
def test_fewer_queries_than_counts_need(N, ones, decimals, queries, counted):
    text = f"N = {N}; decimals = {decimals}; positives = {ones}"
    assert record(found(text)).queries == queries
    assert found(text, "counting").certified.queries == counted


@pytest.mark.parametrize(("decimals", "ones"), [(4, 500), (5, 500), (5, 20), (5, 700), (15, 500)])
def test_a_thousand_labels_through_scikit_learn(decimals, ones, one_in):
    candidate = found(f"N = 1000; decimals = {decimals}; positives = {ones}")
    hidden = (labels_of(1000, ones, 1), np.arange(1000) >= 1000 - ones, np.arange(1000) < ones)
    for labels in map(np.int64, one_in(2, hidden, f"{decimals} {ones}")):
        assert (candidate.build().recover(shown(labels, decimals)) == labels).all()


@pytest.mark.parametrize("kind", ["random", "in turn", "2 %", "70 %", "one", "all but one"])
@pytest.mark.parametrize("decimals", [3, 4, 5])
def test_every_kind_of_labeling_through_scikit_learn(kind, decimals):
    share = {"random": 150, "in turn": 153, "2 %": 6, "70 %": 214, "one": 1, "all but one": 305}[kind]
    labels = np.arange(306) % 2 if kind == "in turn" else labels_of(306, share)
    candidate = found(f"N = 306; decimals = {decimals}; positives = {int(labels.sum())}")
    asked = [0]

    def score(u: Any) -> float:
        asked[0] += 1
        return shown(labels, decimals)(u)

    assert (candidate.build().recover(score) == labels).all()
    assert asked[0] == record(candidate).queries < 97


def boards() -> Iterator[tuple[str, int, int]]:
    for N, tau in product((2, 3, 5, 7), ("1/1000", "1/30", "1/12")):
        for ones in range(1, N):
            yield f"N = {N}; positives = {ones}; noise = bounded({tau})", N, ones


def test_every_labeling_of_small_boards_with_errors_at_the_bound():
    """Errors of either sign, in turn, and against each other; more of them than one in three boards are certified."""
    tried = 0
    for text, N, ones in boards():
        candidate = found(text)
        if candidate.certified is None:
            continue
        tried += 1
        own, attack = candidate.channel, candidate.build()
        with working(200):
            edge = lower(ROC_AUC.rank_error(own, candidate.certified.queries)) * Fraction(999, 1000)
        for held, side in product(combinations(range(N), ones), (1, -1, 0)):
            labels, turn = np.isin(np.arange(N), held).astype(int), [1]

            def score(u, labels=labels, side=side, turn=turn, edge=edge):
                turn[0] = -turn[0]
                return COMPUTED.of(labels, u) + (side or turn[0]) * edge

            assert (attack.recover(score) == labels).all(), (text, held, side)
    assert tried > 20


def blocks_of(N: int, gap: int) -> Iterator[tuple[int, int]]:
    for known, m in product(range(N), range(1, 7)):
        if known + m < N and gap * offsets(m)[-1] < known + m:
            yield known, m


@pytest.mark.parametrize("gap", [1, 2, 3])
def test_sums_of_a_block_are_as_far_apart_as_is_said_and_some_no_farther(gap):
    """The gap between sums of equally many labels, `least_apart` between others: by all labelings of a block."""
    for known, m in blocks_of(30, gap):
        top = Fraction(30 + known + m - 1, 2)
        by_size: dict[int, list[Fraction]] = {}
        for held in product((0, 1), repeat=m):
            total = sum((top - gap * u for u, one in zip(offsets(m), held, strict=True) if one), Fraction(0))
            by_size.setdefault(sum(held), []).append(total)
        for sums in by_size.values():
            ordered = sorted(sums)
            assert all(b - a >= gap for a, b in pairwise(ordered))
        least = min(min(by_size[k + 1]) - max(by_size[k]) for k in range(m))
        assert least == least_apart(30, gap, known, m)


def test_no_two_sets_of_offsets_of_one_size_have_one_sum():
    for m in range(1, 13):
        sums = {(len(held), sum(held)) for k in range(m + 1) for held in combinations(offsets(m), k)}
        assert len(sums) == 2**m
    assert offsets(9) == (0, 1, 2, 4, 7, 13, 24, 44, 84)
    assert [crossing(m) for m in range(1, 10)] == [0, 1, 3, 6, 12, 23, 45, 85, 165]


def test_ranks_are_midranks_and_areas_are_those_of_scikit_learn():
    coins = np.random.default_rng(3)
    for _ in range(200):
        N = int(coins.integers(2, 30))
        labels, u = coins.integers(0, 2, N), coins.integers(0, 6, N) / 6
        if 0 < labels.sum() < N:
            assert abs(float(COMPUTED.of(labels, u)) - roc_auc_score(labels, u)) < 1e-14
    with pytest.raises(ZeroDivisionError):
        COMPUTED.of(np.ones(3, int), np.arange(3))


def test_scikit_learn_computes_within_the_error_that_is_granted():
    """Of as many levels as rows, too: 2N + 64 roundings."""
    own = channel("N = 3000; positives = 1000")
    with working(200):
        granted = lower(ROC_AUC.rank_error(own, 1))
    coins = np.random.default_rng(4)
    for _ in range(5):
        labels, u = labels_of(3000, 1000, 5), coins.permutation(3000) / 3000
        assert abs(Fraction(float(roc_auc_score(labels, u))) - COMPUTED.of(labels, u)) <= granted
    assert granted < Fraction(1, 10**12)


def test_one_step_past_the_certificate_fails():
    """A smaller gap, more labels a block, fewer known rows: neither certified nor read."""
    text = "N = 300; positives = 150; decimals = 4"
    candidate, labels = found(text), labels_of(300, 150)
    own, held = candidate.channel, record(candidate)
    assert certify(own, held).holds
    assert not certify(own, replace(held, gap=held.gap - 1)).holds
    near = replace(held, gap=1)
    assert not certify(own, near).holds
    with pytest.raises(InconsistentScores):
        BY_ID["ranks"].build(own, near).recover(shown(labels, 3))
    # A block of one label more than its known rows have places for.
    sizes = list(held.blocks)
    for m in range(len(sizes) - 1):
        if sizes[m]:
            moved = [*sizes]
            moved[m], moved[m + 1] = 0, sizes[m] + sizes[m + 1]
            changed = replace(held, blocks=tuple(moved), queries=held.counted + sum(moved))
            assert not certify(own, changed).holds, m


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("N = 300; decimals = 4", "positives"),
        ("N = 300; decimals = 4; guess = 90%", "positives"),
        ("N = 300; decimals = 4; positives = 0", "positives"),
        ("N = 300; decimals = 4; positives = 300", "positives"),
        ("N = 300; decimals = 2; positives = 150", "decimals"),
        ("N = 300; noise = bounded(1/299); positives = 150", "noise"),
    ],
)
def test_what_it_needs(text, field):
    candidate = found(text)
    assert candidate.certified is None
    assert [one.field for one in candidate.reasons] == [field]


def test_decimals_tell_a_count_to_the_very_edge():
    """Two levels part two counts by N/2, which is above n0 n1 10^-d of as many ones as zeros while N < 2*10^d."""
    assert found("N = 200; decimals = 2; positives = 100").certified is None
    candidate, labels = found("N = 199; decimals = 2; positives = 100"), labels_of(199, 100)
    assert (candidate.build().recover(shown(labels, 2)) == labels).all()


def test_a_part_of_the_labels():
    candidate = found("N = 300; positives = 40; decimals = 5; goal = 30%")
    held, labels = record(candidate), labels_of(300, 40)
    got = candidate.build().recover(shown(labels, 5))
    assert held.labels == 90
    assert (got[:90] == labels[:90]).all()
    assert (got[90:] == -1).all()
    assert held.queries < record(found("N = 300; positives = 40; decimals = 5")).queries


def test_scores_of_another_board_are_refused():
    candidate, labels = found("N = 300; positives = 40; decimals = 5"), labels_of(300, 40)
    for other in (labels_of(300, 41), labels_of(300, 39), 1 - labels):
        with pytest.raises(InconsistentScores):
            candidate.build().recover(shown(other, 5))
    with pytest.raises(InconsistentScores):
        candidate.build().recover(lambda u: 0.5)
    with pytest.raises(InconsistentScores):
        candidate.build().recover(lambda u: float("nan"))
    for at in range(0, record(candidate).queries, 12):
        turn = [-1]

        def score(u: Any, at: int = at, turn: list[int] = turn) -> float:
            turn[0] += 1
            return float(shown(labels, 5)(u)) + (1e-4 if turn[0] == at else 0)

        try:
            got = candidate.build().recover(score)
        except InconsistentScores:
            continue
        assert got is None, at  # no score that is off by ten steps is believed


def test_a_sum_between_two_is_that_of_no_labels():
    assert subset(2, 1, Fraction(1, 8), Fraction(1, 8)) is not None
    assert subset(2, 1, Fraction(1, 4), Fraction(1, 8)) is None


@pytest.mark.parametrize("label", [0, 1])
def test_as_many_ones_are_left_as_there_are_rows_for(label, monkeypatch):
    candidate = found("N = 30; positives = 10; decimals = 5")
    attack = candidate.build()
    monkeypatch.setattr(attack, "_designed", lambda seen: np.full(attack.parameters.designed(30), label))
    monkeypatch.setattr(attack, "_block", lambda before, m, doubled: np.full(m, label))
    with pytest.raises(InconsistentScores):
        attack.decode([0.5] * record(candidate).queries)


def test_no_limit_says_otherwise():
    """Noise that hides a swap stands below what ranks read, and no count of answers excludes what is promised."""
    for text, N, ones in boards():
        candidate = found(text)
        if candidate.certified is None:
            continue
        for limit in limits_of(candidate.channel):
            assert not limit.excludes_all, (text, limit.id)
            assert limit.queries is None or limit.queries <= candidate.certified.queries, (text, limit.id, N, ones)


def test_reports_are_verified_and_their_records_too():
    (scenario,) = loads("scenario board {\nmetric = roc_auc\nN = 100\npositives = 30\ndecimals = 4\nqueries <= 40\n}\n")
    report = plan(scenario)
    assert report.best is not None
    assert report.best.attack == "ranks"
    data = json.loads(json.dumps(report.to_json()))
    assert not check(data).faults
    run = simulate(report, trials=2, seed=1)
    assert run.exact_trials == run.trials == 2


def test_exact_numbers_are_read_to_half_a_rank():
    (scenario,) = loads(
        "scenario board {\nmetric = roc_auc\nN = 60\npositives = 20\ndecimals = 4\nphi = arbitrary\n}\n"
    )
    report = plan(scenario)
    assert report.best is not None
    assert report.best.attack == "ranks"
    run = simulate(report, trials=2, seed=1)
    assert run.exact_trials == 2


def test_blocks_are_no_larger_than_is_looked_up():
    assert MOST == 18
    with pytest.raises(ValueError, match="absurd"):
        prove(channel("N = 60; positives = 30; decimals = 9"), RankBlocks(1, 60, 0, 1, (*(0,) * MOST, 1)))


def test_places_that_known_rows_do_not_make():
    """Three labels at gaps of 2 take places 5, 3 and 1: two rows have to be known."""
    own = channel("N = 30; positives = 15")
    assert certify(own, RankBlocks(14, 30, 0, 1, (0, 13, 1))).holds
    assert certify(own, RankBlocks(11, 30, 0, 2, (2, 0, 9))).holds
    assert not certify(own, RankBlocks(10, 30, 0, 2, (0, 0, 10))).holds


def test_every_label_is_read_or_follows():
    own = channel("N = 30; positives = 15")
    assert certify(own, RankBlocks(29, 30, 0, 1, (29,))).holds
    assert not certify(own, RankBlocks(28, 30, 0, 1, (28,))).holds
    assert not certify(own, RankBlocks(30, 30, 0, 1, (30,))).holds  # the last one asks for nothing
    with pytest.raises(ValueError, match="a block without labels"):
        prove(own, RankBlocks(30, 30, 0, 1, (30,)))
    assert certify(channel("N = 30; positives = 15; goal = 50%"), RankBlocks(15, 15, 0, 1, (15,))).holds


@pytest.mark.parametrize("positives", [0, 30])
def test_labels_that_are_all_alike_are_no_board_of_ranks(positives):
    with pytest.raises(ValueError, match="alike"):
        prove(channel(f"N = 30; positives = {positives}"), RankBlocks(29, 30, 0, 1, (29,)))


def test_a_record_asks_for_counted_ones():
    for text in ("N = 30", "N = 30; guess = 90%"):
        assert not certify(channel(text), RankBlocks(29, 30, 0, 1, (29,))).holds


def test_roundings_grow_with_levels():
    """Half a million levels: 2N roundings of n0 n1 areas are what a gap has to bear."""
    own = channel("N = 500000; positives = 250000")
    with working(200):
        assert lower(ROC_AUC.rank_error(own, 1)) > 1_000_000 * Fraction(1, 2**53)


def test_a_sum_of_another_number_of_ones_is_none():
    """Offsets 0, 1, 2, 4: 3 is the sum of three of them, and of two."""
    read = {k: subset(4, k, Fraction(3), Fraction(1, 4)) for k in range(5)}
    assert [k for k, found in read.items() if found is not None] == [2, 3]
    assert read[2].tolist() == [0, 1, 1, 0]
    assert read[3].tolist() == [1, 1, 1, 0]
    # 13 of Conway and Guy's 7, 6, 5, 3 is the sum of two: no three of them, whatever they claim.
    assert subset(4, 3, Fraction(8), Fraction(1, 4)) is None


def _told(change: dict[str, Any]) -> tuple[str, ...]:
    (scenario,) = loads("scenario board {\nmetric = roc_auc\nN = 60\npositives = 20\ndecimals = 3\n}\n")
    data = json.loads(json.dumps(plan(scenario).to_json()))
    for one in (data["best"], data["exposure"], *data["candidates"]):
        held = one.get("certified")
        if held and held["parameters"]["kind"] == "rank_blocks":
            held["parameters"].update(change)
    try:
        return check(data).faults
    except Unreadable as fault:
        return (str(fault),)


@pytest.mark.parametrize(
    "change", [{}, {"gap": 7}, {"gap": 40}, {"counted": 9}, {"labels": 61}, {"blocks": [0, 0, 0, 0, 0, 30]}]
)
def test_the_checker_finds_what_is_not_so(change):
    assert bool(_told(change)) == bool(change)


@pytest.mark.parametrize("gap", [1, 3])
def test_the_checker_reckons_the_same_distance(gap):
    for known, m in blocks_of(30, gap):
        weights = checker._weights(30, gap, known, m)
        assert checker._crossing(weights) == least_apart(30, gap, known, m)
        assert min(weights) >= Fraction(30 - known - m + 1, 2)


def test_the_checker_looks_for_places():
    """Three labels at gaps of 2 and no row that is known."""
    (scenario,) = loads("scenario board {\nmetric = roc_auc\nN = 30\npositives = 15\n}\n")
    own = channel_recorded(json.loads(json.dumps(plan(scenario).to_json()))["channel"]["exact"])
    held = {"kind": "rank_blocks", "queries": 10, "labels": 30, "counted": 0, "gap": 2, "blocks": [0, 0, 10]}
    claims = {one.name: one.proof(own)[2] for one in checker.derive(own, held).claims}
    assert [name for name, holds in claims.items() if not holds] == ["blocks that find their places >= blocks"]


def test_the_checker_asks_for_counted_ones():
    """A guess as far off as the ones are many is no count of them."""
    (scenario,) = loads("scenario board {\nmetric = roc_auc\nN = 60\npositives = 20\ndecimals = 3\n}\n")
    data = json.loads(json.dumps(plan(scenario).to_json()))
    own = replace(channel_recorded(data["channel"]["exact"]), counted=False)
    parameters = next(one["certified"]["parameters"] for one in data["candidates"] if one["attack"] == "ranks")
    assert dict(checker.derive(own, parameters).fits)["ones that are counted"] is False
