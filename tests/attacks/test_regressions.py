"""Defects that a run of an attack brought to light, each by name."""

from __future__ import annotations

import numpy as np
import pytest

from dsl.scenario import Decimals, Scenario
from planner import plan
from tests.attacks.leaderboard import Leaderboard, labelings
from tests.planner.known import candidate
from tests.planner.scenarios import CLIP


@pytest.mark.parametrize("digits", [9, 10, 11, 12])
def test_comparisons_at_the_last_digits_of_a_float(digits):
    """Every score that is certified to be read is read, near the end of what float64 shows."""
    report = plan(Scenario(name="x", N=7, clip=CLIP, shown=Decimals(digits)))
    for hidden in labelings(7):
        found = candidate(report, "threshold").build().recover(Leaderboard(hidden, digits))
        assert np.array_equal(found, hidden)
