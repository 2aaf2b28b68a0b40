"""What commands write in each of their formats, kept whole: a change of the contract shows as a diff."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from dsl import format_text, loads
from dsl.numbers import Real
from dsl.scenario import Decimals, Gaussian
from tests.threatplan import golden
from tests.threatplan.shell import Shell
from threatplan.hearing import heard, scores

SMALL = """scenario small "Sixteen labels, φ = float64" {
    N        = 16
    clip     = 1e-15
    decimals = 4
    queries <= 4

    expect feasible
    expect queries <= 2
}
"""
SWEPT = """scenario swept {
    N        = 16
    clip     = 1e-15
    decimals = 4
    queries <= 2

    sweep decimals = 0, 2, 4
    sweep noise    = none, bounded(1/100)

    expect exposure <= 50%
}
"""
SILENT = "scenario silent {\n    N = 16\n}\n"
PAIR = SILENT + "\n" + SILENT.replace("silent", "mute")
UNTIDY = "scenario untidy { N=16 # odd\n  queries<=4 }\n"
FILES = {"small": SMALL, "swept": SWEPT, "silent": SILENT, "pair": PAIR, "untidy": UNTIDY}


@pytest.fixture
def shell(shell: Shell, tmp_path: Path) -> Shell:
    """The shell of all tests here, with these files."""
    for name, text in FILES.items():
        (tmp_path / f"{name}.threat").write_text(text, encoding="utf-8")
    return shell


def pretty(text: str) -> str:
    """A JSON document over many lines, innermost lists and objects on one each, so that a diff names what changed."""
    laid_out = json.dumps(json.loads(text), indent=1, ensure_ascii=False) + "\n"
    return re.sub(r"[\[{][^\[\]{}]*[\]}]", lambda inner: re.sub(r"\n *", " ", inner[0]), laid_out)


def timeless(text: str) -> str:
    """The output of a run, its seconds left out."""
    return re.sub(r'((?:encode|score|decode)"?:? )[0-9.e-]+', r"\1SECONDS", text)


def test_plan_json(shell: Shell) -> None:
    done = shell("small.threat", "--format", "json")
    assert (done.code, done.err) == (0, "")
    golden.check("plan/json.txt", pretty(done.out))


@pytest.mark.parametrize("format", ["text", "csv", "json", "jsonl", "markdown"])
def test_sweep(shell: Shell, format: str) -> None:
    done = shell("sweep", "swept.threat", "--format", format)
    assert done.code == 1, "some points are exposed"
    golden.check(f"sweep/{format}.txt", done.out + done.err)


@pytest.mark.parametrize("format", ["dot", "json"])
@pytest.mark.parametrize("files", [(), ("small.threat",)], ids=["theory", "scenario"])
def test_graph(shell: Shell, format: str, files: tuple[str, ...]) -> None:
    done = shell("graph", *files, "--format", format)
    assert (done.code, done.err) == (0, "")
    golden.check(f"graph/{'scenario' if files else 'theory'}-{format}.txt", done.out)


@pytest.mark.parametrize("format", ["text", "json"])
def test_run(shell: Shell, format: str) -> None:
    done = shell("run", "small.threat", "--trials", "3", "--seed", "1", "--format", format)
    assert (done.code, done.err) == (0, "")
    shown = timeless(done.out)
    assert shown.count("SECONDS") == 3
    golden.check(f"run/{format}.txt", shown)


def test_fmt_check_names_what_would_change_and_changes_nothing(shell: Shell) -> None:
    done = shell("fmt", "--check", "small.threat", "untidy.threat")
    assert (done.code, done.out) == (1, "")
    assert Path("untidy.threat").read_text(encoding="utf-8") == UNTIDY
    golden.check("fmt/check.txt", done.err)


def test_fmt_diff(shell: Shell) -> None:
    done = shell("fmt", "--check", "--diff", "small.threat", "untidy.threat")
    assert (done.code, done.err) == (1, "")
    golden.check("fmt/diff.txt", done.out)


@pytest.mark.parametrize("preset", ["leaderboard", "kaggle", "api", "multiclass", "paper"])
def test_new(shell: Shell, preset: str) -> None:
    done = shell("new", preset)
    assert (done.code, done.err) == (0, "")
    assert format_text(done.out) == done.out, "what one starts from is in the canonical form"
    golden.check(f"new/{preset}.txt", done.out)


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("split", "506\n\n40%\naccuracyy\naccuracy\ncodabench\n\n100\n"),
        ("guessed", "\n\n\n\n4\n\n\n95%\n"),
        ("plain", "\n" * 8),
        ("unsure", "41k\n41000\n3\n30\nkaggle\nbrier\nlog_loss\nkaggle\nyes\nno\n5 a day\n60\n"),
    ],
)
def test_new_that_asks(shell: Shell, name: str, answers: str) -> None:
    done = shell("new", "--ask", stdin=answers)
    assert done.code == 0
    assert format_text(done.out) == done.out
    assert len(loads(done.out)) == 1
    golden.check(f"new/asked-{name}.txt", done.err + "\n" + done.out)


def test_new_asks_in_the_words_of_people(shell: Shell) -> None:
    answers = ("30,000 rows", "binary", "a third", "Log-Loss", "5 decimals", "gaussian(0.01)", "5 a day for 60 days")
    (held,) = loads(shell("new", "--ask", stdin="\n".join(answers) + "\n").out)
    assert (held.N, held.K, held.scored, held.queries) == (30_000, 2, (10_000, 10_000), 300)
    assert (held.metric, held.shown, held.noise) == ("log_loss", Decimals(5), Gaussian(Real.of(Fraction(1, 100))))


@pytest.mark.parametrize(
    ("field", "said", "meant"),
    [
        ("N", "25.000", "25_000"),
        ("N", "25 000 labels", "25_000"),
        ("queries", "5/day for 60 days", "5*60"),
        ("queries", "three", "three"),
        ("public", "33 percent", "33%"),
        ("public", "0.333", "0.333"),
        ("public", "half", "1/2"),
        ("noise", "no", "none"),
    ],
)
def test_answers_as_people_write_them(field: str, said: str, meant: str) -> None:
    assert heard(field, said) == meant


@pytest.mark.parametrize("rows", ["20_000", "30_001", "500_000"])
def test_what_the_template_of_a_platform_expects_holds_of_any_large_board(shell: Shell, rows: str) -> None:
    text = shell("new", "kaggle").out
    Path("mine.threat").write_text(text.replace("41_000", rows))
    assert shell("check", "mine.threat").code == 0


def test_what_was_understood_is_said_back(shell: Shell) -> None:
    done = shell("new", "--ask", stdin="30,000 rows\n2\na third\nLog-Loss\nkaggle\nnone\n5 per day\n60 days\n")
    read = [line.rpartition("→ ")[2] for line in done.err.splitlines() if "→" in line]
    assert read == ["N = 30_000", "public = 1/3", "metric = log_loss", "platform = kaggle", "queries <= 5*60"]
    assert "for how many days?" in done.err
    assert loads(done.out)[0].queries == 300


def test_a_wrong_answer_is_taken_back(shell: Shell) -> None:
    (held,) = loads(shell("new", "--ask", stdin="<\n3000\n30\n<\n<\n300\n2\n\n\n5\n\n<\n\n50\n\n").out)
    assert (held.N, held.K, held.queries, held.shown) == (300, 2, 50, Decimals(5)), "what was answered is kept"


def test_very_many_classes_are_asked_about(shell: Shell) -> None:
    done = shell("new", "--ask", stdin="400\n400\nno\n2\nall\naccuracy\n3\nnone\n60\nnone\n")
    assert "400 kinds of label" in done.err
    assert loads(done.out)[0].K == 2


def test_a_remark_fits_its_answer(shell: Shell) -> None:
    asked = "400\n2\n{}\naccuracy\n3\nnone\n60\nnone\n"
    assert "which ones is secret" in shell("new", "--ask", stdin=asked.format("100")).out
    assert "which ones is secret" not in shell("new", "--ask", stdin=asked.format("all")).out


def test_a_board_of_two_scores_is_asked_about_once(shell: Shell) -> None:
    done = shell("new", "--ask", stdin="200\n\n\naccuracy and log-loss\n3\n\n30\n70%\n")
    assert format_text(done.out) == done.out
    one, other = loads(done.out)
    assert (one.metric, one.scorer, other.metric) == ("accuracy", None, "log_loss")
    assert (other.N, other.queries, other.guess) == (200, 30, one.guess)
    assert "not proved to be so by both together" in done.out
    assert scores("several(accuracy, F1)") == ("several(accuracy, f1)",)
    assert scores("accuracy, beauty") == ("accuracy, beauty",), "the language says what is wrong"


def test_answers_that_end_early_or_never_fit(shell: Shell) -> None:
    assert "the answers end before" in shell("new", "--ask", stdin="506\n").err
    done = shell("new", "--ask", stdin="many\nN = 3; K\n-1\n")
    assert (done.code, done.out) == (2, "")
    assert "no answer to: How many rows" in done.err


def test_new_to_a_file(shell: Shell) -> None:
    done = shell("new", "kaggle", "-o", "mine.threat")
    assert (done.code, done.out) == (0, "")
    golden.check("new/written.txt", done.err)


@pytest.mark.parametrize("format", ["text", "json", "junit", "github", "sarif"])
def test_check_of_files_without_expectations(shell: Shell, format: str) -> None:
    done = shell("check", "silent.threat", "pair.threat", "--format", format)
    assert done.code == 1
    assert ("`plan harden FILE --apply NEW` writes some" in done.err) == (format == "text"), "what to do next"
    golden.check(f"check/silent-{format}.txt", done.out)


def test_check_of_files_that_may_be_without_expectations(shell: Shell) -> None:
    done = shell("check", "silent.threat", "--allow-empty")
    assert (done.code, done.err) == (0, "")
    golden.check("check/silent-allowed.txt", done.out)
