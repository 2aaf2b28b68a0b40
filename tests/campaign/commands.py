"""`plan campaign` as a process of its own, to be killed, starved and watched."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SWEEP = """
scenario small {
    N = 4; clip = 1e-15; decimals = 4
    sweep N = 2..7
    sweep decimals = 2..5
}
"""
POINTS = 24


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "threatplan", "campaign", *arguments]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def start(folder: Path, *arguments: str, **options: Any) -> subprocess.Popen[str]:
    """A campaign that runs on its own."""
    return subprocess.Popen(
        command(*arguments),
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def run(folder: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """A campaign run to its end."""
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


def summary(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.stdout, done.stderr
    return json.loads(done.stdout)["campaign"]


def sorted_lines(journal: Path) -> list[bytes]:
    return sorted(journal.read_bytes().splitlines())


def lines(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def until(holds: Callable[[], Any], seconds: float = 60.0) -> Any:
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := holds():
            return found
        time.sleep(0.01)
    raise AssertionError("it never came")


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


def kill(process: subprocess.Popen[str]) -> None:
    """As `kill -9` does it: no chance to tidy up."""
    process.send_signal(signal.SIGKILL)
    process.communicate()
