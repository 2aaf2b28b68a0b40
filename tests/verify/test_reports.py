"""Reports are verified from their JSON alone: those of every family and limit, of all files, and of random scenarios."""

from __future__ import annotations

import ast
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

import threatplan.verify
from dsl import ThreatError, load
from planner import plan
from planner.attacks.parameters import KINDS
from planner.catalogue import CATALOGUE
from planner.limits import LIMITS as PROOFS
from tests.planner.scenarios import random_scenario
from tests.verify.samples import ENERGY, FAMILIES, LIMITS, as_json, entry
from tests.verify.tampering import faulty
from threatplan.verify import Unreadable, check
from threatplan.verify import certificate as certificates

ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / "tests/gallery/right").glob("*.threat")), *sorted((ROOT / "examples").rglob("*.threat"))]
POINTS = 3  # of a sweep
SEEDS = range(20)
EACH = 10


def test_every_family_and_every_limit_has_its_part_in_the_checker():
    assert CATALOGUE  # the theorems define the kinds
    assert set(certificates.FAMILIES) == set(KINDS) == set(FAMILIES)
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
    limit = sample["limits"][-1]
    assert set(limit["parameters"]) == parameters
    assert limit["queries"] >= max(one["queries"] or 0 for one in sample["limits"])
    assert check(sample).faults == ()


@pytest.mark.parametrize("form", ENERGY)
def test_one_query_more_is_not_what_the_energy_limit_proves(form):
    """Claimed everywhere where it is stated: the limit, its inequality, the lower bound."""
    sample = entry(ENERGY[form])
    limit = sample["limits"][-1]
    more = limit["queries"] + 1
    (inequality,) = limit["inequalities"]
    inequality["name"] = inequality["name"].replace(str(limit["queries"] - 1), str(more - 1), 1)
    limit["queries"] = more
    if "too_few" in limit["parameters"]:
        limit["parameters"]["too_few"] = more - 1
    sample["lower_bound"] = {"queries": more, "by": "I6"}
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
    given = sample["limits"][-1]["parameters"]
    sample["limits"][-1]["parameters"] = {name: value for name, value in {**given, **change}.items() if value}
    assert faulty(sample)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_reports_of_the_gallery_and_the_examples(path):
    for scenario in load(str(path)):
        try:
            points = [point for point, _ in zip(scenario.points(), range(POINTS), strict=False)]
        except ThreatError:
            continue  # a point of a sweep whose values do not fit
        for point in points:
            report = as_json(plan(point))
            if point.metric == "log_loss":
                assert check(report).faults == ()
            else:  # of its charges this checker knows nothing
                with pytest.raises(Unreadable, match="`metric`"):
                    check(report)


@pytest.mark.parametrize("seed", SEEDS)
def test_reports_of_random_scenarios(seed):
    for each in range(EACH):
        draw = random.Random(f"verify {seed} {each}")
        scenario = random_scenario(draw, draw.choice([50, 2000, 10**7]))
        assert check(as_json(plan(scenario))).faults == (), scenario


# -- independence --------------------------------------------------------------------------------------


def test_the_checker_imports_nothing_but_the_standard_library_and_mpmath():
    allowed = {*sys.stdlib_module_names, "mpmath"}
    folder = Path(threatplan.verify.__file__).parent
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.split(".")[0] in allowed or name.startswith("threatplan.verify"), f"{file.name}: {name}"


def test_checking_loads_nothing_of_the_planner():
    document = {"schema": 2, "scenarios": [entry(text) for text in (*FAMILIES.values(), *LIMITS.values())]}
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
    exposed = sample["exposure"]["certified"]["promise"]
    assert sample["channel"]["target"] < exposed["labels"] - exposed["wrong"] < 16
    assert check(sample).faults == ()


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
