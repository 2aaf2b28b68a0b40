"""A folder with a few scenario files in it, and `plan` run there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.threatplan.files import BROKEN, EMPTY, SHUT, SMALL
from tests.threatplan.shell import Shell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    for name, text in {"small": SMALL, "shut": SHUT, "broken": BROKEN, "empty": EMPTY}.items():
        (tmp_path / f"{name}.threat").write_text(text, encoding="utf-8")
    return Shell(capsys, monkeypatch)
