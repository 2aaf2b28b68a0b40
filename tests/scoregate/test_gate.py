"""The organiser's gate: what it shows, counts, remembers and refuses."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import tracemalloc
import urllib.error
import urllib.request
from math import comb, inf, log, nan
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from dsl import loads
from planner import plan
from planner.channel.releases import Falling
from threatplan.scoregate import (
    Best,
    Capped,
    CapReachedError,
    Changes,
    InvalidSubmissionError,
    JournalError,
    Ladder,
    OtherBoardError,
    Plain,
    Response,
    Rounded,
    ScoreGate,
    Shown,
)
from threatplan.scoregate.journal import Journal
from threatplan.scoregate.telling import largest_score, released_bits

ROOT = Path(__file__).parents[2]
LABELS = np.random.default_rng(7).integers(0, 2, 40)


def truth(strength: float = 0.9) -> np.ndarray:
    return np.where(LABELS == 1, strength, 1 - strength)


def lines(path: Path) -> list[tuple]:
    with sqlite3.connect(path) as base:
        return base.execute("SELECT team, number, state, shown, changed, fault FROM submissions ORDER BY id").fetchall()


# -- what is shown ---------------------------------------------------------------------------------------


def test_a_ladder_behind_a_gate():
    gate = ScoreGate(LABELS, release=Ladder("0.1", start=log(2)) >> Rounded(3), cap=4)
    assert gate.submit("a", np.full(40, 0.5)) == Shown(0.693, False, 3)
    assert gate.submit("a", truth(0.9)) == Shown(0.1, True, 2)
    assert gate.submit("a", truth(0.91)) == Shown(0.1, False, 1)
    assert gate.submit("b", truth(0.6)) == Shown(0.5, True, 3)  # a memory of its own


def test_plain_scores_are_scikit_learns():
    metrics = pytest.importorskip("sklearn.metrics")
    gate = ScoreGate(LABELS, release=Plain())
    draw = np.random.default_rng(1)
    for _ in range(20):
        u = draw.random(40)
        assert gate.submit("a", u).value == pytest.approx(metrics.log_loss(LABELS, u), rel=1e-12)
    three = draw.integers(0, 3, 40)
    rows = draw.random((40, 3))
    shown = ScoreGate(three, release=Plain(), classes=3).submit("a", rows).value
    assert shown == pytest.approx(metrics.log_loss(three, rows / rows.sum(axis=1, keepdims=True)), rel=1e-12)
    assert ScoreGate(LABELS, "brier").submit("a", truth()).value == pytest.approx(0.01)
    assert ScoreGate(LABELS, "error_rate").submit("a", 1 - LABELS).value == 1.0


def test_whether_a_hidden_state_moved_is_not_told():
    """Digits hide that the best score fell: `changed` speaks of what is shown, or it would be one answer more."""
    gate = ScoreGate(LABELS, release=Best() >> Rounded(1))
    first = gate.submit("a", truth(0.90))
    second = gate.submit("a", truth(0.901))
    assert first.value == second.value
    assert (first.changed, second.changed) == (True, False)


def test_stages_stand_in_one_order():
    assert (Response(1) >> Ladder("0.01") >> Rounded(3)).text == "ladder(1/100)"
    assert (Response(1) >> (Best() >> Rounded(3))).decimals == 3
    for wrong in (
        lambda: Rounded(3) >> Ladder("0.01"),
        lambda: Ladder("0.01") >> Response(1),
        lambda: Best() >> Changes(2),
        lambda: Plain() >> Best(),
        lambda: Rounded(3) >> Rounded(2),
        lambda: Best() >> 3,
    ):
        with pytest.raises(TypeError):
            wrong()
    for wrong in (lambda: Ladder(0), lambda: Ladder(1, 0), lambda: Capped(-1), lambda: Changes(0), lambda: Rounded(-1)):
        with pytest.raises(ValueError, match=r"above 0|whole number"):
            wrong()


# -- duplicates, failures, caps --------------------------------------------------------------------------


def test_a_duplicate_is_answered_as_it_was_and_not_counted(tmp_path):
    gate = ScoreGate(LABELS, release=Ladder("0.1", start=log(2)), journal=tmp_path / "b", cap=3)
    first = gate.submit("a", truth(0.7))
    gate.submit("a", truth(0.9))
    again = gate.submit("a", np.column_stack([1 - truth(0.7), truth(0.7)]) * 0.5)  # the same in two columns
    assert again == Shown(first.value, False, 1)
    assert len(lines(tmp_path / "b")) == 2
    gate.submit("a", truth(0.95))
    assert gate.submit("a", truth(0.95)).left == 0
    with pytest.raises(CapReachedError):
        gate.submit("a", truth(0.96))
    assert gate.submit("b", truth(0.95)).left == 2


BAD = {
    "too short": np.full(39, 0.5),
    "a table": np.full((40, 3), 0.5),
    "nan": [nan] + [0.5] * 39,
    "infinite": [inf] + [0.5] * 39,
    "above 1": [1.5] + [0.5] * 39,
    "below 0": [-0.1] + [0.5] * 39,
    "words": ["a"] * 40,
    "ragged": [[0.5], [0.5, 0.5]],
    "nothing": None,
    "a row of zeros": np.zeros((40, 2)),
    "complex": np.full(40, 0.5 + 0j),
    "a huge integer": [10**400] + [0] * 39,
}


@pytest.mark.parametrize("what", BAD)
def test_a_fault_is_the_same_whatever_the_labels_are(what):
    said = set()
    for labels in (LABELS, 1 - LABELS, np.zeros(40, int), np.ones(40, int)):
        gate = ScoreGate(labels, cap=2)
        with pytest.raises(InvalidSubmissionError) as fault:
            gate.submit("a", BAD[what])
        said.add((str(fault.value), type(fault.value), gate.submit("a", np.full(40, 0.5)).left))
    assert len(said) == 1
    assert said.pop()[2] == 0  # what fails is counted


@pytest.mark.parametrize("bad", [[2] + [0] * 39, [-1] + [0] * 39, [0.5] + [0] * 39])
def test_a_class_that_does_not_exist_is_refused_alike(bad):
    said = set()
    for labels in (LABELS, 1 - LABELS):
        with pytest.raises(InvalidSubmissionError) as fault:
            ScoreGate(labels, "error_rate").submit("a", bad)
        said.add(str(fault.value))
    assert len(said) == 1


def test_failures_use_up_the_cap_and_keep_what_was_seen():
    gate = ScoreGate(LABELS, release=Ladder("0.1", start=log(2)), cap=3)
    value = gate.submit("a", truth()).value
    with pytest.raises(InvalidSubmissionError):
        gate.submit("a", [nan] * 40)
    assert gate.submit("a", truth(0.91)) == Shown(value, False, 0)
    with pytest.raises(CapReachedError):
        gate.submit("a", [nan] * 40)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ScoreGate([]),
        lambda: ScoreGate([0, -1]),
        lambda: ScoreGate([0.5]),
        lambda: ScoreGate([0, 1], "auc"),
        lambda: ScoreGate([0, 2], "brier"),
        lambda: ScoreGate([0, 3], classes=3),
        lambda: ScoreGate([0, 1], cap=0),
        lambda: ScoreGate([0, 1], clip=0.7),
        lambda: ScoreGate([0, 1]).submit("", [0.5, 0.5]),
    ],
)
def test_a_board_that_makes_no_sense(make):
    with pytest.raises(ValueError, match=r"\w"):
        make()


# -- the journal -----------------------------------------------------------------------------------------


def test_a_board_goes_on_where_it_stood(tmp_path):
    release = Response(2.0) >> Changes(3) >> Rounded(4)
    draw = np.random.default_rng(3)
    asked = [draw.random(40) for _ in range(12)]
    one = ScoreGate(LABELS, release=release, journal=tmp_path / "b", cap=20)
    seen = [one.submit("a", u) for u in asked[:6]]
    one.close()
    other = ScoreGate(LABELS, release=release, journal=tmp_path / "b", cap=20)
    assert [other.submit("a", u).value for u in asked[:6]] == [shown.value for shown in seen]
    assert other.submit("a", asked[6]).left == 13


def test_a_journal_belongs_to_one_board(tmp_path):
    ScoreGate(LABELS, release=Best(), journal=tmp_path / "b").close()
    for labels, release in ((1 - LABELS, Best()), (LABELS, Plain()), (LABELS, Best() >> Rounded(2))):
        with pytest.raises(OtherBoardError):
            ScoreGate(labels, release=release, journal=tmp_path / "b")
    with pytest.raises(JournalError):
        ScoreGate(LABELS, journal=tmp_path / "no" / "such")


def test_lines_are_only_ever_added(tmp_path):
    gate = ScoreGate(LABELS, journal=tmp_path / "b")
    gate.submit("a", truth())
    with sqlite3.connect(tmp_path / "b") as base:
        for statement in ("DELETE FROM submissions", "UPDATE submissions SET shown = 0", "DELETE FROM settings"):
            with pytest.raises(sqlite3.IntegrityError, match="append only"):
                base.execute(statement)


def test_the_journal_holds_no_true_score(tmp_path):
    gate = ScoreGate(LABELS, release=Ladder("0.1", start=log(2)), journal=tmp_path / "b")
    gate.submit("a", truth(0.9))
    (line,) = lines(tmp_path / "b")
    assert line[2] == "1"  # steps
    assert float.fromhex(line[3]) == 0.1


def test_labels_are_flipped_once(tmp_path):
    labels = np.zeros(4000, int)
    release = Response(1.0) >> Plain()
    one = ScoreGate(labels, "error_rate", release, tmp_path / "b", classes=2)
    share = one.submit("a", labels).value
    assert abs(share - 1 / (1 + np.e)) < 4 * np.sqrt(0.2 / 4000)
    other = ScoreGate(labels, "error_rate", release, tmp_path / "b", classes=2)
    assert other.submit("b", labels).value == share
    assert ScoreGate(labels, "error_rate", release, classes=2).submit("a", labels).value != share


SUBMITTER = """
import sys
import numpy as np
from math import log
from threatplan.scoregate import *
path, team, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
labels = np.random.default_rng(7).integers(0, 2, 40)
gate = ScoreGate(labels, release=Best() >> Rounded(6), journal=path)
for number in range(first, first + count):
    u = np.random.default_rng(number).random(40)
    print(number, gate.submit(team, u).value.hex(), flush=True)
