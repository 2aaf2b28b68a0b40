"""What commands read and write: standard input, folders and globs, and files that are never lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.threatplan.files import SMALL
from tests.threatplan.shell import Shell


def test_standard_input(shell: Shell) -> None:
    done = shell("-", stdin=SMALL)
    assert done.code == 0
    assert done.out.startswith("Yes: ")
    assert "\n\nsmall: FEASIBLE" in done.out


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
    assert "\n\nsilent: " in shell("small.threat", "empty.threat", "-s", "silent").out
    assert "small: " not in shell("small.threat", "empty.threat", "-s", "silent").out


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
