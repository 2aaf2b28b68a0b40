"""`plan check`: the gate, what it writes in each format and when it stays shut."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from planner.ceiling import percent
from tests.threatplan import golden
from tests.threatplan.files import EMPTY, SMALL, SWEPT
from tests.threatplan.shell import Shell


@pytest.mark.parametrize("format", ["text", "json", "junit", "github", "sarif"])
@pytest.mark.parametrize(
    ("file", "code"), [("small.threat", 0), ("shut.threat", 1), ("empty.threat", 1), ("broken.threat", 2)]
)
def test_check_exits_alike_in_every_format(shell: Shell, format: str, file: str, code: int) -> None:
    assert shell("check", file, "--format", format).code == code


def test_check_passes_files_without_expectations_only_when_told(shell: Shell) -> None:
    refused = shell("check", "empty.threat")
    assert refused.code == 1
    assert "nothing checked: 1 file without expectations" in refused.out
    allowed = shell("check", "empty.threat", "--allow-empty")
    assert allowed.code == 0
    assert "nothing checked: no expectations" in allowed.out, "nothing is said to hold"


def test_one_scenario_with_expectations_is_enough_for_a_file(shell: Shell) -> None:
    Path("both.threat").write_text(EMPTY + SMALL)
    done = shell("check", "both.threat")
    assert done.code == 0
    assert "silent: no expectation" in done.out


@pytest.mark.parametrize("format", ["text", "json", "junit", "github", "sarif"])
def test_check_output(shell: Shell, format: str) -> None:
    done = shell("check", "small.threat", "shut.threat", "empty.threat", "--format", format)
    golden.check(f"check/{format}.txt", done.out)
    if format == "junit":
        assert ElementTree.fromstring(done.out).attrib["failures"] == "2"
    if format == "json":
        assert [one["holds"] for one in json.loads(done.out)["checks"]] == [True, False, True, False]


@pytest.mark.parametrize("format", ["junit", "github", "sarif"])
def test_check_reports_what_cannot_be_read_in_its_own_format(shell: Shell, format: str) -> None:
    done = shell("check", "broken.threat", "small.threat", "--format", format)
    assert done.code == 2
    assert "quries" in done.out


def test_check_names_the_point_that_fails(shell: Shell) -> None:
    Path("swept.threat").write_text(SWEPT)
    done = shell("check", "swept.threat")
    assert done.code == 1
    assert "at decimals = 3: " in done.out


def test_a_chosen_scenario_without_expectations_is_told_and_keeps_the_gate_shut(shell: Shell) -> None:
    Path("both.threat").write_text(EMPTY + SMALL)
    done = shell("check", "both.threat", "-s", "silent")
    assert done.code == 1
    assert "FAIL both.threat: no expectation in the scenario chosen" in done.out
    assert done.out.endswith("nothing checked: 1 file without expectations in the scenarios chosen\n")
    allowed = shell("check", "both.threat", "-s", "silent", "--allow-empty")
    assert allowed.code == 0
    assert allowed.out.endswith("nothing checked: no expectations in the scenarios chosen\n")
    assert shell("check", "both.threat", "-s", "small").code == 0


def test_what_is_told_of_a_share_is_a_share_and_a_count(shell: Shell) -> None:
    """`expect ceiling <= 88%` was answered with "any attack gets up to 8,340 labels right on average"."""
    Path("a.threat").write_text(
        "scenario split { N = 3000; public = 30%; scorer = kaggle; queries <= 9; expect ceiling <= 55%; "
        "expect exposure <= 1 }\n"
        "scenario plain { N = 300; scorer = kaggle; queries <= 3; expect ceiling <= 151; expect exposure <= 1% }\n"
        "scenario open { N = 300; scorer = kaggle; queries <= 300; expect ceiling <= 99% }\n"
    )
    told = " ".join(shell("check", "a.threat").out.split())
    assert re.search(r"no attack gets more than \d+ of 900 scored labels \(\d\d\.\d%\) right on average", told)
    assert re.search(r"\d+ of 3,000 rows \(\d\.\d%\) are exposed", told)
    assert re.search(r"no attack gets more than \d+ of 300 labels \(\d\d\.\d%\) right on average", told)
    assert re.search(r"\d+ of 300 labels \(\d+\.\d%\) are exposed", told)
    assert "expected ceiling <= 99%: no ceiling is proved" in told


def test_only_all_labels_are_all_of_them_to_an_expectation(shell: Shell) -> None:
    """12,499 of 12,500 were 100.0%, and so were all of them, beside 100% in the same report."""
    Path("a.threat").write_text("scenario all { N = 16; clip = 1e-15; queries <= 16; expect exposure == 16 }\n")
    assert "16 of 16 labels (100%) are exposed" in " ".join(shell("a.threat").out.split())
    assert percent(Fraction(12_499, 12_500)) == ">99.9%"


def test_of_queries_where_nothing_is_feasible_it_is_said_why(shell: Shell) -> None:
    """`no queries: nothing is feasible` said neither what is needed nor what is allowed."""
    Path("a.threat").write_text("scenario a { N = 300; scorer = kaggle; queries <= 3; expect queries <= 2 }\n")
    told = " ".join(shell("check", "a.threat").out.split())
    assert re.search(r"expected queries <= 2: nothing is feasible \(I6: .* at least \d+ queries, 3 are allowed\)", told)
