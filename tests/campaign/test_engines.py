"""The same random scenarios on one process, on two, and on a Dask cluster that loses a worker: equal journals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.campaign.commands import environment, lines, run, sorted_lines, start, until

SCENARIOS = 18
RANDOM = ("--random", str(SCENARIOS), "--seed", "5", "--trials", "1", "--format", "json")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[bytes], str]:
    folder = tmp_path_factory.mktemp("alone")
    done = run(folder, *RANDOM, "--jobs", "1")
    assert lines(folder / "campaign.jsonl") == SCENARIOS + 1, done.stderr
    return sorted_lines(folder / "campaign.jsonl"), done.stdout


@pytest.fixture
def cluster(tmp_path: Path):
    """A scheduler with three workers, each a process; the address and the workers."""
    pytest.importorskip("distributed")
    started = []

    def dask(*arguments: str) -> subprocess.Popen[bytes]:
        log = (tmp_path / f"{arguments[0]}-{len(started)}.log").open("wb")
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments], cwd=tmp_path, env=environment(), stdout=log, stderr=log
        )
        started.append(process)
        return process

    place = tmp_path / "scheduler.json"
    dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(place))
    until(place.exists)
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--scheduler-file", str(place))
    workers = [dask("worker", *options) for _ in range(3)]
    import json

    yield json.loads(place.read_text())["address"], workers
    for process in reversed(started):
        process.kill()
        process.wait()


def test_two_processes(tmp_path, alone):
    done = run(tmp_path, *RANDOM, "--jobs", "2")
    assert sorted_lines(tmp_path / "campaign.jsonl") == alone[0]
    assert done.stdout == alone[1]


def test_a_cluster_that_loses_a_worker(tmp_path, alone, cluster):
    address, workers = cluster
    process = start(tmp_path, *RANDOM, "--scheduler", address)
    until(lambda: lines(tmp_path / "campaign.jsonl") > 5 or process.poll() is not None)
    os.kill(workers[0].pid, signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert lines(tmp_path / "campaign.jsonl") == SCENARIOS + 1, err
    assert sorted_lines(tmp_path / "campaign.jsonl") == alone[0]
    assert out == alone[1]


def test_no_cluster(tmp_path, monkeypatch):
    from threatplan.campaign import engine_dask
    from threatplan.campaign.terms import Terms
    from threatplan.faults import CommandError

    pytest.importorskip("distributed")
    monkeypatch.setattr(engine_dask, "PATIENCE", 1)
    with (
        pytest.raises(CommandError, match="no cluster to work on") as caught,
        engine_dask.cluster("127.0.0.1:9", Terms()),
    ):
        pass
    assert caught.value.code == 3
