"""Reports are verified from their JSON alone: those of every family and limit, of all files, and of random scenarios."""

from __future__ import annotations

import ast
import copy
import json
import random
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import threatplan.verify
from dsl import ThreatError, load
from dsl.checking.presets import takes_any_sums
from planner import plan
from planner.catalogue import kinds
from planner.limits import LIMITS as PROOFS
from tests.planner.scenarios import random_scenario
from tests.verify.samples import (
    BRIER_FAMILIES,
    BRIER_LIMITS,
    BRIER_VARIANTS,
    CLASSES_BRIER,
    CLASSES_LIMITS,
    COUNTS,
    ENERGY,
    FAMILIES,
    FREE_AVERAGES,
    LIMITS,
    NEIGHBOURS,
    NOISY_COMPARISONS,
    RELATIVE,
    as_json,
    entry,
)
from tests.verify.tampering import faulty
from threatplan.verify import Unreadable, check, relative
from threatplan.verify import certificate as certificates
from threatplan.verify.formats import Kind
from threatplan.verify.recorded import channel_of
from threatplan.verify.verdict import limit_faults

ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / "tests/gallery/right").glob("*.threat")), *sorted((ROOT / "examples").rglob("*.threat"))]
POINTS = 3  # of a sweep
SEEDS = range(20)
EACH, FEW = 10, 1  # scenarios of a seed, and of a run that is not thorough


def test_every_family_and_every_limit_has_its_part_in_the_checker():
    assert set(certificates.FAMILIES) == set(kinds()) == set(FAMILIES)
    assert {proof.id for proof in PROOFS} == set(LIMITS)


@pytest.mark.parametrize("kind", FAMILIES)
def test_a_report_of_every_family(kind):
    sample = entry(FAMILIES[kind])
    certified = [one["certified"] for one in sample["candidates"] if one["certified"]]
    assert kind in {one["parameters"]["kind"] for one in certified}
    assert check(sample).faults == ()


@pytest.mark.parametrize("id", LIMITS)
def test_a_report_of_every_limit(id):
    sample = entry(LIMITS[id])
    (limit,) = (one for one in sample["limits"] if one["id"] == id)
    assert limit["queries"] or limit["excludes_all"]
    assert check(sample).faults == ()


@pytest.mark.parametrize("name", NOISY_COMPARISONS)
def test_a_report_of_comparisons_under_noise(name):
    attack, text = NOISY_COMPARISONS[name]
    sample = entry(text)
    (certified,) = (one["certified"] for one in sample["candidates"] if one["attack"] == attack)
    assert certified
    assert check(sample).faults == ()


@pytest.mark.parametrize("name", FREE_AVERAGES)
def test_a_report_of_averages_of_rows_that_need_not_sum_to_one(name):
    sample = entry(FREE_AVERAGES[name])
    (certified,) = (one["certified"] for one in sample["candidates"] if one["attack"] == "consistent")
    assert certified
    assert check(sample).faults == ()


def test_any_sums_are_believed_of_scorers_that_are_known_to_take_them():
    """The fact by itself proves nothing: the scenario must name a scorer of which it was seen."""
    sample = entry(FREE_AVERAGES["bounded"])
    sample["scenario"]["scorer"]["version"] = "1.4"
    assert any("sum to" in fault for fault in check(sample).faults)
    sample["scenario"]["scorer"] = None
    assert any("sum to" in fault for fault in check(sample).faults)


@pytest.mark.parametrize("version", ["1.4", "1.5", "1.8.1", "1.9", "1.10", "2.0", "3.8"])
def test_any_sums_are_believed_of_the_releases_that_the_language_knows_and_of_no_other(version):
    """A report whose proof rests on rows of any sum was accepted with a release of the scorer that there is none of."""
    sample = entry(FREE_AVERAGES["bounded"])
    sample["scenario"]["scorer"]["version"] = version
    assert takes_any_sums("sklearn", version) is not any("sum to" in fault for fault in check(sample).faults)


