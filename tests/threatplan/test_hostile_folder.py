"""A folder that came with a `.threat` file may hold Python files too: no command runs them."""

from __future__ import annotations

import ast
import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from threatplan import children
from threatplan.children import child
from tui.simulation import Order, Result, Simulation

ROOT = Path(__file__).parents[2]
BOARD = "scenario board { N = 5; clip = 1e-15; decimals = 4; sweep N = 4..5 }\n"
EVIL = (
    *("threatplan", "tui", "dsl", "planner", "backends"),
    *("json", "typing", "dataclasses", "selectors", "pickle", "runpy", "re", "site"),
    *("numpy", "flint", "gmpy2", "mpmath", "textual", "rich", "aiohttp", "matplotlib", "sklearn"),
    *("sitecustomize", "usercustomize"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder: a scenario, and modules that leave a trace when they are run."""
    for name in EVIL:
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'RUN')!r}, 'a').write('{name} ')\n")
    (tmp_path / "board.threat").write_text(BOARD)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(("", ".", str(ROOT))))
    yield tmp_path
    assert not (tmp_path / "RUN").exists(), (tmp_path / "RUN").read_text()


def plan(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The `plan` script: as it, `python -P` leaves the current folder out."""
    return subprocess.run(**_started(*arguments), capture_output=True, text=True, timeout=120, check=False)


def _started(*arguments: str) -> dict[str, object]:
    return {
        "args": [sys.executable, "-P", "-m", "threatplan", *arguments],
        "env": {**os.environ, "PYTHONPATH": str(ROOT)},
    }


def test_the_trap_springs(tmp_path: Path) -> None:
    """What `-P` is for: without it the very same folder runs its own code."""
    (tmp_path / "json.py").write_text("print('run')\n")
    code = [sys.executable, "-m", "threatplan.campaign.worker", "{}"]
    done = subprocess.run(code, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True)
    assert done.stdout.startswith(b"run")


@pytest.mark.parametrize("work", [("board.threat",), ("--random", "2")])
def test_campaign(folder: Path, work: tuple[str, ...]) -> None:
    done = plan("campaign", *work, "--jobs", "1", "--trials", "1", "--format", "json")
    assert json.loads(done.stdout)["campaign"]["scenarios"] == 2, done.stderr


def test_a_run_in_the_explorer(folder: Path) -> None:
    async def last() -> object:
        return [frame async for frame in Simulation(Order(BOARD, "board", "one-label")).frames()][-1]

    frame = asyncio.run(last())
    assert isinstance(frame, Result)
    assert frame.wrong == 0


def test_the_browser_version(folder: Path) -> None:
    aiohttp = pytest.importorskip("aiohttp", reason="textual-serve is not installed")
    pytest.importorskip("textual_serve", reason="textual-serve is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        **_started("explore", "--serve", "--port", str(port), "board.threat"), stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    address = server.stderr.readline().split()[4].rstrip(";")

    async def shown() -> bytes:
        """What the explorer says before it draws: by then its process has loaded everything."""
        async with aiohttp.ClientSession() as session:
            for _ in range(200):
                try:
                    origin = {"Origin": f"http://127.0.0.1:{port}"}
                    async with session.ws_connect(f"{address}ws?width=80&height=24", headers=origin) as screen:
                        seen = b""
                        while b"board" not in seen:
                            message = await screen.receive(timeout=60)
                            seen += message.data if isinstance(message.data, bytes) else b""
                        return seen
                except aiohttp.ClientConnectorError:
                    await asyncio.sleep(0.05)
        raise AssertionError("no server")

    try:
        assert b"board.threat" in asyncio.run(shown())
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=60)


def test_a_scorer_of_the_folder_runs_and_what_only_looks_like_a_library_does_not(folder: Path) -> None:
    text = "import json, numpy\ndef score(labels, u):\n    return -float(numpy.log(abs(1 - labels - u)).mean())\n"
    (folder / "mine.py").write_text(text)
    done = plan("run", "board.threat", "--attack", "one-label", "--scorer", "mine:score")
    assert done.returncode == 0, done.stderr


def test_a_picture_follows_no_settings_of_the_folder(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    assert plan("sweep", "board.threat", "--plot", "plain.svg").returncode == 0
    (folder / "matplotlibrc").write_text("text.usetex: True\nlines.linewidth: 9\n\x1b[31m: bad\n")
    done = plan("sweep", "board.threat", "--plot", "styled.svg")
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "plain.svg").read_bytes() == (folder / "styled.svg").read_bytes()


def test_the_path_of_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """No empty or relative place, nothing twice removed from the user, ourselves where we are not installed."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(("", "lib", ".", "/opt/own")))
    started = child("tui", "a b", EXTRA="1")
    assert started.command == [sys.executable, "-P", "-m", "tui", "a b"]
    assert started.environment["PYTHONPATH"].split(os.pathsep) == [str(ROOT), "/opt/own"]
    assert started.environment["EXTRA"] == "1"
    monkeypatch.setattr(children.site, "getsitepackages", lambda: [str(ROOT)])
    assert child("tui").environment["PYTHONPATH"] == "/opt/own"


def test_python_is_started_in_one_place() -> None:
    """Whoever names the interpreter could forget `-P`."""
    naming = {
        str(path.relative_to(ROOT))
        for package in ("dsl", "planner", "backends", "threatplan", "tui")
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Attribute) and node.attr == "executable")
        or (isinstance(node, ast.Import | ast.ImportFrom) and "multiprocessing" in ast.unparse(node))
    }  # fmt: skip
    assert naming == {"threatplan/children.py", "threatplan/campaign/engines.py"}  # the second in a hint