"""


def start(path, team, first, count):
    command = [sys.executable, "-c", SUBMITTER, str(path), team, str(first), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def test_killed_in_the_middle_it_has_shown_only_what_it_kept(tmp_path):
    """kill -9 at three moments: all that was printed is in the journal, and a new process answers the same."""
    path, said = tmp_path / "b", []
    for turn in range(3):
        process = start(path, "a", 1000 * turn, 100_000)
        said += [process.stdout.readline().split() for _ in range(5 + 20 * turn)]
        os.kill(process.pid, signal.SIGKILL)
        said += [line.split() for line in process.stdout.read().splitlines() if len(line.split()) == 2]
        process.wait()
    held = [float.fromhex(line[3]) for line in lines(path)]
    assert len(held) >= len(said) > 60
    labels = np.random.default_rng(7).integers(0, 2, 40)
    gate = ScoreGate(labels, release=Best() >> Rounded(6), journal=path)
    for number, value in said:
        assert gate.submit("a", np.random.default_rng(int(number)).random(40)).value == float.fromhex(value)
    # The machine, driven once more from the start, comes to the same values.
    undisturbed = ScoreGate(labels, release=Best() >> Rounded(6))
    again = [undisturbed.submit("a", np.random.default_rng(int(n)).random(40)).value for n, _ in said[:20]]
    assert again == held[:20]


def test_two_processes_share_one_journal(tmp_path):
    path = tmp_path / "b"
    ScoreGate(LABELS, release=Best() >> Rounded(6), journal=path).close()
    both = [start(path, "a", 0, 60), start(path, "a", 5000, 60)]
    assert [process.wait(timeout=200) for process in both] == [0, 0]
    held = lines(path)
    assert [line[1] for line in held] == list(range(1, 121))  # no number twice, none left out
    values = [float.fromhex(line[3]) for line in held]
    assert values == sorted(values, reverse=True)  # one memory


def test_what_floats_add_to_the_largest_score_has_room_and_little_of_it():
    gate = ScoreGate(LABELS, release=Plain())
    beyond = float(largest_score(gate)) - (log(gate.classes) - log(gate.clip))
    assert 1e-7 < beyond < 1e-5


def test_scores_of_a_plain_board_tell_as_many_bits_as_they_have_values():
    """Each of five scores between 0 and the largest, in steps of a thousandth."""
    gate = ScoreGate(LABELS, release=Plain() >> Rounded(3))
    levels = int(largest_score(gate) * 1000) + 2
    assert released_bits(gate, 1, 5) == pytest.approx(5 * log(levels) / log(2))


def test_whoever_writes_writes_alone(tmp_path, monkeypatch):
    """From the beginning, not from the first line: what is read before it is written must not have changed."""
    monkeypatch.setattr("threatplan.scoregate.journal.BUSY_SECONDS", 0.05)
    first, second = Journal(tmp_path / "b"), Journal(tmp_path / "b")
    with first.writing(), pytest.raises(JournalError, match="cannot be written"), second.writing():
        pass


def test_threads_share_one_gate():
    gate, failed = ScoreGate(LABELS, release=Best() >> Rounded(6), cap=200), []

    def work(first):
        try:
            for number in range(first, first + 25):
                gate.submit("a", np.random.default_rng(number).random(40))
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(100 * one,)) for one in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert failed == []
    assert gate.submit("a", truth()).left == 99


def test_a_full_disk_shows_nothing(tmp_path):
    gate = ScoreGate(LABELS, release=Ladder("0.01", start=log(2)), journal=tmp_path / "b")
    gate.journal._base.execute("PRAGMA max_page_count = 1")  # it is as full as it is
    draw = np.random.default_rng(4)
    shown = sum(1 for _ in iter(lambda: _kept(gate, draw.random(40)), False))
    before = len(lines(tmp_path / "b"))
    assert 0 < before == shown
    with pytest.raises(JournalError, match="nothing is shown"):
        gate.submit("a", truth())
    gate.journal._base.execute("PRAGMA max_page_count = 1000000")
    assert gate.submit("a", truth()).changed
    assert len(lines(tmp_path / "b")) == before + 1


def _kept(gate, u) -> bool:
    try:
        gate.submit("a", u)
    except JournalError:
        return False
    return True


def test_memory_stays_flat(pytestconfig):
    gate = ScoreGate(LABELS[:4], release=Best() >> Rounded(5))
    draw, count = np.random.default_rng(4), 100_000 if pytestconfig.getoption("--thorough") else 3000
    for _ in range(500):
        gate.submit("a", draw.random(4))
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(count):
        gate.submit("a", draw.random(4))
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 50_000


# -- what was told ---------------------------------------------------------------------------------------


def test_the_meter_counts_all_teams():
    gate = ScoreGate(LABELS, release=Ladder("0.01", start=log(2)))
    assert gate.meter().bits == 0.0
    assert gate.meter().labels == pytest.approx(0.5, abs=1e-6)
    draw = np.random.default_rng(2)
    for team in ("a", "b", "c"):
        for _ in range(4):
            gate.submit(team, draw.random(40))
    meter = gate.meter()
    assert (meter.teams, meter.submissions) == (3, 12)
    assert meter.bits == pytest.approx(np.log2(float(comb(12 + 3 * 69, 12))), rel=1e-6)
    assert ScoreGate(LABELS, release=Plain()).meter().bits == 0.0
    open_board = ScoreGate(LABELS, release=Plain())
    open_board.submit("a", truth())
    assert (open_board.meter().bits, open_board.meter().labels) == (None, 1.0)


def test_the_meter_never_says_less_than_was_told():
    """Transcripts that attackers see on all labelings of a small board are no more than 2^bits."""
    from itertools import product

    for release in (
        Ladder("0.2", start=log(2)),
        Best() >> Rounded(0),
        Changes(1) >> Rounded(1),
        Capped(1) >> Rounded(0),
    ):
        seen, bits = set(), 0.0
        for labels in product((0, 1), repeat=5):
            gate, told = ScoreGate(np.array(labels), release=release, classes=2), []
            for _ in range(3):
                draw = np.random.default_rng([11, crc32(repr(told).encode())])
                told.append(gate.submit("a", 1 / (1 + np.exp(-draw.normal(0, 3, 5)))))
            seen.add(tuple(told))
            bits = gate.meter().bits
        assert 1 <= len(seen) <= 2**bits * (1 + 1e-6)


def test_the_scenario_is_what_is_deployed():
    gate = ScoreGate(LABELS, release=Ladder("0.01", start=log(2)) >> Rounded(4), cap=300)
    (found,) = loads(gate.to_threat())
    assert (found.N, found.queries, found.shown.digits) == (40, 300, 4)
    assert found.release.eta.lo == gate.chain.release.eta
    assert found.release.start.lo == gate.chain.release.first
    (board,) = loads(ScoreGate(np.arange(2000) % 2, release=gate.chain, cap=300).to_threat())
    report = plan(board)
    assert report.verdict == "impossible"
    assert {one.id for one in report.limits if one.excludes(300)} >= {"I7", "I8"}
    three = ScoreGate(np.arange(30) % 3, classes=3, release=Response(1) >> Changes(4) >> Rounded(2))
    (again,) = loads(three.to_threat())
    assert (again.K, again.renormalises, again.release.most) == (3, True, 4)
    with pytest.raises(ValueError, match="error_rate"):
        ScoreGate(LABELS, "error_rate").to_threat()
    assert Falling(69).bits(300) == pytest.approx(252.27, abs=0.01)


def test_the_gate_loads_no_planner():
    code = (
        "import sys; from threatplan.scoregate import *; g = ScoreGate([0, 1], release=Ladder('0.1', start=1) >> Rounded(2));"
        "g.submit('a', [.1, .9]); print([m for m in ('flint', 'lark', 'gmpy2', 'mpmath', 'planner.planning', 'socket') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


# -- the example -----------------------------------------------------------------------------------------


@pytest.fixture
def board():
    sys.path.insert(0, str(ROOT))
    try:
        from examples import board

        yield board
    finally:
        sys.path.remove(str(ROOT))


def test_the_example_board_serves(board):
    server = board.serve(ScoreGate(LABELS, release=board.RELEASE, cap=3), port=0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        said = [_post(server.server_port, one) for one in (truth().tolist(), [0.5], [0.5] * 40, [0.4] * 40)]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert [status for status, _ in said] == [200, 400, 200, 429]
    assert said[0][1] == {"score": 0.11, "changed": True, "left": 2}
    assert "shape" in said[1][1]["error"]


def _post(port, predictions):
    body = json.dumps({"team": "me", "predictions": predictions}).encode()
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/submit", body, timeout=20) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_an_attack_on_the_example_board_fails_loudly(board, tmp_path):
    """The attack that a plain board falls to, run against the gate: it is told nothing, and says so."""
    file = tmp_path / "plain.threat"
    file.write_text("scenario plain { N = 60; clip = 1e-15; decimals = 4 }")
    command = [sys.executable, "-m", "threatplan", "run", str(file), "--scorer", "examples.board:score"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=250)
    assert "the attack refused to answer" in done.stdout, done.stdout
    assert "right        0 of 60 labels" in done.stdout
