"""Completion: what the scripts offer, asked of the shell itself where there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.threatplan.shell import Shell
from threatplan.commands import COMMANDS, DEFAULT, load


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(capsys, monkeypatch)


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_every_command_and_option_is_offered(shell: Shell, name: str) -> None:
    script = shell("completion", name).out
    for command in COMMANDS:
        assert command in script
    for command in (DEFAULT, *COMMANDS):
        for action in load(command)[1].declared():
            for option in action.option_strings:
                shown = f"-l {option[2:]}" if name == "fish" and option.startswith("--") else option
                shown = f"-s {option[1:]}" if name == "fish" and not option.startswith("--") else shown
                assert shown in script, f"{command} {option}"


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_the_scripts_are_well_formed(shell: Shell, name: str) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    script = shell("completion", name).out
    done = subprocess.run([name, "-n"], input=script, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("plan ch", {"check"}),
        ("plan check --f", {"--format"}),
        ("plan check --format j", {"json", "junit"}),
        ("plan new k", {"kaggle"}),
        ("plan completion ", {"bash", "zsh", "fish"}),
        ("plan fmt a", {"a.threat", "attic/"}),
        ("plan a", {"a.threat", "attic/"}),
        ("plan run --color n", {"never"}),
    ],
)
def test_bash_offers(shell: Shell, tmp_path: Path, line: str, offered: set[str]) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    (tmp_path / "a.threat").touch()
    (tmp_path / "a.txt").touch()
    (tmp_path / "attic").mkdir()
    words = line.split(" ")
    listed = " ".join(f"'{word}'" for word in words)
    ask = f"COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _plan; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    script = shell("completion", "bash").out + ask
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    found = {word for word in done.stdout.split("\n") if word}
    assert found == offered
