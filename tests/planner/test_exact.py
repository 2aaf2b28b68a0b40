"""A report as JSON holds all that its proofs rest on: a field or a kind of value that is forgotten fails here."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from fractions import Fraction
from importlib import import_module
from pkgutil import iter_modules
from typing import get_args

import pytest

import planner.designs
from dsl.numbers import Real
from dsl.scenario import Noise, Precision, Scenario, Shown
from planner import plan
from planner.attacks.parameters import parameters_from_json
from planner.channel.channel import Channel, channel_of
from planner.designs import PARTS
from planner.exact import KINDS, exact
from planner.report import APART, NAMES, PLACES, WRITTEN, report_to_json

# Parts of a search or of a decoder, never proposed.
SEARCHED = {"Option", "Mixture", "_Plan", "Runs", "Group", "Digits", "Places"}


def test_every_field_of_the_scenario_and_the_channel_is_written():
    scenario = Scenario("all", 12)
    entry = json.loads(json.dumps(report_to_json(plan(scenario))))
    assert set(entry["scenario"]) == {each.name for each in fields(Scenario)} - {*APART, *WRITTEN}
    kept = [each.name for each in fields(Channel) if each.name not in PLACES]
    assert sorted(entry["channel"]["exact"]) == sorted(NAMES.get(name, name) for name in kept)
    assert NAMES == {"rows": "N", "classes": "K", "wanted": "target", "metric_id": "metric"}  # as reports always said
    assert entry["channel"]["exact"]["target"] == channel_of(scenario).wanted


@pytest.mark.parametrize("kinds", [Precision, Noise, Shown])
def test_every_kind_of_value_has_a_name_of_its_own(kinds):
    named = [kind for kind in get_args(kinds) if kind is not type(None)]
    assert set(named) <= set(KINDS)
    assert len(set(KINDS.values())) == len(KINDS)


def test_numbers_are_exact():
    third = Fraction(1, 3)
    assert exact(Real(third, third)) == {"lo": "1/3", "hi": "1/3"}
    assert exact(Fraction(1, 2**5000)) == f"0x1/{2**5000:#x}"
    assert exact(2**5000) == hex(2**5000), "Python reads no decimal number of more than 4300 digits"
    with pytest.raises(TypeError, match="float has no place"):
        exact(0.5)


def test_every_part_of_a_design_has_a_short_name():
    homes = set()
    for module in iter_modules(planner.designs.__path__, "planner.designs."):
        for name, value in vars(import_module(module.name)).items():
            own = getattr(value, "__module__", "") == module.name
            if isinstance(value, type) and own and is_dataclass(value) and name not in SEARCHED:
                homes.add((module.name, name))
    assert homes == set(PARTS.values())


@pytest.mark.parametrize("name", ["planner.designs.lindstrom:Lindstrom", "os:system", "tensor", ""])
def test_a_record_that_names_no_part_of_a_design_is_refused(name):
    data = {"kind": "design_stages", "queries": 1, "labels": 1, "gap": {"fraction": "1/2"}, "digits": 1}
    with pytest.raises(ValueError, match="no part of a design"):
        parameters_from_json({**data, "design": {"type": name}})