# -- the Brier score -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attack", "text"),
    [*BRIER_FAMILIES.items(), *BRIER_VARIANTS.items(), *CLASSES_BRIER.items()],
    ids=lambda value: value[:60],
)
def test_a_report_of_every_attack_on_the_brier_score(attack, text):
    sample = entry(text)
    assert attack in {one["attack"] for one in sample["candidates"] if one["certified"]}
    assert check(sample).faults == ()


def test_offset_rows_and_none_are_both_among_the_comparisons_of_brier_scores():
    for text, offset in ((BRIER_FAMILIES["threshold"], False), (BRIER_VARIANTS["threshold"], True)):
        (one,) = (one for one in entry(text)["candidates"] if one["attack"] == "threshold")
        assert bool(one["certified"]["parameters"]["offset_rows"]) is offset


@pytest.mark.parametrize(("id", "text"), [*BRIER_LIMITS.items(), *CLASSES_LIMITS.items()])
def test_a_report_of_every_limit_on_the_brier_score(id, text):
    sample = entry(text)
    (limit,) = (one for one in sample["limits"] if one["id"] == id)
    assert limit["queries"] or limit["excludes_all"]
    assert check(sample).faults == ()


@pytest.mark.parametrize("kind", ["prime_powers", "digit_block", "geometric_odds", "dyadic_weights", "zero_tests"])
def test_records_that_multiply_odds_are_refused_for_the_brier_score(kind):
    """Whoever writes such a record into a report on Brier scores: its sums would be no logarithms of products."""
    sample = entry(FAMILIES[kind])
    (certified, *_) = (
        one["certified"]
        for one in sample["candidates"]
        if one["certified"] and one["certified"]["parameters"]["kind"] == kind
    )
    exact = {**sample["channel"]["exact"], "metric": "brier", "clip": None}
    faults = list(certificates.faults(channel_of(exact), certified))
    assert "needs charges that are logarithms of predictions" in faults


@pytest.mark.parametrize(
    ("text", "answers"),
    [("decimals = 1", 12), ("decimals = 2", 102), ("decimals = truncated(1)", 12), ("noise = bounded(1/8)", 4)],
)
def test_a_span_of_a_whole_number_of_units(text, answers):
    """W = 1 is ten tenths: an interval from tie to tie shows twelve values, of which the checker counted eleven."""
    sample = entry(f"N = 40; metric = brier; phi = arbitrary; {text}; queries <= 2")
    (limit,) = (one for one in sample["limits"] if one["id"] == "I1")
    assert limit["parameters"]["answers"] == answers
    assert check(sample).faults == ()


@pytest.mark.parametrize("text", ["phi = fixed(8, 20)", "columns = 2"])
def test_what_the_brier_score_has_no_word_for_is_neither_promised_nor_excluded(text):
    sample = entry(f"N = 12; metric = brier; {text}")
    assert sample["verdict"] == "unknown"
    assert not any(one["queries"] or one["excludes_all"] for one in sample["limits"])
    assert check(sample).faults == ()


@pytest.mark.parametrize("field", [{"K": 3, "columns": 3, "renormalises": True}, {"columns": 2}])
def test_no_certificate_of_brier_scores_holds_for_other_submissions(field):
    """Even where nothing but the channel and what is assumed of it are changed, and alike."""
    sample = entry(BRIER_FAMILIES["block"])
    certified = sample["best"] and next(one["certified"] for one in sample["candidates"] if one["certified"])
    exact = {**sample["channel"]["exact"], **field}
    certified["promise"]["assumes"] |= {name: str(value) for name, value in field.items()}
    assert any("nothing is known" in fault for fault in certificates.faults(channel_of(exact), certified))


def test_without_checks_nothing_bounds_a_row_of_the_brier_score():
    sample = entry("N = 306; metric = brier; scorer = sklearn; decimals = 4; checks = no")
    assert sample["verdict"] == "feasible"
    assert [one["id"] for one in sample["limits"] if one["queries"]] == ["I1"]  # a float64 has 2^64 values
    assert sample["lower_bound"]["queries"] < 10
    assert check(sample).faults == ()


