"""One scenario in a process of its own: its budgets, and what becomes of one that breaks them."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from tests.campaign.commands import ROOT, environment
from threatplan.campaign import worker
from threatplan.campaign.examine import examine
from threatplan.campaign.guard import OutOfTime, within
from threatplan.campaign.spec import fingerprint
from threatplan.campaign.terms import MIB, Task, Terms
from threatplan.campaign.worker import NoWorker, OtherVersion, Worker

TASK = Task(7, "scenario s { N = 5; clip = 1e-15; decimals = 4 }\n")


@pytest.fixture
def hire():
    """Workers that end with the test."""
    hired = []

    def make(terms=Terms(), code=None):  # noqa: B008 - frozen
        hired.append(Worker(terms, code or fingerprint()))
        return hired[-1]

    yield make
    for one in hired:
        one.close()


def test_a_worker_says_what_the_same_code_says_here(hire):
    answer = hire().examine(TASK)
    assert answer.record == examine(TASK, Terms())
    assert answer.resident > MIB
    assert answer.losses == 0


def test_time_is_kept(hire):
    long = Task(0, "scenario s { N = 25000; clip = 1e-15; decimals = 2 }")  # far longer than a tick of the clock
    assert hire(Terms(seconds=0.001)).examine(long).record["exceeded"] == "more than 0.001 seconds"


GREEDY = """
import json
from threatplan.campaign import guard, worker
from threatplan.campaign.terms import Task, Terms

terms = Terms(memory=64 * 2**20)
worker.warm_up()
guard.limit_memory(terms.memory)
honest, worker.examine = worker.examine, lambda task, terms: bytearray(2**30)
task = Task(7, "scenario s { N = 5; clip = 1e-15; decimals = 4 }")
print(json.dumps(worker.guarded(task, terms)))
worker.examine = honest
print(json.dumps(worker.guarded(task, terms)))
"""


def test_memory_is_kept_and_the_next_scenario_served():
    done = subprocess.run(
        [sys.executable, "-c", GREEDY], cwd=ROOT, env=environment() | worker.FRUGAL, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    greedy, modest = map(json.loads, done.stdout.splitlines())
    assert greedy["exceeded"] == "more than 64 MiB"
    assert modest["verdict"] == "feasible"


def test_the_clock_rings_and_is_put_away():
    with pytest.raises(OutOfTime), within(0.05):
        sum(iter(lambda: 1, 0))  # without end
    with within(0.05):
        pass
    time.sleep(0.1)


def program(text: str):
    ready = f"import sys, json, time; print(json.dumps(dict(code={fingerprint()!r})), flush=True); {text}"
    return lambda terms: subprocess.Popen([sys.executable, "-c", ready], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def test_a_worker_that_hangs_is_killed(hire, monkeypatch):
    monkeypatch.setattr(worker, "GRACE", 0.2)
    monkeypatch.setattr(worker, "PATIENCE", 1)
    monkeypatch.setattr(worker, "_start", program("time.sleep(60)"))
    answer = hire(Terms(seconds=0.1)).examine(TASK)
    assert answer.record["exceeded"] == "more than 0.1 seconds"


def test_a_scenario_that_kills_two_workers_is_recorded(hire, monkeypatch):
    monkeypatch.setattr(worker, "_start", program("sys.stdin.readline(); sys.exit(1)"))
    answer = hire().examine(TASK)
    assert answer.record["exceeded"] == worker.LOST
    assert answer.losses == 2


def test_a_worker_of_other_code_is_refused(hire):
    with pytest.raises(OtherVersion):
        hire(code="other").examine(TASK)


def test_workers_that_do_not_come_up_are_no_fault_of_the_scenario(hire, monkeypatch):
    def broken(terms):
        return subprocess.Popen([sys.executable, "-c", "1/0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)  # fmt: skip

    monkeypatch.setattr(worker, "_start", broken)
    with pytest.raises(NoWorker):
        hire().examine(TASK)
