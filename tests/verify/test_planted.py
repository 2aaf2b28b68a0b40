"""Mistakes planted in the planner itself: it believes them, and the checker does not."""

from __future__ import annotations

import pytest
from flint import arb

from planner.model import LowerBound, Verdict
from tests.verify.samples import as_json, report
from threatplan.verify import check

NOISY = "N = 41; clip = 1e-4; noise = bounded(1/50)"


def faults(text):
    return check(as_json(report(text))).faults


def test_nothing_is_false_unplanted():
    assert faults(NOISY) == ()


@pytest.mark.parametrize(
    ("place", "mistake"),
    [
        ("planner.channel.mechanisms.bounded.BoundedLaw.within", lambda self, *known: arb(1) / 55),
        ("planner.channel.errors.hidden", lambda channel: arb(-1) / 100),
        ("planner.channel.channel.Channel.reach", lambda self: arb(100)),
        ("planner.channel.secret.Secret.needed", lambda self: arb(42)),
        ("planner.planning.lower_bound", lambda limits: LowerBound(99, "I1")),
        ("planner.planning.judge", lambda *known: (Verdict.UNKNOWN, "")),
    ],
)
def test_a_planted_mistake_is_found(monkeypatch, place, mistake):
    monkeypatch.setattr(place, mistake)
    assert faults(NOISY)
