"""A part that is not finished promises nothing and excludes nothing: metrics, laws, digits and formats."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest
from flint import arb

from dsl import loads
from dsl.checking.metrics import METRICS as NAMED
from dsl.scenario import Noise, Skewed
from planner.catalogue import CATALOGUE
from planner.channel import formats, mechanisms, metrics
from planner.channel.channel import channel_of
from planner.channel.formats.base import Format
from planner.channel.mechanisms.base import Digits, Law
from planner.channel.metrics.base import Metric
from planner.considering import consider
from planner.limits import limits_of
from planner.model import Status

SCENARIOS = (
    "N = 20; clip = 1e-15; decimals = 3",
    "N = 20; phi = arbitrary",
    "N = 9; noise = bounded(1)",
    "N = 2000; clip = 1e-15; decimals = 3; queries <= 5; adaptive = no",
    "N = 20; clip = 1e-15; noise = gaussian(0.1)",
)


class Mine(Metric):
    """Only what is abstract."""

    id = "mine"
    title = "mine"

    def neutral_charge(self, classes):
        return arb(0)

    def light(self, p):
        return arb(0)

    def heavy(self, p):
        return arb(1)

    def weight(self, p):
        return arb(1)


class Logarithmic(Mine):
    logarithmic = True


@dataclass(frozen=True)
class Value:
    """A value of the language that no part knows yet."""

    digits: int = 3


class MyLaw(Law):
    kind = Value


class MyRandomLaw(MyLaw):
    random = True


class MyDigits(Digits):
    kind = Value

    @property
    def text(self):
        return "mine"


class MyFormat(Format):
    kind = Value
    text = described = "mine"


def silent(channel) -> None:
    assert channel.unknown
    for theorem in CATALOGUE:
        assert consider(theorem, channel).status is Status.REFUSED, theorem.id
    for limit in limits_of(channel):
        assert limit.queries is None, limit.id
        assert not limit.excludes_all


def channels():
    return [channel_of(loads(f"scenario a {{ {text} }}")[0]) for text in SCENARIOS]


@pytest.mark.parametrize("metric", [Mine(), Logarithmic()])
def test_a_metric_that_is_not_finished(metric, monkeypatch):
    monkeypatch.setitem(metrics.METRICS, "mine", "mine")
    monkeypatch.setitem(sys.modules, "planner.channel.metrics.mine", SimpleNamespace(MINE=metric))
    assert metrics.metric_of("mine") is metric
    for channel in channels():
        silent(replace(channel, metric_id="mine"))


@pytest.mark.parametrize("law", [MyLaw, MyRandomLaw])
def test_a_law_that_is_not_finished(law, monkeypatch):
    monkeypatch.setitem(mechanisms.LAWS, Value, ("mine", "Mine"))
    monkeypatch.setitem(sys.modules, "planner.channel.mechanisms.mine", SimpleNamespace(Mine=law))
    assert type(mechanisms.law_of(Value())) is law
    for channel in channels():
        silent(replace(channel, noise=Value()))


def test_a_rule_of_digits_that_is_not_finished(monkeypatch):
    monkeypatch.setattr(mechanisms, "DIGITS", (*mechanisms.DIGITS, MyDigits))
    for channel in channels():
        silent(replace(channel, shown=Value()))


def test_a_format_that_is_not_finished(monkeypatch):
    monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, MyFormat))
    for channel in channels():
        silent(replace(channel, precision=Value(), score_precision=Value()))


def test_every_part_that_is_listed_is_finished():
    parts = (*metrics.all_metrics(), *mechanisms.all_laws(), *mechanisms.DIGITS, *formats.FORMATS)
    assert all(one.known for one in parts)


def test_metrics_and_laws_are_listed_under_the_names_that_they_have():
    assert [one.id for one in metrics.all_metrics()] == list(metrics.METRICS) == [one.name for one in NAMED]
    assert [one.kind for one in mechanisms.all_laws()] == list(mechanisms.LAWS)
    assert {*mechanisms.LAWS} == {*Noise.__args__, Skewed}  # all that the language knows
