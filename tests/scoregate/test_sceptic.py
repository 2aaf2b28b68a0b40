"""The gate as an attacker sees it: errors, counters, names, numbers in disguise, and what attacks can make it show."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from itertools import product
from math import log
from pathlib import Path

import numpy as np
import pytest

from dsl import loads
from planner.attacks.attack import InconsistentScores
from planner.catalogue import BY_ID
from planner.channel.channel import channel_of
from planner.considering import consider
from threatplan.scoregate import (
    Best,
    Capped,
    Changes,
    InvalidSubmissionError,
    Ladder,
    Response,
    Rounded,
    ScoreGate,
)

ROOT = Path(__file__).parents[2]
HALF = np.full(12, 0.5)
LABELINGS = (np.arange(12) % 2, np.zeros(12, int), np.ones(12, int))


def test_the_number_of_classes_is_never_read_off_the_labels():
    """It was the largest label and one: whether class 2 occurs could be read off the shape that was asked for."""
    said = set()
    for labels in ([0, 1, 2] * 4, [0, 1, 1] * 4, [0, 0, 0] * 4):
        gate = ScoreGate(labels, classes=3)
        with pytest.raises(InvalidSubmissionError) as fault:
            gate.submit("a", np.full((12, 2), 0.5))
        said.add((str(fault.value), gate.to_threat(), gate.submit("a", np.full((12, 3), 1 / 3)).value))
    assert len(said) == 1
    with pytest.raises(ValueError, match="how many classes"):
        ScoreGate([0, 1, 2])
    for wrong in (1, 0, True, 2.0):
        with pytest.raises(ValueError, match="two classes"):
            ScoreGate([0, 1], classes=wrong)


class Raises:
    def __array__(self, *_, **__):
        raise KeyError("mine")


BAD = {
    "an array that raises": Raises(),
    "an endless table": np.broadcast_to(0.5, (10**12,)),
    "an endless cube": np.broadcast_to(0.5, (12, 2, 10**12)),
    "a number that is none": np.frombuffer(b"\x01\0\0\0\0\0\xf0\x7f" * 12),
    "too long for a float": np.full(12, 4).astype(np.longdouble) ** 4000,
    "truths": HALF > 0,
    "dates": np.zeros(12, "M8[s]"),
    "objects": np.array([0.5] * 12, dtype=object),
    "fields": np.zeros(12, [("p", "f8")]),
}


@pytest.mark.parametrize("what", BAD)
@pytest.mark.filterwarnings("error")
def test_whatever_fails_is_counted_and_says_the_same_for_all_labels(what):
    said = set()
    for labels in LABELINGS:
        gate = ScoreGate(labels, cap=3)
        with pytest.raises(InvalidSubmissionError) as fault:
            gate.submit("a", BAD[what])
        said.add((str(fault.value), gate.submit("a", HALF).left, gate.meter()))
    assert len(said) == 1
    assert said.pop()[1] == 1


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("bad", [np.full(12, 2**63, dtype=np.uint64), np.full(12, 1e300), np.full(12, -(2**63))])
def test_classes_that_no_integer_holds_are_refused_in_words(bad):
    with pytest.raises(InvalidSubmissionError, match=r"0\.\.1"):
        ScoreGate(LABELINGS[0], "error_rate").submit("a", bad)


@pytest.mark.parametrize(
    "team", ["", " a", "a ", "a\0b", "a\nb", "\ud800", "a\u202eb", "e\u0301", "x" * 201, 7, None, b"a"]
)
def test_a_name_that_looks_like_another_is_refused(team):
    gate = ScoreGate(LABELINGS[0])
    with pytest.raises(ValueError, match="name"):
        gate.submit(team, HALF)
    assert gate.submit("é'; DROP TABLE submissions; --", HALF).changed
    assert gate.meter().teams == 1


DISGUISES = {
    "bytes swapped": lambda u: u.astype(">f8"),
    "a list": lambda u: u.tolist(),
    "other strides": lambda u: np.repeat(u, 2)[::2],
    "two columns": lambda u: np.column_stack([1 - u, u]),
    "columns in another order of memory": lambda u: np.asfortranarray(np.column_stack([1 - u, u])),
    "columns that do not sum to 1": lambda u: np.column_stack([1 - u, u]) / 4,
    "a long double": lambda u: u.astype(np.longdouble),
    "the other zero": lambda u: np.where(u == 0, -0.0, u),
    "half precision": lambda u: u.astype(np.float16),
}


@pytest.mark.parametrize("how", DISGUISES)
def test_a_duplicate_in_disguise_is_known(how):
    u = np.array([0.0, 0.25, 0.5, 1.0] * 3)
    gate = ScoreGate(LABELINGS[0], release=Best() >> Rounded(6), cap=5)
    first = gate.submit("a", u)
    assert gate.submit("a", np.ones(12)).left == 3
    again = gate.submit("a", DISGUISES[how](u))
    assert (again.value, again.left) == (first.value, 3)


def test_a_clip_that_floats_do_not_hold_is_refused():
    """1 - 1e-17 is 1: a score was infinite, more than the meter counts as the largest."""
    for wrong in (1e-17, 0.0, -1e-3, float("nan")):
        with pytest.raises(ValueError, match="clip"):
            ScoreGate([0, 1], clip=wrong)
    assert ScoreGate([0, 1], clip=2.0**-53).submit("a", [1.0, 0.0]).value == pytest.approx(53 * log(2))


def test_a_journal_is_for_its_owner(tmp_path):
    ScoreGate(LABELINGS[0], journal=tmp_path / "b").submit("a", HALF)
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o600


def test_a_silent_board_writes_the_same_whatever_the_labels(tmp_path):
    """Lines of the journal, answers, counters and the meter, while nobody beats the start."""
    seen = []
    for number, labels in enumerate(LABELINGS):
        path = tmp_path / str(number)
        gate, draw = (
            ScoreGate(labels, release=Ladder("0.7", start=log(2)), journal=path, cap=9),
            np.random.default_rng(1),
        )
        told = [gate.submit("a", draw.random(12)) for _ in range(4)]
        with sqlite3.connect(path) as base:
            lines = base.execute(
                "SELECT team, number, digest, fault, state, shown, changed FROM submissions"
            ).fetchall()
        seen.append((told, lines, gate.meter(), gate.to_threat()))
    assert seen[0] == seen[1] == seen[2]


def test_a_name_of_a_scenario_is_no_program():
    with pytest.raises(ValueError, match="letters"):
        ScoreGate([0, 1]).to_threat("x } scenario y {")


# -- transcripts of attacks ------------------------------------------------------------------------------

ATTACKS = {
    "descent": ("clip = 1e-3; decimals = 2; release = best", Best() >> Rounded(2)),
    "patterns": (
        "clip = 1e-3; decimals = 3; release = ladder(1/6, 7/10); goal = 4/6",
        Ladder("1/6", "7/10") >> Rounded(3),
    ),
}


@pytest.mark.parametrize("id", ATTACKS)
def test_attacks_see_no_more_transcripts_than_are_counted(id):
    """All 64 labelings of 6 rows, by an attack that recovers them: as many transcripts as labelings, and within 2^bits."""
    body, release = ATTACKS[id]
    (scenario,) = loads(f"scenario board {{ N = 6; {body} }}")
    attack, seen, bits, right = consider(BY_ID[id], channel_of(scenario)).build(), set(), 0.0, 0
    for labels in product((0, 1), repeat=6):
        gate, told = ScoreGate(np.array(labels), release=release, clip=1e-3), []

        def score(u, gate=gate, told=told):
            told.append(gate.submit("a", u))
            return told[-1].value

        found = attack.recover(score)
        right += bool((found[found >= 0] == np.array(labels)[found >= 0]).all())
        seen.add(tuple(told))
        bits = max(bits, gate.meter().bits)
    assert right == 64
    assert 2 ** (4 if id == "patterns" else 6) <= len(seen) <= 2**bits * (1 + 1e-6)


@pytest.mark.parametrize("release", [Ladder("0.2", start=log(2)), Best() >> Rounded(1), Changes(1) >> Rounded(1)])
def test_teams_together_see_no_more_than_the_meter_counts(release):
    """Two teams of one attacker, who chooses by all that was shown which of them asks next."""
    for seed in range(4):
        seen, bits = set(), 0.0
        for labels in product((0, 1), repeat=6):
            gate, told = ScoreGate(np.array(labels), release=release), []
            for turn in range(4):
                draw = np.random.default_rng([seed, *(int(1000 * one.value) for one in told)])
                team = "ab"[turn % 2 if turn < 2 else int(draw.integers(2))]
                told.append(gate.submit(team, 1 / (1 + np.exp(-draw.normal(0, 3, 6)))))
            seen.add(tuple(told))
            bits = max(bits, gate.meter().bits)
        assert 1 < len(seen) <= 2**bits * (1 + 1e-6)


def test_an_attack_for_another_board_is_told_nothing():
    """The descent, which a board from infinity falls to, on one that starts at ln 2."""
    (scenario,) = loads("scenario board { N = 12; clip = 1e-3; decimals = 3; release = ladder(0.1) }")
    attack = consider(BY_ID["descent"], channel_of(scenario)).build()
    for release in (Ladder("0.1", start=log(2)) >> Rounded(3), Capped(log(2)) >> Rounded(1)):
        gate = ScoreGate(LABELINGS[0], release=release, clip=1e-3)
        with pytest.raises(InconsistentScores):
            attack.recover(lambda u, gate=gate: gate.submit("a", u).value)


# -- killed ----------------------------------------------------------------------------------------------

SUBMITTER = """
import sys
import numpy as np
from threatplan.scoregate import *
gate = ScoreGate(np.arange(12) % 2, release=Response(1.0) >> Changes(9) >> Rounded(6), journal=sys.argv[1])
for number in range(10**6):
    team = "ab"[number % 3 == 0]
    print(team, number, gate.submit(team, np.random.default_rng(number).random(12)).value.hex(), flush=True)
