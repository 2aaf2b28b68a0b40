"""`plan` run in this process, its output caught."""

from __future__ import annotations

import io
import sys
from typing import NamedTuple

import pytest

from threatplan.__main__ import main


class Result(NamedTuple):
    code: int
    out: str
    err: str


class Shell:
    """Runs `plan` with some arguments."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments: str, stdin: str = "") -> Result:
        self._monkeypatch.setattr("threatplan.progress.FIRST", 3600.0)  # how long a test takes is no matter
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        self._capsys.readouterr()
        code = main(list(arguments))
        out, err = self._capsys.readouterr()
        return Result(code, out, err)
