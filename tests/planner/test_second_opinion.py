"""Every figure of a report against a checker that shares no code with the planner, where each term of it counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dsl import load
from planner import plan
from threatplan.render.json import finite
from threatplan.verify import check

FIXTURE = Path(__file__).with_name("second_opinion.threat")
SCENARIOS = {one.name: one for one in load(FIXTURE)}


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_checker_derives_the_same(name: str) -> None:
    report = plan(SCENARIOS[name])
    assert check(json.loads(json.dumps(finite(report.to_json())))).faults == ()