@pytest.mark.parametrize(
    ("form", "parameters"),
    [
        ("classes", {"step", "rate", "share"}),
        ("listed", {"step", "rate"}),
        ("cut off behind noise", {"step", "rate", "share"}),
        ("bounded", {"step", "rate", "share"}),
        ("fixed point", {"step", "rate", "share"}),
        ("blur", {"step", "rate", "share"}),
        ("listed blur", {"step", "rate", "share"}),
        ("uniform", {"too_few"}),
        ("gaussian", {"too_few"}),
        ("listed gaussian", {"too_few"}),
        ("laplace", {"too_few"}),
        ("subexponential", {"too_few"}),
    ],
)
def test_a_report_of_every_form_of_the_energy_limit(form, parameters):
    sample = entry(ENERGY[form])
    limit = sample["limits"][5]
    assert set(limit["parameters"]) == parameters
    assert limit["queries"] >= max(one["queries"] or 0 for one in sample["limits"])
    assert check(sample).faults == ()


@pytest.mark.parametrize("form", ENERGY)
def test_one_query_more_is_not_what_the_energy_limit_proves(form):
    """Claimed everywhere where it is stated: the limit, its inequality, the lower bound."""
    sample = entry(ENERGY[form])
    limit = sample["limits"][5]
    more = limit["queries"] + 1
    (inequality,) = limit["inequalities"]
    inequality["name"] = inequality["name"].replace(str(limit["queries"] - 1), str(more - 1), 1)
    limit["queries"] = more
    if "too_few" in limit["parameters"]:
        limit["parameters"]["too_few"] = more - 1
    sample["lower_bound"] = {"queries": more, "by": "I6"}
    assert any("proved" in fault for fault in check(sample).faults)


@pytest.mark.parametrize("form", RELATIVE)
def test_a_report_of_relative_digits(form):
    """It is what is proved, and one query more is not; nor is it with an l or a t that proves nothing."""
    sample = entry(RELATIVE[form])
    limit = sample["limits"][2]
    assert set(limit["parameters"]) == {"rate", "part"}
    assert limit["queries"] == max(one["queries"] or 0 for one in sample["limits"])
    assert sample["ceiling"]["by"] == "I3"
    assert check(sample).faults == ()
    for change in (
        {"rate": "0/1"},
        {"part": "1/1"},
        {"part": "0/1"},
        {"rate": None},
        {"part": "1/1000"},
        {"step": "1/5"},
    ):
        changed = copy.deepcopy(sample)
        given = {**limit["parameters"], **change}
        changed["limits"][2]["parameters"] = {name: value for name, value in given.items() if value}
        assert faulty(changed), change
    more = limit["queries"] + 1
    (inequality,) = limit["inequalities"]
    inequality["name"] = inequality["name"].replace(str(more - 2), str(more - 1), 1)
    limit["queries"] = more
    sample["lower_bound"] = {"queries": more, "by": "I3"}
    assert any("proved" in fault for fault in check(sample).faults)


@pytest.mark.parametrize("change", [{"noise": Kind("gaussian", (("sigma", None),))}, {"adaptive": True}])
def test_relative_digits_are_those_of_scores_that_are_listed_and_not_pushed(change):
    channel = channel_of(entry(RELATIVE["one column"])["channel"]["exact"])
    assert relative.applies(channel)
    assert not relative.applies(replace(channel, **change))


@pytest.mark.parametrize(("part", "known"), [("1/2", True), ("1/1", False), ("3/2", False), ("0/1", False)])
def test_cells_reach_up_to_a_part_of_the_mean(part, known):
    """Beyond the mean its own cell would be counted among those far away."""
    channel = channel_of(entry(RELATIVE["one column"])["channel"]["exact"])
    assert (relative.score_bits(channel, {"rate": Fraction(100), "part": Fraction(part)}) is not None) is known


@pytest.mark.parametrize(
    "change",
    [
        {"adaptive": True},
        {"noise": Kind("gaussian", (("sigma", None),))},
        {"checks": False},
        {"uncertain": 1},
        {"radius": 20},
    ],
    ids=["adaptive", "noise", "checks", "uncertain", "radius"],
)
def test_relative_digits_prove_nothing_of_another_board(change):
    """Nor as much of rows that nobody checks before they are divided, which may have any sum."""
    sample = entry(RELATIVE["divided"])
    channel, limit = channel_of(sample["channel"]["exact"]), sample["limits"][2]
    assert not list(limit_faults(channel, limit))
    assert list(limit_faults(replace(channel, **change), limit))


