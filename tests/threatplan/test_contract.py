"""The contract for scripts: what is written where, the exit code, and faults with a place and a suggestion."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.threatplan import golden
from tests.threatplan.shell import Shell
from threatplan.commands import COMMANDS


@pytest.mark.parametrize("format", ["text", "json", "markdown"])
@pytest.mark.parametrize(
    ("file", "code"), [("small.threat", 0), ("shut.threat", 1), ("broken.threat", 2), ("missing.threat", 2)]
)
def test_plan_exits_alike_in_every_format(shell: Shell, format: str, file: str, code: int) -> None:
    done = shell(file, "--format", format)
    assert done.code == code
    assert bool(done.out) == (code < 2), "bad input leaves standard output empty"
    assert bool(done.err) == (code == 2)


def test_faults_are_json_on_standard_error_with_format_json(shell: Shell) -> None:
    done = shell("broken.threat", "missing.threat", "--format", "json")
    assert done.code == 2
    errors = json.loads(done.err)["errors"]
    assert errors[0]["code"] == "T012"
    assert errors[0]["span"]["line"] == 3
    assert errors[0]["hint"] == "did you mean `queries`?"
    assert [set(one) for one in errors] == [set(errors[0])] * len(errors)


def test_a_file_is_found_by_its_stem(shell: Shell) -> None:
    assert "did you mean `small.threat`?" in shell("small").err
    assert "did you mean" not in shell("quite.threat").err, "the ending alone is no likeness"


def test_usage_errors_too_are_json_with_format_json(shell: Shell) -> None:
    done = shell("small.threat", "--format=json", "--explian")
    assert json.loads(done.err)["errors"][0]["hint"] == "did you mean `--explain`?"


def test_warnings_are_talk(shell: Shell) -> None:
    Path("odd.threat").write_text("scenario odd {\n    N = 12\n    confidence = 1%\n}\n")
    done = shell("odd.threat", "--format", "json")
    assert done.code == 0
    assert json.loads(done.out)["scenarios"][0]["name"] == "odd"


def test_json_follows_the_contract(shell: Shell) -> None:
    done = shell("small.threat", "--format", "json")
    document = json.loads(done.out)
    assert document["schema"] == 2
    (entry,) = document["scenarios"]
    assert {"name", "title", "file", "verdict", "why", "channel", "best", "exposure"} <= set(entry)
    assert {"lower_bound", "candidates", "expectations"} <= set(entry)
    assert {"attack", "theorem", "labels_per_query", "queries", "precision_bits"} <= set(entry["best"])
    assert entry["verdict"] == "feasible"
    assert entry["exposure"]["labels"] == 64


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("missing-file", ("smal.threat",)),
        ("misspelt-command", ("chek", "small.threat")),
        ("command-second", ("small.threat", "check")),
        ("misspelt-option", ("small.threat", "--formt", "json")),
        ("misspelt-option-alone", ("--formt=json",)),
        ("misspelt-choice", ("small.threat", "--format", "jsn")),
        ("no-files", ("check",)),
        ("broken", ("broken.threat",)),
        ("no-match", ("nothing/*.threat",)),
        ("no-such-scenario", ("small.threat", "-s", "smal")),
        ("no-such-attack", ("small.threat", "--explain", "--attack", "blok")),
        ("bad-count", ("run", "small.threat", "--trials", "many")),
        ("bad-labels", ("run", "small.threat", "--labels", "counts(1,2)")),
        ("bad-scorer", ("run", "small.threat", "--scorer", "no.such:thing")),
        ("bad-share", ("harden", "small.threat", "--exposure", "120%")),
        ("bad-preset", ("new", "kagle")),
        ("bad-id", ("explain", "blok")),
        ("bad-plot", ("sweep", "small.threat", "--plot", "x.gif")),
        ("not-a-terminal", ("explore",)),
    ],
)
def test_errors(shell: Shell, name: str, arguments: tuple[str, ...]) -> None:
    done = shell(*arguments)
    assert done.code == 2
    golden.check(f"errors/{name}.txt", done.err)


def test_all_faults_of_all_files_are_told_at_once(shell: Shell) -> None:
    done = shell("broken.threat", "missing.threat", "nothing/*.threat")
    assert done.code == 2
    for part in ("quries", "missing.threat", "nothing/*.threat"):
        assert part in done.err


def test_no_arguments_show_the_help_and_fail(shell: Shell) -> None:
    done = shell()
    assert (done.code, done.out) == (2, "")
    assert "commands:" in done.err


def test_an_internal_failure_is_one_line_and_a_traceback_only_on_request(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(scenario: object) -> None:
        raise ZeroDivisionError("by accident")

    monkeypatch.setattr("planner.planning.plan", fail)
    done = shell("small.threat")
    assert done.code == 3
    assert "internal failure: ZeroDivisionError: by accident" in done.err
    assert "Traceback" not in done.err
    assert "Traceback" in shell("small.threat", "--debug").err


@pytest.mark.parametrize("command", [("sweep",), ("harden",), ("run",), ("graph",), ()])
def test_bad_input_leaves_standard_output_empty(shell: Shell, command: tuple[str, ...]) -> None:
    done = shell(*command, "small.threat", "broken.threat", "--format", "json")
    assert (done.code, done.out) == (2, "")
    assert json.loads(done.err)["errors"][0]["code"] == "T012"


@pytest.mark.parametrize(
    ("arguments", "module", "package", "extra"),
    [
        (("run", "small.threat", "--scorer", "sklearn"), "sklearn.metrics", "scikit-learn", "scorers"),
        (("sweep", "small.threat", "--plot", "x.svg"), "matplotlib", "matplotlib", "plots"),
        (("lsp",), "pygls", "pygls", "lsp"),
        (("explore", "--serve"), "textual_serve", "textual-serve", "serve"),
        (("campaign", "small.threat", "--scheduler", "tcp://127.0.0.1:9"), "distributed", "Dask", "cluster"),
    ],
)
def test_a_package_that_is_not_installed_is_named_alike(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], module: str, package: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    done = shell(*arguments)
    assert (done.code, done.out) == (3, "")
    first, second = done.err.splitlines()
    assert first.startswith("plan: error: ")
    assert first.endswith(f" needs {package}: pip install 'threatplan[{extra}]'")
    assert second.startswith(f"hint: in a clone: pip install '.[{extra}]'")


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_a_terminal(shell: Shell, command: str) -> None:
    """What argparse cannot break, a list of choices, may stand out."""
    lines = shell(*command.split(), "--help").out.splitlines()
    assert [line for line in lines if len(line) > 80 and "{" not in line] == []
