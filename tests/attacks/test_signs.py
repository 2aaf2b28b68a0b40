"""Random signs under a free offset: the labeling that explains every score, and how likely another one does."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb, exp
from typing import Any

import numpy as np
import pytest
from flint import arb

from dsl import loads
from planner.attacks.attack import InconsistentScores
from planner.attacks.signs.certify import MOST_GAPS, _starts, borne, failure, mistaken
from planner.attacks.signs.run import explaining
from planner.attacks.signs.theorem import RandomSigns, signed
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.considering import consider
from planner.model import Candidate
from planner.numerics.reals import working
from planner.report import channel_to_json
from tests.attacks.leaderboard import Leaderboard
from threatplan.verify import recorded
from threatplan.verify import signs as checker


def considered(text: str) -> Candidate:
    (scenario,) = loads(f"scenario patient {{ {text}; scorer = sklearn; adaptive = no; time = exponential }}")
    return consider(RandomSigns(), channel_of(scenario))


def certified(text: str) -> Candidate:
    found = considered(text)
    assert found.certified is not None, found.reasons
    return found


def chance(there: Any, p: Any) -> float:
    """That another labeling explains every score, at the precision of the planner."""
    with working(there.working_bits):
        return float(failure(there, p))


@pytest.mark.parametrize(("text", "queries"), [
    ("N = 60; columns = 2; decimals = 0", 25),
    ("N = 1000; columns = 2; decimals = 1", 245),
    ("N = 10_000; columns = 2; decimals = 2", 1730),
    ("N = 25_000; columns = 2; decimals = 2", 4757),
    ("N = 25_000; columns = 2; decimals = 1", 12_936),
])  # fmt: skip
def test_known_answers(text, queries):
    found = certified(text)
    assert found.certified.queries == queries
    p = found.certified.certificate.parameters
    assert not certify(found.channel, signed(found.channel, p.labels, queries - 1)).holds


@pytest.mark.parametrize(("text", "decimals", "noise"), [
    ("N = 30; columns = 2; decimals = 0", 0, None),
    ("N = 28; columns = 2; decimals = truncated(0)", 0, None),
    ("N = 21; K = 3; decimals = 0", 0, None),
    ("N = 24; columns = 2; decimals = 0; noise = bounded(0.02)", 0, (-0.0199, 0.0199)),
])  # fmt: skip
def test_every_kind_of_labeling(text, decimals, noise):
    found = certified(text)
    attack, there = found.build(), found.channel
    K, N = there.classes, there.rows
    coins = np.random.default_rng(K)
    rare = np.where(coins.random(N) < 0.1, K - 1, 0)
    drawn = None if noise is None else lambda: float(coins.choice(noise))
    for labels in (coins.integers(0, K, N), np.zeros(N, int), np.full(N, K - 1), np.arange(N) % K, rare):
        board = Leaderboard(labels, decimals, there.digits.truncates, drawn, clip=float(there.clip.lo))
        assert (attack.recover(board) == labels).all()  # each may fail with probability 1 %; these do not
        assert board.asked == found.certified.queries


@pytest.mark.parametrize("count", [1, 2, 5, 8, 13])
def test_what_a_score_bears_of_random_signs(count):
    shares = [arb(1), arb("0.7"), arb("0.4"), arb("0.1"), arb(2) ** -90]
    values = [float(one) for one in shares]
    whole = sum(values[min(abs(sum(one)), 4)] for one in product((-1, 1), repeat=count)) / 2**count
    assert float(borne(count, shares)) == pytest.approx(whole)
    assert borne(count + 2, shares) < borne(count, shares) + arb(2) ** -70


def test_what_a_score_bears_of_a_shift_without_end():
    """What is beyond the last shift that was looked at is borne no better than that one."""
    shares = [arb(1), arb("0.5")]
    whole = sum(0.5 if abs(sum(one)) else 1.0 for one in product((-1, 1), repeat=6)) / 64
    assert whole <= float(borne(6, shares).upper())


def test_the_chance_is_that_of_all_sets_of_places():
    found = certified("N = 30; columns = 2; decimals = 0")
    there, p = found.channel, found.certified.certificate.parameters
    x = float(p.gap) / there.rows
    shares = [max(0.0, 1 - x * size) for size in range(31)]
    total = 0.0
    for k in range(1, 31):
        law = [(abs(2 * up - k), comb(k, up) / 2**k) for up in range(k + 1)]
        total += comb(30, k) * sum(chance * shares[size] for size, chance in law) ** p.order
    assert chance(there, p) == pytest.approx(total, rel=1e-4)
    assert chance(there, replace(p, order=p.order + 1)) < chance(there, p)


def test_groups_hold_every_number_of_places():
    """A sum of groups is no less than that of all numbers, and not by much more."""
    found = certified("N = 1000; columns = 2; decimals = 1")
    there, p = found.channel, found.certified.certificate.parameters
    x = float(p.gap) / (there.rows / 10)
    shares = [arb(str(max(0.0, 1 - x * size))) for size in range(5)]
    alone = sum(float(arb(comb(1000, k)) * borne(k, shares) ** p.order) for k in range(1, 1001))
    found_ = chance(there, p)
    assert alone * 0.999 < found_ < 0.01
    assert len(mistaken(there, p)) < 300
    for labels, above in ((40, 1 + 1e-9), (300, 1.1), (900, 1.6)):
        ways = sum(exp(float(many)) for many, _ in mistaken(there, replace(p, labels=labels)))
        assert 0.999 < ways / (2.0**labels - 1) < above
    groups = list(pairwise(_starts(900)))
    for (first, after), (many, _) in zip(groups, mistaken(there, replace(p, labels=900)), strict=True):
        assert sum(comb(900, k) for k in range(first, after)) <= exp(float(many)) * (1 + 1e-9)


def test_every_bit_of_a_class_has_its_chance():
    found = certified("N = 21; K = 3; decimals = 0")
    p = found.certified.certificate.parameters
    alone = sum(exp(float(many + p.order * chance)) for many, chance in mistaken(found.channel, p))
    assert p.bits == 2
    assert chance(found.channel, p) == pytest.approx(2 * alone)


@pytest.mark.parametrize(
    "text", ["N = 60; columns = 2; decimals = 0", "N = 400; columns = 2; decimals = 1; noise = bounded(1/1000)"]
)
def test_the_checker_agrees(text):
    found = certified(text)
    there, p = found.channel, found.certified.certificate.parameters
    report = recorded.channel_of(json.loads(json.dumps(channel_to_json(there)))["exact"])
    derived = checker.derive(report, json.loads(json.dumps(p.to_json())))
    assert all(claim.proof(report)[2] for claim in derived.claims)
    again = checker.consistent.read(report, json.loads(json.dumps(p.to_json())))
    assert float(checker._failure(report, again).most()) == pytest.approx(chance(there, p), rel=1e-6)
    thinner = replace(p, order=p.order - 1, queries=p.queries - 1)
    faults = checker.derive(report, json.loads(json.dumps(thinner.to_json())))
    assert not all(claim.proof(report)[2] for claim in faults.claims)


@pytest.mark.parametrize("change", [{"rounds": 2}, {"base": 2}, {"repairs": 1}, {"tilt": Fraction(1)}, {"order": 40}])
def test_records_that_prove_nothing(change):
    found = certified("N = 60; columns = 2; decimals = 0")
    assert not certify(found.channel, replace(found.certified.certificate.parameters, **change)).holds


@pytest.mark.parametrize("text", ["N = 60; columns = 2; decimals = 0; noise = gaussian(0.01)", "N = 60; columns = 2"])
def test_refusals(text):
    assert considered(text).certified is None


def test_noise_that_is_drawn_is_refused():
    """Uniform noise on rounded scores has a bound, but is not even within it."""
    found = certified("N = 60; columns = 2; decimals = 0")
    (scenario,) = loads(
        "scenario x { N = 60; columns = 2; decimals = 0; scorer = sklearn; time = exponential; noise = uniform(0, 1e-9) }"
    )
    drawn = certify(channel_of(scenario), found.certified.certificate.parameters)
    assert any(not one.holds for one in drawn.obligations if one.field == "noise")


def test_whoever_has_no_time_is_not_promised_this():
    found = certified("N = 60; columns = 2; decimals = 0")
    (scenario,) = loads("scenario hasty { N = 60; columns = 2; decimals = 0; scorer = sklearn; adaptive = no }")
    hasty = channel_of(scenario)
    assert isinstance(RandomSigns().propose(hasty), tuple)
    assert not certify(hasty, found.certified.certificate.parameters).holds


def test_shifts_without_end_are_left_alone():
    """A score that hides thousands of gaps: a sum over them would take long, and nothing is proposed."""
    (reason,) = considered("N = 1_000_000; columns = 2; decimals = 0; clip = 1e-3").reasons
    assert reason.need == "signs that tell labelings apart"
    assert MOST_GAPS < 1_000_000 / 7


def test_labelings_that_explain_the_scores_are_found():
    """Beside all of them, one by one."""
    coins = np.random.default_rng(8)
    for trial in range(60):
        signs = 2 * coins.integers(0, 2, (6, 9)).astype(np.int16) - 1
        labels = coins.integers(0, 2, 9)
        measured = signs @ labels + coins.uniform(-0.7, 0.7, 6)
        every = np.array(list(product((0, 1), repeat=9)))
        fits = every[(np.abs(every @ signs.T - measured) <= 0.7).all(axis=1)]
        found = explaining(signs, measured, 0.7)
        assert any((found == one).all() for one in fits), trial
        with pytest.raises(InconsistentScores):
            explaining(signs, measured + 50, 0.7)


def test_few_of_many_draws_are_ambiguous():
    """At a tenth of confidence: how often two labelings are left, against what is granted."""
    found = certified("N = 12; columns = 2; decimals = 0; confidence = 60%; clip = 1e-3")
    p, there = found.certified.certificate.parameters, found.channel
    half, wrong, trials = float(p.half_cell(Fraction(1))), 0, 300
    coins = np.random.default_rng(4)
    every = np.array(list(product((0, 1), repeat=12)))
    for _ in range(trials):
        signs = 2 * coins.integers(0, 2, (p.order, 12)) - 1
        left = coins.uniform(-half, half, p.order)
        wrong += (np.abs(every[1:] @ signs.T + left) <= half).all(axis=1).any()
    bound = chance(there, p)
    assert bound <= 0.4
    assert 0 < wrong <= trials * bound + 4 * (trials * bound) ** 0.5


def test_more_labels_than_can_be_compared_are_not_searched():
    found = certified("N = 60; columns = 2; decimals = 0")
    with pytest.raises(ValueError, match="too many to compare"):
        found.build().decode([20.0] * found.certified.queries)


def test_scores_of_no_labeling_are_refused():
    found = certified("N = 24; columns = 2; decimals = 0")
    for score in (99.0, -3.0, float("nan")):
        with pytest.raises(InconsistentScores):
            found.build().decode([score] * found.certified.queries)
    attack: Any = found.build()
    labels = np.random.default_rng(0).integers(0, 2, 24)
    board = Leaderboard(labels, 0, clip=2.0**-52)
    scores = [board(query) for query in attack.queries()]
    assert (attack.decode(scores) == labels).all()
    for one, other in combinations(range(3), 2):
        changed = list(scores)
        changed[one] += 5
        changed[other] -= 7
        with pytest.raises(InconsistentScores):
            attack.decode(changed)
