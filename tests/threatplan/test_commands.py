"""Commands from the outside: what is written where, and the exit code."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.threatplan import golden
from tests.threatplan.shell import Shell

SMALL = """scenario small "Sixty-four labels" {
    N        = 64
    clip     = 1e-15
    decimals = 5
    queries <= 20

    expect feasible
    expect queries <= 6
}
"""
SHUT = SMALL.replace("queries <= 20", "queries <= 2").replace("    expect queries <= 6\n", "")
BROKEN = "scenario broken {\n    N = 12\n    quries <= 3\n}\n"
EMPTY = "scenario silent {\n    N = 12\n}\n"


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    for name, text in {"small": SMALL, "shut": SHUT, "broken": BROKEN, "empty": EMPTY}.items():
        (tmp_path / f"{name}.threat").write_text(text, encoding="utf-8")
    return Shell(capsys, monkeypatch)


# -- the machine contract -------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["text", "json", "markdown"])
@pytest.mark.parametrize(
    ("file", "code"), [("small.threat", 0), ("shut.threat", 1), ("broken.threat", 2), ("missing.threat", 2)]
)
def test_plan_exits_alike_in_every_format(shell: Shell, format: str, file: str, code: int) -> None:
    done = shell(file, "--format", format)
    assert done.code == code
    assert bool(done.out) == (code < 2), "bad input leaves standard output empty"
    assert bool(done.err) == (code == 2)


@pytest.mark.parametrize("format", ["text", "json", "junit", "github"])
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
    assert document["schema"] == 1
    (entry,) = document["scenarios"]
    assert {"name", "title", "file", "verdict", "why", "channel", "best", "exposure"} <= set(entry)
    assert {"lower_bound", "candidates", "expectations"} <= set(entry)
    assert {"attack", "theorem", "labels_per_query", "queries", "precision_bits"} <= set(entry["best"])
    assert entry["verdict"] == "feasible"
    assert entry["exposure"]["labels"] == 64


# -- errors, placed and with a suggestion ----------------------------------------------------------------


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


# -- golden output ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["text", "json", "junit", "github"])
def test_check_output(shell: Shell, format: str) -> None:
    done = shell("check", "small.threat", "shut.threat", "empty.threat", "--format", format)
    golden.check(f"check/{format}.txt", done.out)
    if format == "junit":
        assert ElementTree.fromstring(done.out).attrib["failures"] == "2"
    if format == "json":
        assert [one["holds"] for one in json.loads(done.out)["checks"]] == [True, False, True, False]


@pytest.mark.parametrize("format", ["junit", "github"])
def test_check_reports_what_cannot_be_read_in_its_own_format(shell: Shell, format: str) -> None:
    done = shell("check", "broken.threat", "small.threat", "--format", format)
    assert done.code == 2
    assert "quries" in done.out


SWEPT = SMALL.replace("    expect", "    sweep decimals = 3..5\n    expect", 1).replace("queries <= 6", "queries <= 4")


@pytest.mark.parametrize("format", ["text", "csv", "json", "jsonl", "markdown"])
def test_sweep_writes_one_row_a_point(shell: Shell, format: str) -> None:
    Path("swept.threat").write_text(SWEPT)
    done = shell("sweep", "swept.threat", "--format", format)
    assert done.code == 1, "three decimals take at least five queries"
    rows = {
        "text": lambda out: out.splitlines()[2:],
        "csv": lambda out: out.splitlines()[1:],
        "json": lambda out: json.loads(out)["points"],
        "jsonl": lambda out: [json.loads(line) for line in out.splitlines()],
        "markdown": lambda out: [line for line in out.splitlines() if line.startswith("| ")][2:],
    }[format](done.out)
    assert len(rows) == 3
    if format == "json":
        assert [row["point"] for row in rows] == [{"decimals": str(d)} for d in (3, 4, 5)]
    assert ("expectations fail at 2 of 3 points" in done.err) == (format == "text"), "exit code 1 is explained"


def test_sweep_names_the_cheapest_attack_where_none_keeps_to_the_budget(shell: Shell) -> None:
    text = "scenario few { N = 3000; scorer = sklearn; decimals = 4; queries <= 100 }"
    (row,) = json.loads(shell("sweep", "-", "--format", "json", stdin=text).out)["points"]
    (planned,) = json.loads(shell("-", "--format", "json", stdin=text).out)["scenarios"]
    cheapest = min(one["certified"]["queries"] for one in planned["candidates"] if one["certified"])
    assert (row["verdict"], row["queries"]) == ("impossible", cheapest)


def test_sweeps_too_large_are_refused_before_anything_is_planned(shell: Shell) -> None:
    Path("vast.threat").write_text(SMALL.replace("    expect", "    sweep N = 1..10^12\n    expect", 1))
    for command in ("sweep", "check"):
        done = shell(command, "small.threat", "vast.threat", "--format", "json")
        assert (done.code, done.out) == (2, "")
        assert "1,000,000,000,000 points" in done.err
    assert shell("vast.threat").code == 0, "`plan FILE` plans the base point"


def test_plan_says_how_many_points_a_sweep_has(shell: Shell) -> None:
    Path("swept.threat").write_text(SWEPT)
    assert "`plan sweep` plans all 3 points" in shell("swept.threat").out


def test_check_names_the_point_that_fails(shell: Shell) -> None:
    Path("swept.threat").write_text(SWEPT)
    done = shell("check", "swept.threat")
    assert done.code == 1
    assert "at decimals = 3: " in done.out


def test_plots(shell: Shell) -> None:
    pytest.importorskip("matplotlib")
    Path("swept.threat").write_text(SWEPT)
    for name in ("a.svg", "b.svg", "c.png"):
        shell("sweep", "swept.threat", "--plot", name)
    assert Path("a.svg").read_bytes() == Path("b.svg").read_bytes(), "the same sweep gives the same picture"
    assert Path("c.png").read_bytes().startswith(b"\x89PNG")
    shown = shell("sweep", "swept.threat", "--plot", "-").out
    assert "queries (log scale)" in shown


# -- inputs ----------------------------------------------------------------------------------------------


def test_standard_input(shell: Shell) -> None:
    done = shell("-", stdin=SMALL)
    assert done.code == 0
    assert done.out.startswith("small: FEASIBLE")


def test_folders_and_globs(shell: Shell) -> None:
    Path("deep/er").mkdir(parents=True)
    Path("deep/er/b.threat").write_text(SMALL.replace("small", "b", 1))
    Path("deep/a.threat").write_text(SMALL.replace("small", "a", 1))
    Path("deep/note.txt").write_text("no scenario")
    for arguments in (("deep",), ("deep/**/*.threat",), ("deep/a.threat", "deep/er/b.threat")):
        done = shell(*arguments, "--format", "json")
        assert [one["name"] for one in json.loads(done.out)["scenarios"]] == ["a", "b"]


def test_a_file_called_like_a_command(shell: Shell) -> None:
    Path("run").write_text(SMALL)
    assert shell("./run").code == 0
    assert shell("--", "run").code == 0


def test_only_the_named_scenarios(shell: Shell) -> None:
    done = shell("small.threat", "shut.threat", "-s", "small")
    assert done.code == 1, "both files call theirs small"
    assert shell("small.threat", "empty.threat", "-s", "silent").out.startswith("silent: ")


# -- files are never lost --------------------------------------------------------------------------------


def test_fmt(shell: Shell) -> None:
    ragged = SMALL.replace("N        = 64", "N = 64 # labels")
    Path("ragged.threat").write_text(ragged)
    assert shell("fmt", "--check", "ragged.threat").code == 1
    assert Path("ragged.threat").read_text() == ragged
    assert "+    N        = 64  # labels" in shell("fmt", "--diff", "ragged.threat").out
    assert shell("fmt", "ragged.threat").code == 0
    assert shell("fmt", "--check", "ragged.threat").code == 0
    assert shell("fmt", "-", stdin=ragged).out == Path("ragged.threat").read_text()


def test_fmt_leaves_what_it_cannot_read(shell: Shell) -> None:
    Path("torn.threat").write_text("scenario torn {")
    assert shell("fmt", "torn.threat").code == 2
    assert Path("torn.threat").read_text() == "scenario torn {"


def test_fmt_keeps_the_file_when_the_disk_is_full(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    ragged = SMALL.replace("N        = 64", "N = 64")
    Path("ragged.threat").write_text(ragged)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    done = shell("fmt", "ragged.threat")
    assert done.code == 2
    assert "No space left" in done.err
    assert Path("ragged.threat").read_text() == ragged
    assert not [path for path in Path().iterdir() if path.name.startswith(".ragged")], "nothing is left behind"


def test_fmt_keeps_the_mode_and_writes_through_links(shell: Shell) -> None:
    Path("real.threat").write_text(SMALL.replace("N        = 64", "N = 64"))
    Path("real.threat").chmod(0o640)
    Path("link.threat").symlink_to("real.threat")
    shell("fmt", "link.threat")
    assert Path("link.threat").is_symlink()
    assert Path("real.threat").stat().st_mode & 0o777 == 0o640
    assert Path("real.threat").read_text() == SMALL


def test_new_never_overwrites_unless_told(shell: Shell) -> None:
    assert shell("new", "kaggle", "-o", "mine.threat").code == 0
    assert shell("check", "mine.threat").code == 0
    Path("mine.threat").write_text("precious")
    assert shell("new", "-o", "mine.threat").code == 2
    assert Path("mine.threat").read_text() == "precious"
    assert shell("new", "-o", "mine.threat", "--force").code == 0


@pytest.mark.parametrize("preset", ["leaderboard", "kaggle", "api", "multiclass", "paper"])
def test_presets_are_canonical_and_hold(shell: Shell, preset: str) -> None:
    text = shell("new", preset).out
    assert shell("fmt", "--check", "-", stdin=text).code == 0
    assert shell("check", "-", stdin=text).code == 0


# -- run -------------------------------------------------------------------------------------------------


def test_run(shell: Shell) -> None:
    done = shell("run", "small.threat", "--trials", "3", "--format", "json")
    assert (done.code, done.err) == (0, "")
    (run,) = json.loads(done.out)["runs"]
    assert (run["trials"], run["exact_trials"], run["wrong_labels"]) == (3, 3, 0)
    assert {"scenario", "attack", "backend", "scorer", "seed", "queries", "seconds"} <= set(run)
    shown = shell("run", "small.threat", "--attack", "block").out
    assert shown.startswith("small: every label recovered by block, 1 trial, seed 0")


def test_run_has_nothing_to_run(shell: Shell) -> None:
    done = shell("run", "small.threat", "--attack", "primes-apa")
    assert (done.code, done.out) == (2, "")
    assert "primes-apa" in done.err
    assert "certified here: " in done.err
    assert "says why it is refused" in done.err
    assert "hint: did you mean `design`?" in shell("run", "small.threat", "--attack", "desgin").err


def test_run_beyond_the_budget_is_an_offer(shell: Shell) -> None:
    text = SMALL.replace("queries <= 20", "queries <= 1")
    done = shell("run", "-", "--format", "json", stdin=text)
    assert (done.code, json.loads(done.out)["runs"]) == (2, [])
    (error,) = json.loads(done.err)["errors"]
    assert "beyond the budget" in error["hint"]


def test_run_through_a_scorer_of_ones_own(shell: Shell) -> None:
    body = "import numpy as np\n\n\ndef score(labels, u):\n    p = np.where(labels == 1, u, 1 - u)\n"
    Path("mine_ok.py").write_text(body + "    return round(float(-np.log(p.astype(float)).mean()), 5)\n")
    assert shell("run", "small.threat", "--scorer", "mine_ok:score", "--attack", "block").code == 0
    Path("mine_bad.py").write_text(body + "    raise RuntimeError('out of order')\n")
    done = shell("run", "small.threat", "--scorer", "mine_bad:score")
    assert done.code == 3
    assert "out of order" in done.err


# -- explain and graph -----------------------------------------------------------------------------------


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
