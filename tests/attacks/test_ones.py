"""Rows of ones: blocks whose idle rows are charged next to nothing, where rows need not sum to 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from dsl import loads
from planner import plan
from planner.attacks.attack import InconsistentScores
from planner.attacks.ones.certify import heaviest, largest_loss
from planner.attacks.ones.run import OnesAttack
from planner.attacks.ones.theorem import RowsOfOnes
from planner.attacks.surest import nearly_one
from planner.certify import certify
from planner.channel.channel import Channel, channel_of
from planner.considering import consider
from planner.model import Candidate
from planner.numerics.reals import ball, lower, midpoint, working
from tests.attacks.leaderboard import Leaderboard


def channel(text: str) -> Channel:
    (scenario,) = loads(f"scenario ones {{ {text} }}")
    return channel_of(scenario)


def certified(text: str) -> Candidate:
    found = consider(RowsOfOnes(), channel(text))
    assert found.certified is not None, found.reasons
    return found


def significant(digits: int) -> Callable[[float], float]:
    return lambda score: float(f"{score:.{digits - 1}e}")


def shown(labels: Any, rule: Callable[[float], float] = float) -> Callable[[Any], float]:
    board = Leaderboard(labels, clip=None)
    return lambda submission: rule(board(np.clip(submission, 2.0**-52, 1 - 2.0**-52)))


@pytest.mark.parametrize(("text", "queries"), [
    ("N = 25_000; columns = 2", 544),
    ("N = 1_000_000; columns = 2", 21_740),
    ("N = 25_000; K = 3", 863),
    ("N = 100_000; K = 3; decimals = significant(4)", 12_500),
    ("N = 10_000; K = 3; decimals = significant(3)", 1_667),
])  # fmt: skip
def test_known_answers(text, queries):
    assert certified(f"{text}; scorer = sklearn").certified.queries == queries


@pytest.mark.parametrize(("text", "rule"), [
    ("N = 700; columns = 2", float),
    ("N = 700; columns = 2; decimals = 4", lambda score: float(np.round(score, 4))),
    ("N = 500; K = 3", float),
    ("N = 300; K = 10", float),
    ("N = 3000; K = 3; decimals = significant(4)", significant(4)),
    ("N = 500; K = 10; decimals = significant(5)", significant(5)),
    ("N = 900; columns = 2; clip = 1e-3; decimals = significant(6)", significant(6)),
])  # fmt: skip
def test_every_kind_of_labeling(text, rule):
    found = certified(f"{text}; scorer = sklearn")
    attack, there = found.build(), found.channel
    K, N, clip = there.classes, there.rows, float(there.clip.lo)
    coins = np.random.default_rng(K)
    rare = np.where(coins.random(N) < 0.02, K - 1, 0)
    for labels in (coins.integers(0, K, N), np.zeros(N, int), np.full(N, K - 1), np.arange(N) % K, rare):
        board = Leaderboard(labels, clip=clip)
        assert (attack.recover(lambda u, board=board: rule(board(u))) == labels).all()
        assert board.asked == found.certified.queries


@pytest.mark.parametrize("text", [
    "N = 5; columns = 2; decimals = significant(2)",
    "N = 4; K = 3; decimals = significant(3)",
    "N = 6; columns = 2; decimals = 1",
    "N = 5; columns = 2; noise = multiplicative(0.05)",
    "N = 6; columns = 2",
    "N = 3; K = 4; phi = float32; noise = bounded(0.01)",
])  # fmt: skip
def test_every_error_within_the_bound_is_borne(text):
    found = certified(f"{text}; scorer = sklearn")
    attack, there, p = found.build(), found.channel, found.certified.certificate.parameters
    coins = np.random.default_rng(1)
    for hidden, side in product(product(range(there.classes), repeat=there.rows), (1, -1, 0)):
        labels = np.array(hidden)
        assert (attack.recover(off(there, p, labels, lambda: side or coins.choice([-1, 1]))) == labels).all()  # noqa: B023


def off(there: Channel, p: Any, labels: Any, side: Callable[[], int], part: int = 999) -> Callable[[Any], Any]:
    """Exact scores that are off by all but a thousandth of the certified error."""

    def score(u: Any) -> Any:
        with working(300):
            charges = [-ball(_exact(row[label])).log() for row, label in zip(u, labels, strict=True)]
            loss = sum(charges[1:], charges[0]) / len(labels)
            largest = loss if there.law.grows else largest_loss(there, p)
            error = lower(there.errors(p.queries).score_error(largest, heaviest(p.rows, p.idle)))
            return midpoint(loss) + int(side()) * error * part / 1000

    return score


def _exact(value: Any) -> Fraction:
    return Fraction(float(value))


def test_a_block_of_thinner_steps_is_refused_and_misread():
    """Entries nearer to each other: the certifier refuses them, and some error within the bound is read wrong."""
    found = certified("N = 6; columns = 2; decimals = 1; scorer = sklearn")
    there, p = found.channel, found.certified.certificate.parameters
    idle = nearly_one(there)
    thin = replace(
        p, rows=tuple((idle, there.submission.round_down(row[1] * idle / row[0] + (1 - row[1]) / 2)) for row in p.rows)
    )
    assert not certify(there, thin).holds
    attack, wrong = OnesAttack("ones", there, thin), 0
    for hidden, side in product(product(range(2), repeat=there.rows), (1, -1)):
        labels = np.array(hidden)
        try:
            wrong += (attack.recover(off(there, thin, labels, lambda side=side: side)) != labels).any()
        except InconsistentScores:
            wrong += 1
    assert wrong


@pytest.mark.parametrize(
    "text", ["N = 6; columns = 2; decimals = 1", "N = 6; K = 3; clip = 1e-3; decimals = significant(4)"]
)
def test_idle_entries_that_the_clip_moves_are_refused(text):
    found = certified(f"{text}; scorer = sklearn")
    there, p = found.channel, found.certified.certificate.parameters
    clip = there.clip.lo
    for idle in (1 - clip / 2, clip / 2, Fraction(1)):
        assert not certify(there, replace(p, idle=idle)).holds
    assert certify(there, replace(p, idle=there.submission.round_down(1 - 4 * clip))).holds


def test_a_scorer_that_divides_rows_by_their_sums_is_noticed():
    found = certified("N = 300; K = 3; scorer = sklearn")
    labels = np.random.default_rng(0).integers(0, 3, 300)
    with pytest.raises(InconsistentScores):
        found.build().recover(lambda u: shown(labels)(u / u.sum(axis=1, keepdims=True)))


def test_scores_of_no_labeling_are_refused():
    found = certified("N = 50; K = 3; scorer = sklearn; decimals = 5")
    attack, count = found.build(), found.certified.queries
    for score in (99.0, 1.23456, float("nan")):
        with pytest.raises(InconsistentScores):
            attack.decode([score] * count)


@pytest.mark.parametrize(("text", "takes"), [
    ('scorer = sklearn("1.5"); columns = 2', True),
    ("scorer = sklearn; K = 3", True),
    ('scorer = sklearn("1.4"); columns = 2', False),
    ("scorer = sklearn; columns = 2; renormalises = yes", False),
    ("scorer = sklearn", False),
    ("columns = 2; clip = 1e-15", False),
    ("scorer = kaggle; columns = 2", False),
    ("scorer = xgboost; K = 3", False),
])  # fmt: skip
def test_only_scorers_that_are_known_to_take_such_rows(text, takes):
    """Of any other it is not known that it does not refuse them."""
    report = plan(loads(f"scenario ones {{ N = 40; decimals = 4; {text} }}")[0])
    assert report.channel.any_sums is takes
    for attack in ("ones", "scaled"):
        one = next(each for each in report.candidates if each.attack == attack)
        assert (one.certified is not None) is takes, attack
        assert takes or "scorer" in {reason.field for reason in one.reasons}
