"""`plan explain` and `plan graph`: every name that a report gives leads somewhere."""

from __future__ import annotations

import json

import pytest

from dsl import loads
from planner.catalogue import CATALOGUE
from tests.threatplan import golden
from tests.threatplan.shell import Shell
from threatplan.commands.explain import explained
from threatplan.topics import topics


@pytest.mark.parametrize("format", ["text", "json", "markdown"])
def test_explain_output(shell: Shell, format: str) -> None:
    done = shell("explain", "T012", "clip", "--format", format)
    assert (done.code, done.err) == (0, "")
    golden.check(f"explain/{format}.txt", done.out)


@pytest.mark.parametrize("id", ["block", "I2", "i2", "E-A1", "decimals", "kaggle", "T101", "rounding"])
def test_everything_can_be_explained(shell: Shell, id: str) -> None:
    done = shell("explain", id)
    assert done.code == 0
    assert done.out.lower().startswith(f"{id.lower()}: ")


def test_a_name_that_two_things_share_explains_both(shell: Shell) -> None:
    topics = json.loads(shell("explain", "decimals", "--format", "json").out)["topics"]
    assert {topic["kind"] for topic in topics} == {"field", "reduction"}


def test_the_list_names_every_reason_that_a_report_gives(shell: Shell) -> None:
    topics = json.loads(shell("explain", "--list", "--format", "json").out)["topics"]
    known = {topic["id"] for topic in topics}
    (entry,) = json.loads(shell("small.threat", "--format", "json").out)["scenarios"]
    used = {one["attack"] for one in entry["candidates"]} | {one["id"] for one in entry["limits"]}
    errata = {one["paper"]["erratum"] for one in entry["candidates"] if one["paper"]} - {None}
    assert used | errata <= known


def test_graph(shell: Shell) -> None:
    assert shell("graph").out.startswith("digraph theory {")
    bare = json.loads(shell("graph", "--format", "json").out)
    lit = json.loads(shell("graph", "small.threat", "--format", "json").out)
    assert {edge["source"] for edge in bare["edges"]} <= {node["id"] for node in bare["nodes"]}
    assert not any(node.get("lit") for node in bare["nodes"])
    assert any(node.get("lit") and node["kind"] == "attack" for node in lit["nodes"])


def test_graph_shows_one_scenario(shell: Shell) -> None:
    assert shell("graph", "small.threat", "empty.threat").code == 2
    assert shell("graph", "small.threat", "empty.threat", "-s", "silent").code == 0


NOISES = ("none", "bounded(1e-4)", "uniform(-1e-4, 1e-4)", "gaussian(1e-4)", "laplace(1e-5)", "subexponential(1e-8, 1e-4)",
          "multiplicative(1e-4)")  # fmt: skip


@pytest.mark.parametrize("noise", NOISES)
def test_every_step_of_an_explained_plan_can_be_explained(noise):
    """And by its own name: an attack and a reduction do not share one."""
    from planner import plan

    known = [topic.id for topic in topics() if topic.kind != "field"]
    for more in ("clip = 1e-15; decimals = 3", "phi = fixed(8, 30)", "K = 3; clip = 1e-15"):
        report = plan(loads(f"scenario s {{ N = 12; noise = {noise}; {more} }}")[0])
        steps = {step.id for one in report.candidates if one.certified for step in one.certified.chain}
        assert steps
        for id in {*steps, *(one.attack for one in report.candidates)}:
            assert known.count(id) == 1, id


def test_what_the_column_theorem_names_leads_to_attacks(shell: Shell) -> None:
    """Of an attack that the paper does not have, the report prints what it rests on."""
    known = list(topics())
    for cite in {theorem.cite for theorem in CATALOGUE}:
        for words in (cite, *cite.split("; ")):
            assert explained([words], known), words
    said = shell("explain", "Corner rows").out
    assert "split-labels: " in said
    assert "split-design: " in said


def test_markdown_breaks_lines_where_the_text_does(shell: Shell) -> None:
    """Between a field's meaning and its values stood a written backslash and an n."""
    lines = shell("explain", "guess", "T039", "--format", "markdown").out.splitlines()
    assert not [line for line in lines if "\\n" in line]
    assert "values: `none`, or a share of the labels: `99%`; default: none" in lines
    assert lines.count("```") == 2, "the example"
