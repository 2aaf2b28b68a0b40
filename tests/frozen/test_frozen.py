"""Reports stay what they were, but for changes that are explained: a part of the frozen set, and the comparison itself."""

from __future__ import annotations

import copy

import pytest

from benchmarks._differences import Difference, Explanation, differences, explanations, shortest
from benchmarks.frozen import EXPLAINED, SET, compare, frozen, lines, sample, unexplained

SAMPLE = 40


@pytest.fixture(scope="module")
def entries():
    return frozen()["entries"]


def test_a_sample_of_the_frozen_reports_is_as_it_was(entries) -> None:
    left = unexplained(list(compare(sample(entries, SAMPLE))), explanations(EXPLAINED))
    assert not left, "\n".join(lines(left, 3))


def test_the_set_is_large_in_reports_and_small_in_bytes(entries) -> None:
    assert sum(entry["origin"].startswith("random") for entry in entries) == 2000
    assert any("gallery" in entry["origin"] for entry in entries)
    assert any(entry["origin"] == "examples/kaggle.threat" for entry in entries)
    assert SET.stat().st_size < 3_000_000


def test_a_sample_holds_every_verdict_and_many_attacks(entries) -> None:
    firsts = [entry["reports"][0] for entry in sample(entries, SAMPLE)]
    assert {one["verdict"] for one in firsts} == {"feasible", "impossible", "unknown"}
    assert len({one["best"]["attack"] for one in firsts if one["best"]}) >= 8


def _changed(report, change) -> list[Difference]:
    other = copy.deepcopy(report)
    change(other)
    return list(differences("here", "N = 5", report, other))


def _certified(report):
    return next(one for one in report["candidates"] if one["certified"])


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda one: one.update(verdict="impossible"), "verdict"),
        (lambda one: one["exposure"].update(labels=10**6), "exposure"),
        (lambda one: one["best"].update(queries=0), "best"),
        (lambda one: one["limits"][0].update(queries=10**6), "limit I1: bound"),
        (lambda one: one["candidates"][0].update(status="over_budget"), ": status"),
        (lambda one: _certified(one)["certified"].update(queries=0), ": figures"),
        (lambda one: _certified(one)["certified"]["certificate"][0].update(left=["0", "1"]), ": inequalities"),
        (lambda one: _certified(one)["certified"].update(memory=-1), ": costs"),
        (lambda one: one["limits"].pop(0), "limit I1: bound"),
        (lambda one: one.update(why="because"), "wording"),
    ],
)
def test_a_changed_part_is_named(entries, change, part) -> None:
    report = next(entry["reports"][0] for entry in entries if entry["reports"][0].get("best"))
    assert any(one.part.endswith(part) for one in _changed(report, change))


def test_a_name_that_is_added_is_no_difference_and_one_that_is_gone_is(entries) -> None:
    report = entries[0]["reports"][0]
    assert not _changed(report, lambda one: one["exposure"].update(more=1))
    assert _changed(report, lambda one: one["exposure"].pop("queries"))


def test_the_last_places_of_a_float_are_no_difference_but_any_other_is(entries) -> None:
    report = next(entry["reports"][0] for entry in entries if entry["reports"][0]["channel"]["E"])
    assert not _changed(report, lambda one: one["channel"].update(E=one["channel"]["E"] * (1 + 1e-15)))
    assert _changed(report, lambda one: one["channel"].update(E=one["channel"]["E"] * (1 + 1e-9)))


def test_an_explanation_covers_its_part_its_scenarios_and_its_values_only() -> None:
    one = Difference("random 3", "noise = laplace(1)", "attack zero: status", "feasible", "refused")
    assert Explanation(("attack zero: *",), "because").explains(one)
    assert Explanation(("*",), "because", scenario=("laplace", "random")).explains(one)
    assert Explanation(("*",), "because", old="feasible", new="refused").explains(one)
    assert not Explanation(("attack primes: *",), "because").explains(one)
    assert not Explanation(("*",), "because", scenario=("laplace", "gaussian")).explains(one)
    assert not Explanation(("*",), "because", new="feasible").explains(one)


def test_differences_are_grouped_and_shown_without_what_they_share() -> None:
    found = [Difference(f"random {n}", "", "verdict", "feasible", "unknown") for n in range(3)]
    assert list(lines(found, 1)) == ["    3  verdict: feasible -> unknown", "         random 0: feasible -> unknown"]
    assert shortest({"a": 1, "b": [1, 2]}, {"a": 1, "b": [1, 3]}) == "b: [1] 2 -> 3"


def test_every_explanation_says_why() -> None:
    assert all(one.why.strip() and one.parts for one in explanations(EXPLAINED))
