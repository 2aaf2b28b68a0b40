"""`plan import`: what a platform's own configuration says becomes a scenario, and nothing else gets in."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dsl import ThreatError, format_text, loads
from dsl.scenario import Decimals
from planner import plan
from tests.threatplan.shell import Shell
from threatplan.commands.import_ import read
from threatplan.importing.names import NAMES, metric_of
from threatplan.importing.writing import written

BOARDS = Path(__file__).parent / "boards"
FILES = sorted(BOARDS.glob("*/*"))
UNKNOWN = {"segmentation.yaml", "spans.yaml", "starter.yaml", "custom.json", "dice.json"}
"""Files none of whose metrics the language has."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_file_is_read_written_and_planned(path, shell: Shell) -> None:
    done = shell("import", str(path), "--rows", "1000")
    if path.name in UNKNOWN:
        assert (done.code, done.out) == (2, "")
        assert "no phase shows a metric that the language knows" in done.err
        return
    assert (done.code, done.err) == (0, "")
    assert format_text(done.out) == done.out
    scenarios = loads(done.out)
    assert scenarios
    for one in scenarios:
        assert (one.N, one.platform) == (1000, path.parent.name)
        assert one.shown == (Decimals(10) if one.platform == "codabench" else None)
        assert plan(one).verdict


def test_five_files_of_each_platform() -> None:
    assert {folder.name: len(list(folder.iterdir())) for folder in BOARDS.iterdir()} == dict.fromkeys(
        ("codabench", "codalab", "evalai", "huggingface", "grand_challenge"), 5
    )


BUDGETS = {
    "codabench/weather.yaml": [100, 2],  # 5 a day for 31 days would be more
    "codabench/defaults.yaml": [None],
    "codabench/hidden.yaml": [1200],
    "codalab/tweets.yaml": [999, 2],
    "codalab/families.yaml": [100],
    "codalab/forever.yaml": [None],
    "codalab/unnamed.yaml": [30],
    "evalai/faces.yaml": [50, 100_000],
    "evalai/month.yaml": [60],
    "evalai/schema_text.yaml": [600],
    "evalai/unlimited.yaml": [None],
    "huggingface/docs.json": [460],
    "huggingface/norows.json": [None],
    "grand_challenge/tumour.json": [31],
    "grand_challenge/closed.json": [0],
    "grand_challenge/weekly.json": [15],  # five weeks, the last one cut short
    "grand_challenge/open_end.json": [None],
}


@pytest.mark.parametrize("name", BUDGETS)
def test_the_least_of_all_limits(name) -> None:
    text = written(read(str(BOARDS / name)), name, 100)
    assert [one.queries for one in loads(text) if "__" not in one.name] == BUDGETS[name]  # a phase by its first scores


def test_rows_that_the_file_does_not_know_are_asked_for(shell: Shell) -> None:
    done = shell("import", str(BOARDS / "codabench/weather.yaml"), "-o", "rain.threat")
    assert (done.code, done.out) == (0, "")
    assert "next: fill in N (or write it with --rows), then plan rain.threat" in done.err
    with pytest.raises(ThreatError) as fault:
        loads(Path("rain.threat").read_text())
    assert [one.code for one in fault.value.diagnostics] == ["T024", "T024"]
    lines = Path("rain.threat").read_text().splitlines()
    for one in fault.value.diagnostics:
        assert "# N = ?" in lines[one.span.line - 1]
    assert (
        shell("import", str(BOARDS / "codabench/weather.yaml"), "-o", "rain.threat").code == 2
    )  # never replaced unasked


def test_what_the_file_knows_is_taken() -> None:
    (docs,) = loads(written(read(str(BOARDS / "huggingface/docs.json")), "docs.json", None))
    assert (docs.N, docs.metric, docs.scorer.name) == (10_000, "log_loss", "sklearn")
    text = written(read(str(BOARDS / "codabench/hidden.yaml")), "hidden.yaml", 500)
    assert "stored, though not on the board: Private logloss" in text
    text = written(read(str(BOARDS / "codabench/two_boards.yaml")), "two_boards.yaml", 500)
    assert [one.name for one in loads(text)] == ["ete", "ete_2"]
    assert "not known here: mystery_key" in text
    assert "shown beside it: Dice" in text


