"""Comparisons that are listed beforehand: idle rows of any charge put a boundary between the two sums of a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from dsl import loads
from planner.attacks.attack import InconsistentScores
from planner.attacks.scaled.certify import error
from planner.attacks.scaled.run import ScaledAttack
from planner.attacks.scaled.theorem import ScaledThreshold
from planner.certify import certify
from planner.channel.channel import Channel, channel_of
from planner.considering import consider
from planner.model import Candidate
from planner.numerics.reals import ball, lower, midpoint, working
from tests.attacks.leaderboard import Leaderboard


def certified(text: str) -> Candidate:
    (scenario,) = loads(f"scenario listed {{ {text}; scorer = sklearn; adaptive = no }}")
    found = consider(ScaledThreshold(), channel_of(scenario))
    assert found.certified is not None, found.reasons
    return found


@pytest.mark.parametrize(("text", "decimals"), [
    ("N = 250; columns = 2; decimals = 0", 0),
    ("N = 200; columns = 2; decimals = 1", 1),
    ("N = 200; columns = 2; decimals = 3", 3),
    ("N = 200; columns = 2; clip = 1e-3; decimals = 2", 2),
    ("N = 150; K = 3; decimals = 1", 1),
    ("N = 120; K = 10; decimals = 0", 0),
])  # fmt: skip
@pytest.mark.parametrize("truncates", [False, True])
def test_every_kind_of_labeling(text, decimals, truncates):
    written = text.replace(f"decimals = {decimals}", f"decimals = truncated({decimals})") if truncates else text
    found = certified(written)
    attack, there = found.build(), found.channel
    K, N = there.classes, there.rows
    assert found.certified.queries == N * (K - 1).bit_length()
    coins = np.random.default_rng(K)
    rare = np.where(coins.random(N) < 0.02, K - 1, 0)
    for labels in (coins.integers(0, K, N), np.zeros(N, int), np.full(N, K - 1), np.arange(N) % K, rare):
        board = Leaderboard(labels, decimals, truncates, clip=float(there.clip.lo))
        assert (attack.recover(board) == labels).all()
        assert board.asked == found.certified.queries


def off(there: Channel, p: Any, labels: Any, side: Callable[[], int], part: int) -> Callable[[Any], float]:
    """Exact scores, moved by a part of what noise and floating point may do, then rounded."""

    def score(u: Any) -> float:
        with working(300):
            charges = [-ball(Fraction(float(row[label]))).log() for row, label in zip(u, labels, strict=True)]
            loss = midpoint(sum(charges[1:], charges[0]) / len(labels))
            moved = loss + there.law.centre + int(side()) * lower(error(there, p)) / there.scored * part / 1000
        unit = there.digits.unit
        return float((moved / unit).__floor__() * unit) if there.digits.truncates else float(round(moved / unit) * unit)

    return score


@pytest.mark.parametrize("text", [
    "N = 5; columns = 2; decimals = 0",
    "N = 5; columns = 2; decimals = 1; noise = bounded(2)",
    "N = 5; columns = 2; decimals = truncated(0); noise = uniform(-1, 2)",
    "N = 3; K = 3; decimals = 1; noise = multiplicative(0.3)",
    "N = 1; columns = 2; decimals = 0; noise = bounded(5)",
])  # fmt: skip
def test_every_error_within_the_bound_is_borne(text):
    found = certified(text)
    attack, there, p = found.build(), found.channel, found.certified.certificate.parameters
    coins = np.random.default_rng(1)
    for hidden, side in product(product(range(there.classes), repeat=there.rows), (1, -1, 0)):
        labels = np.array(hidden)
        score = off(there, p, labels, lambda side=side: side or coins.choice([-1, 1]), 999)
        assert (attack.recover(score) == labels).all()


def test_noise_of_half_a_weight_is_too_much_and_is_misread():
    """At N τ = W/2 the certifier refuses; a little more is read wrong by some labeling."""
    found = certified("N = 5; columns = 2; decimals = 1; noise = bounded(3.5)")
    there, p = found.channel, found.certified.certificate.parameters
    (louder,) = loads(
        "scenario a { N = 5; columns = 2; decimals = 1; noise = bounded(3.65); scorer = sklearn; adaptive = no }"
    )
    assert not certify(channel_of(louder), p).holds
    wrong = 0
    for hidden, side in product(product(range(2), repeat=5), (1, -1)):
        labels = np.array(hidden)
        try:
            wrong += (
                ScaledAttack("scaled", there, p).recover(off(there, p, labels, lambda side=side: side, 1050)) != labels
            ).any()
        except InconsistentScores:
            wrong += 1
    assert wrong


def test_a_boundary_that_is_a_unit_off_is_refused():
    found = certified("N = 30; columns = 2; decimals = 0")
    there, p = found.channel, found.certified.certificate.parameters
    for boundary in (p.boundary + 1, p.boundary - 1):
        assert not certify(there, replace(p, boundary=boundary)).holds


def test_a_boundary_nearer_to_the_lower_sum_than_the_error_is_refused():
    """Each of four idle rows moves the sums up by a quarter: enough for noise of 17.5 nats to cross it."""
    found = certified("N = 5; columns = 2; decimals = 1; noise = bounded(3.5)")
    there, p = found.channel, found.certified.certificate.parameters
    moved = certify(there, replace(p, idle=there.submission.round_down(p.idle * Fraction(float(np.exp(-0.25))))))
    assert [one.holds for one in moved.inequalities] == [True, False, True, True]


def test_idle_rows_are_not_clipped():
    """A clip of 0.3 lets no row be charged as much as a boundary at no decimals asks for."""
    (scenario,) = loads(
        "scenario a { N = 40; columns = 2; decimals = 0; clip = 0.45; scorer = sklearn; adaptive = no }"
    )
    refused = consider(ScaledThreshold(), channel_of(scenario))
    assert refused.certified is None


def test_scores_of_no_labeling_are_refused():
    found = certified("N = 30; columns = 2; decimals = 1")
    attack, count = found.build(), found.certified.queries
    for score in (99.0, -3.0, float("nan")):
        with pytest.raises(InconsistentScores):
            attack.decode([score] * count)