@pytest.mark.parametrize("form", NEIGHBOURS)
def test_a_report_of_every_form_of_neighbours(form):
    """It is what is proved, and one query more is not; nor is it with other neighbours, or a point that proves nothing."""
    sample = entry(NEIGHBOURS[form])
    limit = sample["limits"][4]
    own = {"all": {"neighbours", "point"}, "listed": {"labels", "point"}, "one label": set()}[form.split(",")[0]]
    assert set(limit["parameters"]) == {"too_few", *own}
    assert check(sample).faults == ()
    for change in (*({name: "61"} for name in own), *({name: None} for name in own)):
        changed = copy.deepcopy(sample)
        given = {**limit["parameters"], **change}
        changed["limits"][4]["parameters"] = {name: value for name, value in given.items() if value}
        assert faulty(changed), change
    more = limit["queries"] + 1
    (inequality,) = limit["inequalities"]
    inequality["name"] = inequality["name"].replace(f"after {more - 2}", f"after {more - 1}")
    limit["queries"], limit["parameters"]["too_few"] = more, more - 1
    sample["lower_bound"] = {"queries": more, "by": "I5"}
    assert any("proved" in fault for fault in check(sample).faults)


@pytest.mark.parametrize(
    ("form", "change"),
    [
        ("classes", {"share": None}),  # of a non-adaptive score, where attacks are adaptive
        ("classes", {"rate": "0/1"}),
        ("classes", {"rate": "-1/2"}),
        ("classes", {"share": "-1/2"}),
        ("classes", {"rate": None}),
        ("classes", {"more": "1/2"}),
        ("classes", {"step": "1/5"}),
        ("listed", {"step": None}),
        ("gaussian", {"too_few": None}),
    ],
)
def test_parameters_that_no_form_of_the_energy_limit_has(form, change):
    sample = entry(ENERGY[form])
    given = sample["limits"][5]["parameters"]
    sample["limits"][5]["parameters"] = {name: value for name, value in {**given, **change}.items() if value}
    assert faulty(sample)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_reports_of_the_gallery_and_the_examples(path, one_in):
    for scenario in one_in(3, load(str(path)), path.stem):
        try:
            points = [point for point, _ in zip(scenario.points(), range(POINTS), strict=False)]
        except ThreatError:
            continue  # a point of a sweep whose values do not fit
        for point in points:
            assert check(as_json(plan(point))).faults == ()


@pytest.mark.parametrize("seed", SEEDS)
def test_reports_of_random_scenarios(seed, thorough):
    for each in range(EACH if thorough else FEW):
        draw = random.Random(f"verify {seed} {each}")
        scenario = random_scenario(draw, draw.choice([50, 2000, 10**7]))
        assert check(as_json(plan(scenario))).faults == (), scenario


# -- independence --------------------------------------------------------------------------------------


def test_the_checker_imports_nothing_but_the_standard_library_and_mpmath():
    allowed = {*sys.stdlib_module_names, "mpmath"}
    folder = Path(threatplan.verify.__file__).parent
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.split(".")[0] in allowed or name.startswith("threatplan.verify"), f"{file.name}: {name}"


