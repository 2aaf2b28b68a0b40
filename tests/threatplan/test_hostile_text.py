"""Titles, comments, file names and exceptions that want to be obeyed, through every command and every format."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import dsl
from dsl.visible import json_text, visible
from tests.threatplan.shell import Result, Shell

FORGED = "::error::forged ##[group]a ##vso[task.setvariable]b"
TITLE = rf"90\u202e% <script>alert(1)</script> [red]x[/] [@click=app.quit]y[/] *b* `c` $m$ &lt; {FORGED}\n{FORGED}"
TITLE = TITLE.replace(r"\u202e", "\u202e")  # the language's own escapes stay: `\n` is a line end in the title
NAME = "\x1b]0;PWNED\x07\x9b31m\u202e [red]\n::error::x ##[group].threat"
BOARD = f"""scenario board "{TITLE}" {{
    N = 5; clip = 1e-15; decimals = 4 # {FORGED} \u2066 \u200b
    sweep N = 4..5
    expect impossible
}}
"""
COMMANDS = [
    *(("", name) for name in ("text", "json", "markdown")),
    *(("check", name) for name in ("text", "json", "junit", "github", "sarif")),
    *(("sweep", name) for name in ("text", "csv", "json", "jsonl", "markdown")),
    *(("harden", name) for name in ("text", "json", "markdown")),
    *(("run", name) for name in ("text", "json")),
    *(("graph", name) for name in ("dot", "json")),
]


@pytest.fixture
def name(shell: Shell) -> str:
    """A file whose name and content want to be obeyed."""
    Path(NAME).write_text(BOARD, encoding="utf-8")
    return NAME


def must_be_harmless(text: str, annotations: bool = False) -> None:
    """Nothing but lines of characters with a shape, none of which a CI system obeys."""
    assert text.replace("\n", "").isprintable(), ascii(text)
    for line in text.split("\n"):
        if not (annotations and line.startswith("::error ")):
            assert not line.lstrip().startswith("::"), line
        assert "##[" not in line
        assert "##vso[" not in line


def must_be_sound(done: Result, form: str = "text") -> None:
    must_be_harmless(done.out, annotations=form == "github")
    must_be_harmless(done.err)
    assert "Traceback" not in done.err
    assert "internal failure" not in done.err


@pytest.mark.parametrize(("command", "form"), COMMANDS)
def test_every_command_and_format(shell: Shell, name: str, command: str, form: str) -> None:
    done = shell(*([command] if command else []), name, "--format", form)
    assert done.code in (0, 1), done.err
    must_be_sound(done, form)
    assert "T120" in done.err
    read = {
        "json": json.loads,
        "sarif": json.loads,
        "junit": ElementTree.fromstring,
        "csv": lambda out: list(csv.reader(io.StringIO(out))),
    }
    read.get(form, str)(done.out)


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_a_hostile_file_beside_another(shell: Shell, name: str, form: str) -> None:
    Path("plain.threat").write_text("scenario board { N = 3; clip = 1e-15; decimals = 4 }", encoding="utf-8")
    done = shell("diff", name, "plain.threat", "--format", form)
    assert done.code == 0
    must_be_sound(done, form)


def test_what_json_carries_is_the_title_itself(shell: Shell, name: str) -> None:
    (scenario,) = json.loads(shell(name, "--format", "json").out)["scenarios"]
    (meant,) = dsl.load(name)
    assert scenario["title"] == meant.title
    assert "\u202e" in (meant.title or "")
    assert scenario["file"] == name


def test_the_proof_in_text_and_markdown(shell: Shell, name: str) -> None:
    for form in ("text", "markdown"):
        must_be_sound(shell(name, "--explain", "--format", form))


def test_a_title_is_no_markdown(shell: Shell, name: str) -> None:
    shown = shell(name, "--format", "markdown").out.splitlines()[2]
    assert shown.startswith(r"*90\\u202e% \<script\>alert(1)\</script\> \[red\]x")
    assert r"\*b\* \`c\` \$m\$ \&lt;" in shown


def test_annotations_are_ours_alone(shell: Shell, name: str) -> None:
    lines = shell("check", name, "--format", "github").out.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(
        "::error file=\\x1b]0;PWNED\\x07\\x9b31m\\u202e [red]%0A%3A\\%3Aerror%3A%3Ax #\\#[group]"
    )


@pytest.mark.parametrize(
    "text", ["scenario s { N = 5 }\n# \x1b]52;c;UFdO\x07", 'scenario s "\x9b31m" { N = 5 }', "\x0c"]
)
@pytest.mark.parametrize("command", ["", "check", "sweep", "harden", "run", "fmt", "graph", "campaign"])
def test_files_with_control_characters_are_refused_with_place_and_code(shell: Shell, command: str, text: str) -> None:
    Path("bad.threat").write_text(text, encoding="utf-8")
    done = shell(*([command] if command else []), "bad.threat")
    assert done.code == 2
    assert "error[T007]: control character U+" in done.err
    assert "bad.threat:" in done.err
    must_be_sound(done)


@pytest.mark.parametrize("form", ["text", "json", "junit", "github", "sarif"])
def test_faults_of_a_hostile_file(shell: Shell, form: str) -> None:
    Path(NAME).write_text(f'scenario board "{TITLE}" {{ N = \u202e5 [red] }} # {FORGED}\n', encoding="utf-8")
    done = shell("check", NAME, "--format", form)
    assert done.code == 2
    must_be_sound(done, form)


@pytest.mark.parametrize("color", ["never", "always"])
def test_colours_are_the_only_sequences(shell: Shell, name: str, color: str) -> None:
    from threatplan.render.page import _COLORS

    for command in ([], ["check"], ["run"]):
        done = shell(*command, name, "--color", color)
        assert ("\x1b" in done.out) == (color == "always")
        must_be_harmless(_COLORS.sub("", done.out + done.err))
        assert "\x1b[31m" not in done.out


def test_formatting(shell: Shell, name: str) -> None:
    done = shell("fmt", "--check", name)
    assert done.code == 1
    must_be_sound(done)
    must_be_sound(shell("fmt", "--diff", name))
    must_be_sound(shell("fmt", name))
    assert dsl.load(name)[0].title == dsl.loads(BOARD)[0].title
    assert shell("fmt", "-", stdin=BOARD).out == Path(name).read_text(encoding="utf-8"), "a file's text stays itself"


def test_names_that_are_only_given(shell: Shell) -> None:
    for arguments in (
        (NAME,), ("explain", NAME), ("check", f"--{NAME}"), ("small.threat", "-s", NAME), ("new", "-o", NAME),
        ("new", "-o", NAME), ("run", "small.threat", "--labels", NAME), ("run", "small.threat", "--scorer", NAME),
        ("run", "small.threat", "--scorer", f"{NAME}:{NAME}"), ("sweep", "small.threat", "--plot", NAME),
        ("sweep", "small.threat", "--plot", f"no/{NAME}.svg"), ("run", "small.threat", "--attack", NAME),
        ("campaign", "small.threat", "--journal", f"no/{NAME}"), ("--format", NAME, "small.threat"), ("explore", NAME),
    ):  # fmt: skip
        must_be_sound(shell(*arguments))
        must_be_sound(shell(*arguments, "--format", "json"))


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_scorer_that_fails_with_sequences(shell: Shell, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"def score(labels, u):\n    raise ValueError({NAME!r})\ndef odd(labels, u):\n    return {NAME!r}\n"
    Path("hostile_scorer.py").write_text(text, encoding="utf-8")
    for function in ("score", "odd"):
        scorer = f"hostile_scorer:{function}"
        for debug in ((), ("--debug",)):
            done = shell("run", "small.threat", "--scorer", scorer, "--format", form, *debug)
            assert done.code == 3
            must_be_sound(done)


def test_a_failure_of_our_own_shows_its_traceback_without_sequences(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(scenario: object) -> None:
        raise RuntimeError(NAME)

    monkeypatch.setattr("planner.plan", broken)
    done = shell("small.threat", "--debug")
    assert done.code == 3
    assert "Traceback" in done.err
    must_be_harmless(done.err)


def test_a_picture_is_well_formed(shell: Shell, name: str) -> None:
    pytest.importorskip("matplotlib")
    must_be_sound(shell("sweep", name, "--plot", "out.svg"))
    ElementTree.parse("out.svg")
    must_be_sound(shell("sweep", name, "--plot", "-"))


def test_a_campaign(shell: Shell, name: str) -> None:
    for form in ("text", "json"):
        done = shell("campaign", name, "--jobs", "1", "--trials", "0", "--journal", NAME + ".jsonl", "--format", form)
        assert done.code == 1, done.err
        must_be_sound(done)


@pytest.mark.parametrize("color", ["never", "always"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_report_that_somebody_else_wrote(shell: Shell, name: str, form: str, color: str) -> None:
    """A whole colour sequence looks like one of ours."""
    from threatplan.render.page import _COLORS

    document = json.loads(shell(name, "--format", "json").out)
    hostile = f"\x1b[35m{NAME}"
    for field in ("name", "title", "file", "verdict"):
        document["scenarios"][0][field] = hostile
    Path(f"{hostile}.json").write_text(json.dumps(document))
    done = shell("verify", f"{hostile}.json", "--format", form, "--color", color)
    assert done.code in (1, 2)
    must_be_harmless(_COLORS.sub("", done.out + done.err))
    assert "\x1b[35m" not in done.out + done.err


def test_visible_forms() -> None:
    assert visible("plain, φ and 漢字") == "plain, φ and 漢字"
    assert visible("a\x1b[31m\x9b\u202e\u2066\U000e0041\ud800\u3164\n\r") == (
        "a\\x1b[31m\\x9b\\u202e\\u2066\\U000e0041\\ud800\\u3164\\n\\r"
    )
    assert visible("a::b ::c ##[d] ###[e] # f") == "a::b :\\:c #\\#[d] ##\\#[e] # f"
    assert visible(visible(TITLE)) == visible(TITLE)
    data = {"a\u202e\x9b": ["\U000e0041", "\ud800", "é\x7f"]}
    assert json.loads(json_text(data, indent=2)) == data
    assert json_text(data).isprintable()
