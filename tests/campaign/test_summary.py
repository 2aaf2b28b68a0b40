from __future__ import annotations

import math
import random

import pytest

from threatplan.campaign.page import tables
from threatplan.campaign.summary import Summary, tail
from threatplan.render.page import Page


def entry(**other):
    return {"status": "feasible", "queries": 4, "margin": 0.5, "chance": None, "trials": 2, "missed": 0} | other


def record(index, verdict="feasible", bound=2, queries=4, defects=(), **attacks):
    return {
        "index": index, "source": "scenario s { }", "verdict": verdict, "best": None, "queries": queries,
        "lower_bound": {"queries": bound, "by": "I1"}, "attacks": attacks, "unmet": [], "defects": list(defects),
    }  # fmt: skip


def summed(records):
    summary = Summary()
    for one in records:
        summary.add(one)
    return summary


def test_tallies():
    records = [
        record(0, block=entry()),
        record(1, block=entry(status="over_budget", margin=0.25)),
        record(2, "impossible", queries=None),
        record(3, block=entry(trials=0, refused="too large", margin=None)),
        {"index": 4, "source": "", "verdict": "exceeded", "exceeded": "more than 60 seconds", "defects": []},
    ]
    summary = summed(records)
    block = summary.to_json()["attacks"]["block"]
    assert (block["plans"], block["feasible"], block["simulations"], block["refused"]) == (3, 2, 4, 1)
    assert block["margin"] == 0.25
    assert summary.to_json()["verdicts"] == {"exceeded": 1, "feasible": 3, "impossible": 1}
    assert summary.exceeded == {"more than 60 seconds": 1}
    assert summary.sound


def test_order_does_not_matter():
    draw = random.Random(3)
    records = [
        record(i, bound=draw.randint(1, 9), queries=draw.randint(9, 99),
               defects=[{"kind": "promise", "where": "block", "text": str(i)}] if i % 7 == 0 else (),
               block=entry(chance=draw.choice((0.1, 0.013)), missed=i % 2))
        for i in range(50)
    ]  # fmt: skip
    shuffled = records[:]
    draw.shuffle(shuffled)
    assert summed(records).to_json() == summed(shuffled).to_json()


def test_quantiles_count_scenarios():
    ratios = summed([record(i, bound=1, queries=i + 1) for i in range(10)]).ratios()
    assert ratios == {"count": 10, "median": 5.0, "p90": 9.0, "max": 10.0}
    assert Summary().ratios() is None


def test_defects_make_it_unsound():
    bad = {"kind": "promise", "where": "block", "text": "5 labels right, 6 promised"}
    summary = summed([record(0, block=entry(), defects=[bad])])
    assert not summary.sound
    assert summary.attacks["block"].failures == 1
    shown = "\n".join(tables(summary, Page()))
    assert "1 x promise" in shown
    assert "5 labels right" in shown


def test_misses_within_the_promised_probability_are_no_defect():
    usual = summed([record(i, block=entry(chance=0.1, missed=i % 5 == 0)) for i in range(100)])
    assert usual.sound
    often = summed([record(i, block=entry(chance=0.01, missed=1)) for i in range(100)])
    assert not often.sound
    assert often.unlikely()[0]["missed"] == 100
    assert "chance" in "\n".join(tables(often, Page()))


@pytest.mark.parametrize("mean", [0.5, 3.0])
def test_the_tail_bounds_poisson(mean):
    for count in range(30):
        exact = 1 - sum(math.exp(-mean) * mean**k / math.factorial(k) for k in range(count))
        assert tail(mean, count) >= exact - 1e-12
    assert tail(1e-9, 1) < 1e-6
    assert tail(0.0, 1) == 0.0
