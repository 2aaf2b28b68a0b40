"""Every JSON that a command writes is what its schema says, and a schema refuses what is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.threatplan.golden import FOLDER
from tests.threatplan.shell import Shell
from threatplan.commands.schema import SCHEMAS, schema

jsonschema = pytest.importorskip("jsonschema")

GOLDEN = {
    "plan": ("plan/json",),
    "check": ("check/json", "check/silent-json"),
    "sweep": ("sweep/json",),
    "harden": ("harden/json", "harden/ceiling-json", "harden/already-json"),
    "diff": ("diff/json",),
    "run": ("run/json",),
    "verify": ("verify/json",),
    "explain": ("explain/json",),
    "graph": ("graph/theory-json", "graph/scenario-json"),
}
SARIF = json.loads((Path(__file__).parent / "sarif.json").read_text(encoding="utf-8"))


def validator(name: str) -> Any:
    held = json.loads(schema(name))
    jsonschema.Draft202012Validator.check_schema(held)
    return jsonschema.Draft202012Validator(held)


def golden(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.txt").read_text(encoding="utf-8").replace("SECONDS", "0.25"))


def test_every_command_that_writes_json_has_a_schema() -> None:
    from threatplan.commands import COMMANDS, DEFAULT, load

    writing = {
        name
        for name in (DEFAULT, *COMMANDS)
        if any("json" in (action.choices or ()) for action in load(name)[1].declared() if action.dest == "format")
    }
    assert writing == set(SCHEMAS) - {"faults"}


@pytest.mark.parametrize("name", GOLDEN)
def test_what_is_written_is_what_the_schema_says(name: str) -> None:
    for one in GOLDEN[name]:
        wrong = jsonschema.exceptions.best_match(validator(name).iter_errors(golden(one)))
        assert wrong is None, f"{one}: {wrong.json_path}: {wrong.message[:200]}"


@pytest.mark.parametrize("name", GOLDEN)
def test_a_schema_refuses_what_is_not_so(name: str) -> None:
    """A key too many, one too few, a value of another kind: each at the top and in the first entry."""
    held, document = validator(name), golden(GOLDEN[name][0])
    key = next(one for one in document if one != "schema")
    entry = document[key][0]
    for place in (document, entry):
        for broken in ({**place, "surplus": 1}, dict(list(place.items())[1:]), {**place, next(iter(place)): [[]]}):
            whole = broken if place is document else {**document, key: [broken]}
            assert not held.is_valid(whole), broken


def test_faults_and_warnings(shell: Shell) -> None:
    held = validator("faults")
    for arguments in (("broken.threat",), ("missing.threat",), ("--explian",)):
        done = shell(*arguments, "--format", "json")
        held.validate(json.loads(done.err))
    assert not held.is_valid({"schema": 1})
    assert not held.is_valid({"schema": 1, "errors": [{"message": "no more"}]})


def test_a_summary_of_campaigns() -> None:
    from threatplan.campaign.summary import Summary

    held, empty = validator("campaign"), json.loads(json.dumps(Summary().to_json()))
    held.validate({"schema": 1, "campaign": empty})
    assert not held.is_valid({"schema": 1, "campaign": {**empty, "scenarios": -1}})


def test_schemas_are_shown(shell: Shell) -> None:
    done = shell("schema", "check")
    assert (done.code, json.loads(done.out)["properties"]["schema"]) == (0, {"const": 1})
    assert shell("schema", "chek").code == 2


@pytest.mark.parametrize("name", ["check/sarif", "check/silent-sarif"])
def test_sarif_is_what_the_standard_asks_for(name: str) -> None:
    jsonschema.Draft202012Validator(SARIF).validate(golden(name))
    (run,) = golden(name)["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert run["results"]
    assert all(rules[one["ruleIndex"]] == one["ruleId"] for one in run["results"])


def test_sarif_of_what_cannot_be_read_and_of_what_holds(shell: Shell) -> None:
    Path("a b#.threat").write_text("scenario x { N = }\n")
    done = shell("check", "a b#.threat", "--format", "sarif")
    document = json.loads(done.out)
    jsonschema.Draft202012Validator(SARIF).validate(document)
    (place,) = document["runs"][0]["results"][0]["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "a%20b%23.threat"
    assert place["physicalLocation"]["region"]["startLine"] == 1
    assert json.loads(shell("check", "small.threat", "--format", "sarif").out)["runs"][0]["results"] == []
