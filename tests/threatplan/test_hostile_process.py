"""Scorers that leave, disks that are full, pipes for journals, interrupts at the worst moment, files in the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.threatplan.shell import Shell
from threatplan.campaign.journal import Journal, encode
from threatplan.campaign.records import must_be_record
from threatplan.campaign.run import run as run_campaign
from threatplan.campaign.spec import of_seed
from threatplan.campaign.terms import Terms
from threatplan.faults import CommandError

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
PLAN = [sys.executable, "-c", "from threatplan.entry import script; script()"]
SWEPT = "scenario swept { N = 4; clip = 1e-15; decimals = 4; sweep N = 4..5 }\n"


@pytest.mark.parametrize("code", ["0", "None", "'bye'", "5"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_scorer_that_calls_exit_fails(shell: Shell, code: str, form: str) -> None:
    module = f"leaving_{abs(hash((code, form)))}"
    Path(f"{module}.py").write_text(f"import sys\ndef score(labels, u):\n    sys.exit({code})\n")
    done = shell("run", "small.threat", "--scorer", f"{module}:score", "--format", form)
    assert done.code == 3
    assert f"the scorer {module}:score failed: SystemExit" in done.err


def test_a_scorer_that_calls_exit_while_it_is_imported_cannot_be_used(shell: Shell) -> None:
    Path("leaving_at_once.py").write_text("import sys\nsys.exit(0)\n")
    done = shell("run", "small.threat", "--scorer", "leaving_at_once:score")
    assert done.code == 2
    assert "importing leaving_at_once failed with SystemExit" in done.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("arguments", "code"), [(("missing.threat",), 2), (("warned.threat",), 0), (("fmt", "--check", "warned.threat"), 1)]
)
def test_talk_that_cannot_be_written_changes_neither_answer_nor_exit_code(
    tmp_path: Path, arguments: tuple[str, ...], code: int
) -> None:
    (tmp_path / "warned.threat").write_text("scenario s { N = 5; confidence = 95%; clip = 0.1 }\n")
    told = subprocess.run([*PLAN, *arguments], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, check=False)
    assert told.stderr
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*PLAN, *arguments], cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=full, check=False
        )
    assert (done.returncode, done.stdout) == (code, told.stdout) == (told.returncode, told.stdout)


def test_a_plot_replaces_no_file_unasked(shell: Shell) -> None:
    pytest.importorskip("matplotlib")
    Path("swept.threat").write_text(SWEPT)
    Path("mine.svg").write_text("mine")
    done = shell("sweep", "swept.threat", "--plot", "mine.svg")
    assert (done.code, done.out) == (2, "")
    assert "mine.svg exists already" in done.err
    assert "--force" in done.err
    assert Path("mine.svg").read_text() == "mine"
    assert shell("sweep", "swept.threat", "--plot", "mine.svg", "--force").code == 0
    assert "<svg" in Path("mine.svg").read_text()


# -- journals ------------------------------------------------------------------------------------------


def nothing_runs(terms: Terms) -> object:
    raise AssertionError("a campaign was begun")


@pytest.mark.timeout(60)
def test_a_pipe_is_no_journal(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CommandError, match="is no ordinary file") as caught:
        run_campaign(of_seed(1, 0), Terms(), str(tmp_path / "pipe"), nothing_runs)  # type: ignore[arg-type]
    assert caught.value.code == 2
    with pytest.raises(CommandError, match="is no ordinary file"):
        run_campaign(of_seed(1, 0), Terms(), "/dev/null", nothing_runs)  # type: ignore[arg-type]


@pytest.mark.timeout(60)
def test_a_pipe_in_a_folder_is_passed_over(shell: Shell) -> None:
    Path("folder").mkdir()
    os.mkfifo("folder/pipe.threat")
    Path("folder/swept.threat").write_text(SWEPT)
    assert shell("folder").code == 0


ENTRY = {"status": "feasible", "queries": 3, "trials": 2, "missed": 0, "margin": 0.5, "chance": None}
HONEST = {
    "index": 0, "source": "scenario s { N = 5 }", "verdict": "feasible", "best": "block", "queries": 3,
    "lower_bound": {"queries": 2, "by": "I1"}, "attacks": {"block": ENTRY}, "unmet": ["feasible"], "defects": [],
}  # fmt: skip
FORGED = {
    "no index": {"index": None}, "an index below": {"index": -1}, "an index beyond": {"index": 9},
    "an index of lists": {"index": [0]}, "a truth": {"index": True}, "no verdict": {"verdict": None},
    "a verdict of lists": {"verdict": [1]}, "no source": {"source": 5}, "a number exceeded": {"exceeded": 5},
    "attacks in a list": {"attacks": [1]}, "an empty attack": {"attacks": {"block": {}}},
    "many missed": {"attacks": {"block": ENTRY | {"missed": 3}}},
    "words for trials": {"attacks": {"block": ENTRY | {"trials": "2"}}},
    "an infinite margin": {"attacks": {"block": ENTRY | {"margin": 1e999}}},
    "a chance above one": {"attacks": {"block": ENTRY | {"chance": 2}}},
    "a bound of nothing": {"lower_bound": {"queries": 0, "by": "I1"}}, "a bound by 5": {"lower_bound": {"by": 5}},
    "no bound": {"lower_bound": 5}, "queries in words": {"queries": "3"}, "unmet numbers": {"unmet": [5]},
    "defects by name": {"defects": {"kind": 1}}, "a defect of nothing": {"defects": [{}]},
}  # fmt: skip


def journal(tmp_path: Path, *lines: bytes) -> str:
    path = tmp_path / "campaign.jsonl"
    path.write_bytes(encode(of_seed(1, 0).header(Terms())) + b"".join(lines))
    return str(path)


def signed(body: bytes) -> bytes:
    """A line of anything with the checksum that belongs to it."""
    from zlib import crc32

    return b'{"check": "' + f"{crc32(body):08x}".encode() + b'", ' + body[1:] + b"\n"


def test_an_honest_journal_is_taken(tmp_path: Path) -> None:
    must_be_record(HONEST, 1)
    summary = run_campaign(of_seed(1, 0), Terms(), journal(tmp_path, encode(HONEST)), nothing_runs)  # type: ignore[arg-type]
    assert summary.scenarios == 1


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_record_with_the_right_checksum_is_refused(tmp_path: Path, name: str) -> None:
    forged = signed(json.dumps(HONEST | FORGED[name]).encode())
    path = journal(tmp_path, forged)
    before = Path(path).read_bytes()
    with pytest.raises(CommandError, match="holds what no campaign wrote") as caught:
        run_campaign(of_seed(1, 0), Terms(), path, nothing_runs)  # type: ignore[arg-type]
    assert caught.value.code == 2
    assert Path(path).read_bytes() == before


@pytest.mark.parametrize("body", [b'{"index": 0, "a": ' + b"[" * 100_000, b'{"index": \xff}', b"{]"])
def test_forged_lines_that_are_no_json_are_told(tmp_path: Path, body: bytes) -> None:
    path = journal(tmp_path, signed(body), encode(HONEST))
    with pytest.raises(CommandError, match="is damaged"):
        Journal(path, of_seed(1, 0).header(Terms()), lambda record: None)


# -- interrupts ----------------------------------------------------------------------------------------

EARLY = """
import sys
class Interrupt:
    def find_spec(self, name, path, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
sys.argv = ["plan", "board.threat"]
from threatplan.entry import script
script()
"""


@pytest.mark.parametrize("name", ["threatplan.__main__", "threatplan.commands", "dsl", "planner"])
def test_an_interrupt_before_the_command_is_there_ends_quietly(tmp_path: Path, name: str) -> None:
    (tmp_path / "board.threat").write_text(SWEPT)
    code = [sys.executable, "-c", EARLY.format(name=name)]
    done = subprocess.run(code, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_script_begins_where_interrupts_are_met() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"plan": "threatplan.entry:script"}


FULL = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from threatplan.render.json import JsonList
from threatplan.__main__ import main
import threatplan.__main__ as command
def dispatch(arguments):
    with JsonList("entries") as document:
        print("begun", file=sys.stderr, flush=True)
        for number in range(100):
            document.add({"number": number, "text": "x" * 50_000})
    return 0
command._dispatch = dispatch
sys.exit(main([]))
"""


@pytest.mark.timeout(120)
def test_an_interrupt_while_a_full_pipe_blocks_an_entry_tears_nothing() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", FULL], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "begun\n"
    until_blocked(process.pid)
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)  # the signal is met within the write, which nobody has read yet
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    entries = json.loads(out)["entries"]
    assert [one["number"] for one in entries] == list(range(len(entries)))
    assert 1 <= len(entries) < 100


@pytest.mark.timeout(120)
def test_a_second_interrupt_waits_for_no_reader() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", FULL], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "begun\n"
    until_blocked(process.pid)
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    assert process.poll() is None
    for _ in range(4):  # one breaks the entry, others its end and what Python writes on leaving
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
    process.communicate(timeout=60)
    assert process.returncode != 0


def until_blocked(pid: int) -> None:
    """Until a process sleeps in a write to its pipe."""
    for _ in range(600):
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        wait = Path(f"/proc/{pid}/wchan").read_text() if Path(f"/proc/{pid}/wchan").exists() else ""
        if state == "S" and wait in ("pipe_write", "anon_pipe_write", "0", ""):
            time.sleep(0.1)
            return
        time.sleep(0.05)
    raise AssertionError("it never blocked")
