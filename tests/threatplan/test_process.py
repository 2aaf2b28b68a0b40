"""`plan` as a process: closed pipes, interrupts, full disks, and what a cold start loads."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PLAN = [sys.executable, "-m", "threatplan"]
LONG = "scenario long {\n    N = 1000\n    clip = 1e-15\n    sweep N = 100..90_000\n}\n"
ORDINARY = "scenario ordinary {\n    N = 1000\n    scorer = kaggle\n    queries <= 300\n    expect feasible\n}\n"
SELDOM = (
    *("difflib", "dsl.reading.complaints", "dsl.checking.points", "dsl.checking.sweeps"),
    *(
        "planner.designs.kary",
        "planner.designs.mixtures",
        "planner.attacks.digits.certify",
        "planner.attacks.dither.certify",
    ),
    *("planner.attacks.growing.certify", "planner.attacks.dither.settling", "planner.attacks.block.run"),
)
HEAVY = ("numpy", "networkx", "textual", "mpmath", "gmpy2", "sklearn", "scipy", "matplotlib", "pygls", "rich")


@pytest.fixture
def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "NO_COLOR": "1"}


@pytest.fixture
def long(tmp_path: Path, environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A sweep that would take minutes, its first row already written."""
    (tmp_path / "long.threat").write_text(LONG)
    process = subprocess.Popen(
        [*PLAN, "sweep", "long.threat", "--format", "json"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == '{"schema": 1, "points": [\n'
    yield process
    process.kill()
    process.wait()


def test_an_interrupt_keeps_what_is_done(long: subprocess.Popen[str]) -> None:
    assert long.stdout is not None
    assert long.stderr is not None
    first = long.stdout.readline()
    long.send_signal(signal.SIGINT)
    rest = long.stdout.read()
    assert long.wait(timeout=60) == 130
    assert long.stderr.read() == ""
    points = json.loads('{"schema": 1, "points": [' + first + rest)["points"]
    assert points[0]["point"] == {"N": "100"}


def test_a_closed_pipe_ends_quietly(long: subprocess.Popen[str]) -> None:
    assert long.stdout is not None
    assert long.stderr is not None
    long.stdout.close()
    assert long.wait(timeout=60) == 141
    assert long.stderr.read() == ""


def test_a_pipe_closed_at_once(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "ordinary.threat").write_text(ORDINARY)
    command = f"{' '.join(PLAN)} ordinary.threat | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.returncode in (0, 141)
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("line", "code"), [("ordinary.threat >&-", 0), ("missing.threat 2>&-", 2), ("- <&-", 2), ("--help >&- 2>&-", 0)]
)
def test_closed_streams(tmp_path: Path, environment: dict[str, str], line: str, code: int) -> None:
    (tmp_path / "ordinary.threat").write_text(ORDINARY)
    shell = ["bash", "-c", f"{' '.join(PLAN)} {line}"]
    done = subprocess.run(shell, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_a_failure_in_one_line(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "ordinary.threat").write_text(ORDINARY)
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*PLAN, "ordinary.threat"],
            cwd=tmp_path,
            env=environment,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.decode().splitlines() == ["plan: error: cannot write the output: No space left on device"]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_every_encoding_can_show_a_report(tmp_path: Path, environment: dict[str, str], encoding: str) -> None:
    (tmp_path / "greek.threat").write_text('scenario greek "φ and τ, 漢字" {\n    N = 100\n}\n', encoding="utf-8")
    env = {**environment, "PYTHONIOENCODING": encoding}
    done = subprocess.run([*PLAN, "greek.threat"], cwd=tmp_path, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", [("ordinary.threat",), ("ordinary.threat", "--format", "json", "--explain")])
def test_an_ordinary_plan_loads_nothing_heavy_or_seldom_needed(
    tmp_path: Path, environment: dict[str, str], arguments: tuple[str, ...]
) -> None:
    (tmp_path / "ordinary.threat").write_text(ORDINARY)
    loaded = _loaded(tmp_path, environment, arguments)
    assert not [name for name in (*HEAVY, *SELDOM) if name in loaded]


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("completion", "bash")])
def test_talking_about_itself_loads_neither_planner_nor_language(
    tmp_path: Path, environment: dict[str, str], arguments: tuple[str, ...]
) -> None:
    loaded = _loaded(tmp_path, environment, arguments)
    assert not [name for name in ("dsl", "planner", "backends", "tui", "flint") if name in loaded]


def _loaded(folder: Path, environment: dict[str, str], arguments: tuple[str, ...]) -> set[str]:
    """The modules that a command leaves loaded."""
    code = (
        "import sys, io; from threatplan.__main__ import main; code = main(sys.argv[1:]); "
        "sys.stdout.flush(); print('|'.join(sys.modules), file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    return set(done.stderr.strip().splitlines()[-1].split("|"))


def test_import_of_the_package_is_lazy(environment: dict[str, str]) -> None:
    names = ("dsl", "planner", "backends", "flint")
    code = f"import sys, threatplan; sys.exit(any(name in sys.modules for name in {names}))"
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def test_a_progress_bar_on_a_terminal_and_lines_in_a_log(tmp_path: Path, environment: dict[str, str]) -> None:
    pexpect = pytest.importorskip("pexpect")
    text = ORDINARY.replace("N = 1000", "N = 2000").replace("queries <= 300", "queries <= 5000")
    (tmp_path / "slow.threat").write_text(text)
    arguments = ["-m", "threatplan", "run", "slow.threat", "--attack", "one-label"]
    terminal = pexpect.spawn(
        sys.executable, arguments, cwd=str(tmp_path), env={**environment, "TERM": "xterm"}, encoding="utf-8", timeout=60
    )
    terminal.expect("ordinary █*░+ trial 1 of 1, query ")
    terminal.expect("every label recovered")
    terminal.expect(pexpect.EOF)
    done = subprocess.run(
        [*PLAN, *arguments[2:]], cwd=tmp_path, env=environment, capture_output=True, check=False, text=True
    )
    assert done.returncode == 0
    told = done.stderr.splitlines()  # none where it is over within a moment
    assert [line for line in told if not line.startswith("plan: ordinary: trial 1 of 1, query ")] == []
