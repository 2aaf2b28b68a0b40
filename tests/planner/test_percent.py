"""Scores that are shown in percent: two digits fewer than their share has, and one rounding more on the way."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from backends.shown import show
from backends.simulate import simulate
from dsl import ThreatError, loads, source
from dsl.scenario import Decimals, Percentage
from planner import plan
from planner.channel.mechanisms import digits_of
from planner.report import Report
from threatplan.hardening.knobs import knobs
from threatplan.verify import check
from threatplan.verify.recorded import channel_of as checked_channel


@cache
def report(text: str) -> Report:
    (scenario,) = loads("scenario board {\n" + text.replace("; ", "\n") + "\n}\n")
    return plan(scenario)


def test_it_is_written_as_it_was_read():
    (one,) = loads("scenario a { N = 9; decimals = percent(2) }")
    assert one.shown == Percentage(4) != Decimals(4)
    assert "decimals = percent(2)" in source(one)
    assert loads(source(one)) == [one]
    (swept,) = loads("scenario a { N = 9; sweep decimals = percent(0..2) }")
    assert [point.shown for point in swept.points()] == [Percentage(2), Percentage(3), Percentage(4)]
    for wrong in ("percent(-1)", "percent(1/2)", "percent(1, 2)"):
        with pytest.raises(ThreatError):
            loads(f"scenario a {{ N = 9; decimals = {wrong} }}")


@pytest.mark.parametrize(
    ("score", "digits", "told"),
    [(0.87326, 4, 0.8733), (0.07, 2, 0.07), (2 / 3, 2, 0.67), (1.0, 4, 1.0), (0.125, 3, 0.125)],
)
def test_what_a_reader_makes_of_it(score, digits, told):
    assert show(score, Percentage(digits)) == told
    assert show(Fraction(score), Percentage(digits)) == Fraction(str(told))


def test_a_hundred_times_a_score_is_rounded_before_its_digits_are():
    assert 100 * 0.07 != 7
    assert [digits_of(one).roundings for one in (Decimals(4), Percentage(4))] == [1, 2]
    text = "N = 100; metric = brier; decimals = percent(2)"
    own = checked_channel(json.loads(json.dumps(report(text).to_json()))["channel"]["exact"])
    assert own.shown_roundings == 2


@pytest.mark.parametrize("metric", ["log_loss", "brier", "accuracy", "f1"])
def test_it_tells_what_as_many_decimals_of_the_share_tell(metric):
    clip = "; clip = 1e-15" if metric == "log_loss" else ""
    percent, share = (
        report(f"N = 40; metric = {metric}; decimals = {shown}; queries <= 30{clip}") for shown in ("percent(2)", "4")
    )
    assert percent.best.certified.queries == share.best.certified.queries
    assert {one.id: one.queries for one in percent.limits} == {one.id: one.queries for one in share.limits}
    assert check(json.loads(json.dumps(percent.to_json()))).faults == ()
    assert simulate(percent, trials=2).exact_trials == 2


@pytest.mark.parametrize(("N", "told"), [(100, True), (101, False)])
def test_as_many_rows_as_there_are_percentages_and_one_more(N, told):
    """Every k of 100 is a whole percentage; of 101 some are rounded to the same."""
    found = next(
        one
        for one in report(f"N = {N}; metric = accuracy; decimals = percent(0)").candidates
        if one.attack == "counting"
    )
    assert (found.certified is not None) is told
    if told:
        labels = (np.arange(N) * 7 % 11 < 4).astype(int)
        attack = found.build()
        assert (attack.recover(lambda u: float(f"{100 * (labels == u).mean():.0f}") / 100) == labels).all()


def test_the_flat_cell_and_the_knob():
    found = {one.id: one.queries for one in report("N = 40_000; metric = accuracy; decimals = percent(0)").limits}
    assert (
        found["I9"]
        == {one.id: one.queries for one in report("N = 40_000; metric = accuracy; decimals = 2").limits}["I9"]
    )
    (turned,) = (
        one for one in knobs(report("N = 40; metric = accuracy; decimals = percent(1)")) if one.name == "decimals"
    )
    assert list(turned.settings) == [Percentage(3), Percentage(2)]
