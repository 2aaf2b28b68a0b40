"""Cold start: what a command costs from nothing, as a multiple of `python -c pass` in the same run."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
PLAN = ("-m", "threatplan")
FILE = "examples/bowl.threat"
CASES: dict[str, Sequence[str]] = {
    "plan --version": (*PLAN, "--version"),
    "plan --help": (*PLAN, "--help"),
    "plan completion bash": (*PLAN, "completion", "bash"),
    "plan FILE": (*PLAN, FILE),
    "plan FILE --format json": (*PLAN, FILE, "--format", "json"),
    "plan fmt --check FILE": (*PLAN, "fmt", "--check", FILE),
    "plan check FILE": (*PLAN, "check", FILE),
}
BARE = ("-c", "pass")


def main(argv: Sequence[str] = ()) -> int:
    """Print the multiple of each command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks cold", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    args = parser.parse_args(argv)
    multiples = measure(CASES, args.rounds)
    if args.format == "json":
        print(json.dumps({"cold": multiples}))
    else:
        for name, multiple in multiples.items():
            print(f"{name:<26}{multiple:6.1f} x python -c pass")
    return 0


def measure(cases: dict[str, Sequence[str]], rounds: int) -> dict[str, float]:
    """The least of several times over that of a bare interpreter.

    The cases take turns, so that a busy moment slows all of them; the first turn only fills the bytecode cache.
    """
    everything = {"": BARE, **cases}
    with TemporaryDirectory() as cache:
        turns = [{name: _time(one, cache) for name, one in everything.items()} for _ in range(rounds + 1)]
    least = {name: min(turn[name] for turn in turns[1:]) for name in everything}
    return {name: round(least[name] / least[""], 1) for name in cases}


def _time(arguments: Sequence[str], cache: str) -> float:
    """Processor time of a process that finds its bytecode cached, as an installed program does; others may be busy."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env = {**kept, "PYTHONPYCACHEPREFIX": cache}
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=env, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr.decode()}")
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
