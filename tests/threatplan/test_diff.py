"""`plan diff OLD NEW`: what a change of configuration does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.threatplan import golden
from tests.threatplan.shell import Shell

OLD = """scenario board "A board" { N = 64; clip = 1e-15; decimals = 5; queries <= 20 }
scenario gone : board { N = 8 }
scenario still : board { queries <= 2 }
"""
NEW = """scenario board "A board" { N = 64; clip = 1e-15; decimals = 2; queries <= 2 }
scenario still : board { decimals = 5 }
scenario fresh : board { N = 8 }
"""


@pytest.fixture
def files(shell: Shell) -> Shell:
    Path("old.threat").write_text(OLD)
    Path("new.threat").write_text(NEW)
    return shell


@pytest.mark.parametrize("format", ["text", "json", "markdown"])
def test_output(files: Shell, format: str) -> None:
    done = files("diff", "old.threat", "new.threat", "--format", format)
    assert (done.code, done.err) == (0, "")
    golden.check(f"diff/{format}.txt", done.out)


def test_directions(files: Shell) -> None:
    def told(old: str, new: str) -> dict[str, str]:
        found = json.loads(files("diff", old, new, "--format", "json").out)["differences"]
        return {one["name"]: one["direction"] for one in found}

    assert told("old.threat", "new.threat") == {
        "board": "better", "still": "same", "fresh": "added", "gone": "removed"
    }  # fmt: skip
    assert told("new.threat", "old.threat")["board"] == "worse"


def test_a_gate(files: Shell) -> None:
    assert files("diff", "old.threat", "new.threat", "--fail-if-worse").code == 0
    assert files("diff", "new.threat", "old.threat", "--fail-if-worse").code == 1
    assert files("diff", "new.threat", "old.threat").code == 0


def test_two_files_of_one_scenario_are_a_pair_whatever_they_are_called(files: Shell) -> None:
    Path("one.threat").write_text("scenario one { N = 8; clip = 1e-15; decimals = 5; queries <= 0 }")
    Path("two.threat").write_text("scenario two { N = 8; clip = 1e-15; decimals = 5; queries <= 1 }")
    (found,) = json.loads(files("diff", "one.threat", "two.threat", "--format", "json").out)["differences"]
    assert (found["name"], found["direction"]) == ("two", "worse")
    assert found["changes"] == [{"field": "queries", "old": "0", "new": "1"}]


def test_faults_of_both_files_are_told_at_once(files: Shell) -> None:
    done = files("diff", "broken.threat", "missing.threat")
    assert (done.code, done.out) == (2, "")
    assert "quries" in done.err
    assert "missing.threat" in done.err