"""


def test_killed_while_two_teams_submit_it_goes_on_as_if_nothing_had_been(tmp_path):
    """What was said stands in the journal; a new process answers the same, and its state is that of the lines driven anew."""
    path = tmp_path / "b"
    process = subprocess.Popen(
        [sys.executable, "-c", SUBMITTER, str(path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    said = [process.stdout.readline().split() for _ in range(25)]
    os.kill(process.pid, signal.SIGKILL)
    said += [line.split() for line in process.stdout.read().splitlines() if len(line.split()) == 3]
    process.wait()
    release = Response(1.0) >> Changes(9) >> Rounded(6)
    gate = ScoreGate(np.arange(12) % 2, release=release, journal=path)
    assert gate.meter().submissions >= len(said)
    for team, number, value in said:
        assert gate.submit(team, np.random.default_rng(int(number)).random(12)).value == float.fromhex(value)
    copy = tmp_path / "c"  # the same coins, none of the lines
    with sqlite3.connect(path) as old, sqlite3.connect(copy) as new:
        new.execute("CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
        new.executemany(
            "INSERT INTO settings VALUES (?, ?)", old.execute("SELECT name, value FROM settings").fetchall()
        )
    anew = ScoreGate(np.arange(12) % 2, release=release, journal=copy)
    for team, number, value in said:
        assert anew.submit(team, np.random.default_rng(int(number)).random(12)).value == float.fromhex(value)
    assert anew.journal.last("b").state == gate.journal.last("b").state or len(said) < gate.meter().submissions
