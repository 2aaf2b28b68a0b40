"""What campaigns have found, by name: scenarios that once broke a promise or the planner, and must not again."""

from __future__ import annotations

import pytest

from threatplan.campaign.examine import examine
from threatplan.campaign.terms import Task, Terms

FOUND = {
    "noise at its full bound on coarse exact scores": """
        N = 23; K = 3; phi = arbitrary; clip = 2.414e-12; noise = bounded(2.908e-01)""",
    "exact scores, averaged": "N = 18; K = 2; phi = arbitrary; clip = 1e-16",
    "exact scores without a clip, averaged": "N = 60; phi = arbitrary; columns = K",
    "a clip above 1/K": "N = 12; K = 5; clip = 0.4; noise = subexponential(2.67e-08, 2e-05); decimals = 0",
    "a clip of 1/K under significant digits": "N = 4; K = 3; clip = 1/3; decimals = significant(4); goal = 99%",
    "a clip above 1/K in half precision": """
        N = 22; K = 10; phi = float16; clip = 0.4; noise = uniform(-4.6e-03, 4.6e-03); decimals = 5; goal = 99%""",
    "idle rows off a fixed grid": "N = 16; K = 3; phi = fixed(5, 8); queries <= 300",
    "idle rows off a fixed grid under noise": "N = 3; K = 8; phi = fixed(13, 38); noise = bounded(7.8e-02); decimals = 1",
    "a clip above 1/K and few labels wanted": "N = 5; K = 3; clip = 49%; queries <= 1; goal = 60%",
    "a clip near 1/2 under multiplicative noise": """
        N = 9; K = 5; phi = arbitrary; clip = 49%; noise = multiplicative(1/4); decimals = significant(2)""",
    "parameters of more than 4,300 digits": """
        N = 365; K = 3; phi = arbitrary; noise = subexponential(3.46652e-07, 5.97372e-03); decimals = significant(4)""",
    "a preset told not to clip": """
        N = 15; K = 3; scorer = xgboost; clip = none; noise = multiplicative(0.9); decimals = 1; queries <= 300""",
    "a wrong bit, as was allowed, spells a class that does not exist": """
        N = 50; K = 3; phi = arbitrary; clip = 1e-15; noise = bounded(6.53533908e-01); decimals = 2; goal = 3/4""",
    "averages with more levels than memory holds": "N = 23; K = 3; noise = gaussian(1e-06); confidence = 95%",
    "averages of many levels under uniform noise": """
        N = 53; K = 3; noise = uniform(-1.805283e-07, 3.610567e-07); confidence = 99.9999999%""",
    "a decoder that rounds away a thin margin under multiplicative noise": """
        N = 256; phi = 87; noise = multiplicative(3.47359e-02); columns = K; time = exponential""",
    "a scorer of one column given two": """
        N = 24; scorer = torch_bce; noise = bounded(7.2e-01); decimals = 5; columns = K""",
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str) -> None:
    record = examine(Task(0, f"scenario found {{\n{FOUND[name]}\n}}\n"), Terms(trials=6, seconds=30))
    assert record["defects"] == []