def test_scores_of_the_same_rows_come_back_together(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    columns = [{"title": name} for name in ("Accuracy", "ROC-AUC", "Dice", "F1", "acc", "Log loss", "recall")]
    data = {"title": "t", "phases": [{"name": "one"}], "leaderboards": [{"columns": columns}]}
    Path("several.json").write_text(json.dumps(data))
    text = written(read("several.json"), "several.json", 60)
    assert [one.metrics for one in loads(text)] == [("accuracy", "f1", "recall"), ("roc_auc",), ("log_loss",)]
    assert [one.name for one in loads(text)] == ["one", "one__roc_auc", "one__log_loss"]
    assert text.count("is not proved to be so by both together") == 2
    assert "# shown as Accuracy, F1, recall" in text
    assert "# shown beside it: ROC-AUC, Dice, acc, Log loss" in text
    data["leaderboards"][0]["columns"] = columns[5::-1]  # log-loss first: of its clip no other score knows anything
    Path("several.json").write_text(json.dumps(data))
    found = loads(written(read("several.json"), "several.json", 60))
    assert [one.metrics for one in found] == [("log_loss",), ("accuracy", "f1"), ("roc_auc",)]


def test_metrics_by_their_names() -> None:
    aliases = [alias for each in NAMES.values() for alias in each]
    assert len(aliases) == len(set(aliases))
    known = {"Log Loss": "log_loss", "ROC-AUC": "roc_auc", "F1 (macro)": "macro_f1", "F1 (micro)": None,
             "Macro F1": "macro_f1", "R²": "r2",
             "Private RMSE (m)": "rmse", "Cohen's kappa": "kappa", "accuracy_score": "accuracy", "QWK": None,
             "mIoU": None, "Metric1": None, "": None, "(x)": None}  # fmt: skip
    assert {name: metric_of(name) for name in known} == known


BOMB = "a: &a [1, 2]\nphases: [*a]\nleaderboards: []\n"
HOSTILE = {
    "alias.yaml": (BOMB, "aliases"),
    "tag.yaml": ("title: !!python/object/apply:os.system ['true']\nphases: []\n", "not valid YAML"),
    "deep.yaml": ("[" * 4000, "deep"),
    "deep.json": ('{"a":' * 40 + "1" + "}" * 40, "deep"),
    "broken.yaml": ("title: [\nphases:\n", "broken.yaml:"),
    "broken.json": ('{"SUBMISSION_LIMIT": }', "not valid JSON"),
    "other.yaml": ("name: x\nvalue: 3\n", "no platform that is known"),
    "empty.yaml": ("", "expected keys with values"),
    "list.json": ("[1, 2]", "expected keys with values"),
    "count.json": ('{"SUBMISSION_LIMIT": -3, "EVAL_METRIC": "log_loss"}', "SUBMISSION_LIMIT: expected a whole number"),
    "huge.json": ('{"SUBMISSION_LIMIT": %s, "EVAL_METRIC": "log_loss"}' % ("9" * 5000), "huge.json"),
    "word.yaml": ("challenge_phases: [{id: 1, max_submissions: many}]\nleaderboard: []\n",
                  "challenge_phases[0].max_submissions: expected a whole number"),
    "date.json": ('{"SUBMISSION_LIMIT": 3, "EVAL_METRIC": "log_loss", "END_DATE": "soon"}', "END_DATE: expected a date"),
    "board.yaml": ("challenge_phases: [{id: 1}]\nchallenge_phase_splits: [{challenge_phase_id: 1, leaderboard_id: 9}]\n",
                   "there is no leaderboard 9"),
    "phases.yaml": ("phases: [3]\nleaderboards: []\n", "phases[0]: expected keys with values, found `3`"),
    "wide.yaml": ("title: [" + "1," * 60_000 + "1]\n", "more than 50,000 values"),
    "large.yaml": ("# " + "x" * (1 << 20) + "\n", "larger than 1 MiB"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_in_a_sentence(name, shell: Shell) -> None:
    text, told = HOSTILE[name]
    Path(name).write_text(text)
    done = shell("import", name)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert "Traceback" not in done.err


def test_other_things_than_files_are_refused(shell: Shell) -> None:
    os.mkfifo("pipe")
    Path("bytes").write_bytes(b"title: \xff\xfe\n")
    for name, told in {
        "pipe": "no regular file",
        ".": "no regular file",
        "none": "cannot read",
        "bytes": "UTF-8",
    }.items():
        done = shell("import", name)
        assert (done.code, done.out) == (2, "")
        assert told in done.err


def test_names_cannot_end_a_comment_or_a_title(shell: Shell) -> None:
    evil = 'x" } scenario evil { N = 1 } # \u202e\x1b[31m\n::error::\n'
    board = {"title": evil, "phases": [{"name": evil}], "leaderboards": [{"columns": [{"title": "log loss"}]}], evil: 1}
    Path("evil.json").write_text(json.dumps(board))
    done = shell("import", "evil.json", "--rows", "50")
    assert done.code == 0
    (one,) = loads(done.out)
    assert one.N == 50
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    assert "\n::error" not in done.out
