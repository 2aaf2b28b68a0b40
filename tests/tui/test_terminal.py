"""The explorer in a real terminal, from the command line to the exit code."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # seconds; a condition is usually met within two

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Terminal:
    """A tmux server of its own with one pane."""

    def __init__(self, socket: Path, command: str, size: tuple[int, int]) -> None:
        self._socket = socket
        width, height = map(str, size)
        script = f"cd {ROOT}; {command}; echo ended with $?; cat"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", width, "-y", height, script)

    def tmux(self, *arguments: str) -> str:
        return subprocess.run(
            ["tmux", "-S", str(self._socket), *arguments], capture_output=True, text=True, check=True
        ).stdout

    def screen(self) -> str:
        return self.tmux("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def shows(self, *words: str) -> str:
        """Wait until every word is on the screen."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            screen = self.screen()
            if all(word in screen for word in words):
                return screen
            time.sleep(0.1)
        raise AssertionError(f"{words} never came to the screen:\n{self.screen()}")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    example = tmp_path / "board.threat"
    example.write_text(
        'scenario board "A board" {\n    N = 100_000\n    clip = 1e-15\n    decimals = 6\n    queries <= 20_000\n}\n'
    )
    command = f"env -u COLUMNS -u LINES {sys.executable} -m threatplan explore {example}"
    one = Terminal(tmp_path / "tmux", command, (140, 40))
    yield one
    one.tmux("kill-server")


def test_a_session_from_start_to_end(terminal: Terminal, tmp_path: Path) -> None:
    terminal.shows("board.threat", "FEASIBLE", "decimals    ◂ 6")

    for _ in range(7):  # from N, the first field, down to the budget
        terminal.press("Down")
    terminal.press("Down", "Down", "Down", "Down", "Left", "Left", "Left", "Left")
    terminal.shows("queries     ◂ 1000", "IMPOSSIBLE", "board.threat ●")
    terminal.press("C-z", "C-z", "C-z", "C-z")
    terminal.shows("queries     ◂ 20_000", "FEASIBLE")
    terminal.press("Up", "Up", "Up", "Left")
    terminal.shows("decimals    ◂ 5", "decimals = 5", "board.threat ●")

    terminal.press("F5")
    terminal.shows("▲ now", "decimals →")
    terminal.press("F6")
    terminal.shows("design", "+ unused", "+ refused")

    terminal.press("C-r")
    terminal.shows("asking queries")
    terminal.press("C-r")
    terminal.shows("cancelled")

    terminal.press("F10")
    terminal.shows("the ending chooses the format")
    terminal.press("-l", str(tmp_path / "out.json"))
    terminal.press("Enter")
    terminal.shows("out.json written")
    assert json.loads((tmp_path / "out.json").read_text())["scenarios"][0]["verdict"] == "feasible"

    terminal.press("C-q")
    terminal.shows("unsaved changes")
    terminal.press("Enter")  # save
    terminal.shows("ended with 0")
    assert "decimals = 5" in (tmp_path / "board.threat").read_text()


def test_a_closed_terminal_loses_nothing(terminal: Terminal, tmp_path: Path) -> None:
    terminal.shows("FEASIBLE", "decimals    ◂ 6")
    terminal.press("Right")
    terminal.shows("N           ◂ 200_000")
    pid = terminal.tmux("list-panes", "-F", "#{pane_pid}").strip()
    children = subprocess.run(["pgrep", "-P", pid], capture_output=True, text=True, check=True).stdout.split()
    subprocess.run(["kill", "-TERM", *children], check=True)
    terminal.shows("unsaved changes were kept in", "ended with 143")
    kept = next(tmp_path.glob("board-unsaved-*.threat"))
    assert "N = 200_000" in kept.read_text()
    assert "N = 100_000" in (tmp_path / "board.threat").read_text()
