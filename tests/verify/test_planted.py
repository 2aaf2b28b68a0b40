"""Mistakes planted in the planner itself: it believes them, and the checker does not."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb

from planner.channel.metrics import metric_of
from planner.model import LowerBound, Verdict
from planner.numerics.reals import ball
from tests.verify.samples import as_json, report
from threatplan.verify import check

NOISY = "N = 41; clip = 1e-4; noise = bounded(1/50)"


def faults(text):
    return check(as_json(report(text))).faults


def test_nothing_is_false_unplanted():
    assert faults(NOISY) == ()


BRIER = "N = 41; metric = brier; scorer = sklearn"


@pytest.mark.parametrize(
    ("method", "mistake"),
    [
        ("reach", lambda self, channel: arb(2)),
        ("neutral_charge", lambda self, classes: arb(1) / 8),
        ("heavy", lambda self, p: ball((1 - p) ** 2 / 2)),
        ("weight", lambda self, p: ball(2 - 4 * p)),
        ("charge_error", lambda self, channel: Fraction(0)),
        ("prepared", lambda self, channel: Fraction(0)),
        ("heaviest", lambda self, channel, largest: arb(1) / 4),
        ("deviation", lambda self, channel, largest, spread, classes: arb(-1)),
        ("unknown", lambda self, channel: ("K",)),
    ],
)
def test_a_mistake_planted_in_the_brier_score_is_found(monkeypatch, method, mistake):
    assert faults(BRIER) == ()
    monkeypatch.setattr(type(metric_of("brier")), method, mistake)
    assert faults(BRIER)


def test_a_row_of_the_brier_score_that_can_do_less_than_it_can_is_found(monkeypatch):
    text = f"{BRIER}; decimals = 3"
    assert faults(text) == ()
    monkeypatch.setattr(type(metric_of("brier")), "span", lambda self, channel: arb(1) / 2)
    assert faults(text)


@pytest.mark.parametrize(
    ("place", "mistake"),
    [
        ("planner.channel.mechanisms.bounded.BoundedLaw.within", lambda self, *known: arb(1) / 55),
        ("planner.channel.errors.hidden", lambda channel: arb(-1) / 100),
        ("planner.channel.channel.Channel.reach", lambda self: arb(100)),
        ("planner.channel.secret.Secret.needed", lambda self: arb(42)),
        ("planner.planning.lower_bound", lambda channel, limits: LowerBound(99, "I1")),
        ("planner.planning.judge", lambda *known: (Verdict.UNKNOWN, "")),
    ],
)
def test_a_planted_mistake_is_found(monkeypatch, place, mistake):
    monkeypatch.setattr(place, mistake)
    assert faults(NOISY)