def test_checking_loads_nothing_of_the_planner(one_in):
    texts = (*FAMILIES.values(), *LIMITS.values(), *BRIER_FAMILIES.values(), *BRIER_LIMITS.values())
    document = {"schema": 2, "scenarios": [entry(text) for text in one_in(9, texts, "loaded")]}
    code = (
        "import sys, threatplan.verify as checker\n"
        "assert all(one.holds for one in checker.verify(sys.stdin.read()))\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], input=json.dumps(document), capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "mpmath" in loaded
    assert not loaded & {"flint", "planner", "dsl", "backends", "tui", "numpy", "lark"}


def test_what_is_exposed_may_be_certified_for_the_goal_itself():
    """An attack that leaves labels wrong exposes fewer than all, and more than the goal: its record speaks of the goal."""
    sample = entry("N = 16; goal = 75%; noise = bounded(0.6); clip = 1e-6")
    exposed = sample["exposure"]["averaged"]["certified"]["promise"]
    assert sample["exposure"]["labels"] is None
    assert sample["channel"]["target"] <= exposed["labels"] - exposed["wrong"] < 16
    assert sample["exposure"]["right"] == exposed["labels"] - exposed["wrong"]
    assert check(sample).faults == ()


def test_what_is_right_is_not_called_known_and_what_is_guessed_not_corrected():
    sample = entry("N = 60; clip = 1e-15; noise = gaussian(0.8); queries <= 44; guess = 60%")
    shown = sample["exposure"]
    assert (shown["right"], shown["corrected"]) == (36 + shown["corrected"], shown["right"] - 36)
    assert shown["averaged"]["certified"]["promise"]["wrong"] > 0
    assert check(sample).faults == ()
    held = shown["averaged"]
    known = {"certified": held["certified"], "attack": held["attack"], "queries": held["certified"]["queries"],
             "labels": shown["right"], "fraction": shown["right"] / 60}  # fmt: skip
    for other in (
        {"right": shown["right"] + 1, "corrected": shown["corrected"] + 1},
        {"right": None},
        {"corrected": shown["corrected"] + 1},
        {"corrected": None},
        {"averaged": None},
        {"averaged": {**held, "attack": "averages"}},
        {**known, "averaged": None},
        known,
    ):
        assert faulty({**sample, "exposure": {**shown, **other}})


COMPARED = (
    "N = 200; clip = 1e-3; decimals = 1; queries <= 40",
    "N = 200; clip = 1e-3; decimals = 1; noise = bounded(1e-6); queries <= 40",
    "N = 300; K = 3; clip = 1e-6; decimals = 1; queries <= 30",
)


@pytest.mark.parametrize("text", COMPARED)
def test_what_comparisons_expose_of_the_labels(text):
    sample = entry(text)
    assert sample["exposure"]["attack"] == "threshold"
    assert sample["exposure"]["labels"] < sample["channel"]["N"]
    assert check(sample).faults == ()
    more = {**sample, "exposure": {**sample["exposure"], "labels": sample["exposure"]["labels"] + 1}}
    assert check(more).faults


@pytest.mark.parametrize("text", COUNTS.values(), ids=COUNTS)
def test_counts_are_verified(text):
    assert check(entry(text)).faults == ()


def test_a_split_is_wanted_of_a_part_of_the_rows_alone():
    """A channel that says otherwise led to a bare AssertionError, where it was asked how far all charges lie apart."""
    found = entry("N = 1000; metric = mae; predictions = probability; decimals = 1; queries <= 50")
    found["channel"]["exact"]["membership"] = True
    with pytest.raises(Unreadable, match="`membership` has a value that no scenario has"):
        check(found)


def test_a_proof_that_says_nothing_of_a_part_is_asked_about_the_part():
    """It was asked about a board of all rows, on which neighbours must be told apart; found by a campaign."""
    text = "N = 61; clip = 0.4; noise = bounded(sqrt(2)/1000); goal = 90%; public = between(1, 12)"
    assert check(entry(text)).faults == ()


def test_entries_of_brier_rows_are_as_coarse_as_their_format():
    """Predictions in float32: what two entries are off by stands in the figures of a design."""
    text = "N = 300; K = 3; metric = brier; columns = 3; phi = float32; score_phi = float64"
    assert "design" in {one["attack"] for one in entry(text)["candidates"] if one["certified"]}
    assert check(entry(text)).faults == ()


def test_settling_that_costs_the_same_in_every_run_is_bounded_no_lower_than_the_checker_bounds_it():
    """What is left of the variance is then what floats lose: two arithmetics differed by a millionth of it, in a campaign."""
    text = """N = 27; scorer = xgboost; phi = float64; noise = laplace(2.02e-05); decimals = truncated(0); renormalises = yes;
        score_phi = float64; time = exponential; confidence = 1 - 1e-9"""
    found = entry(text)
    assert "dither" in {one["attack"] for one in found["candidates"] if one["certified"]}
    assert check(found).faults == ()
