"""The gate under load: many submissions to one journal on disk, what they cost, and whether memory stays flat.

`python -m benchmarks gate [--submissions 100000] [--rows 1000] [--teams 20] [--journal FILE]`
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from math import log
from pathlib import Path

import numpy as np

from threatplan.scoregate import Ladder, Rounded, ScoreGate

PARTS = 10  # of the run, each of which is printed
FLAT = 4 * 2**20  # bytes by which memory may grow after the first part: SQLite's own cache is 2 MiB


def main(argv: list[str]) -> int:
    """Submit, measure, and fail if memory grows with the number of submissions."""
    options = _options(argv)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(options.journal or f"{folder}/board.sqlite")
        return _run(path, options.submissions, options.rows, options.teams)


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks gate")
    parser.add_argument("--submissions", type=int, default=100_000)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--teams", type=int, default=20)
    parser.add_argument("--journal")
    return parser.parse_args(argv)


def _run(path: Path, submissions: int, rows: int, teams: int) -> int:
    draw = np.random.default_rng(5)
    labels = draw.integers(0, 2, rows)
    gate = ScoreGate(labels, release=Ladder("0.01", start=log(2)) >> Rounded(4), journal=path)
    began, held = time.perf_counter(), []
    for part in range(PARTS):
        for number in range(submissions // PARTS):
            gate.submit(f"team {number % teams}", draw.random(rows))
        held.append(_resident())
        spent = time.perf_counter() - began
        done = (part + 1) * (submissions // PARTS)
        print(f"{done:>9,} submissions {spent:8.1f} s {held[-1] / 2**20:7.1f} MiB", flush=True)
    began = time.perf_counter()
    gate.close()
    again = ScoreGate(labels, release=Ladder("0.01", start=log(2)) >> Rounded(4), journal=path)
    meter = again.meter()
    print(
        f"opened again in {time.perf_counter() - began:.2f} s: {meter}, journal {path.stat().st_size / 2**20:.1f} MiB"
    )
    grown = held[-1] - held[0]
    print(f"memory grew by {grown / 2**20:.1f} MiB after the first part, peak {_peak() / 2**20:.1f} MiB")
    return int(grown > FLAT or meter.submissions != submissions // PARTS * PARTS)


def _resident() -> int:
    """Bytes in memory now; the peak where the system does not say."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * resource.getpagesize() if statm.exists() else _peak()


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
