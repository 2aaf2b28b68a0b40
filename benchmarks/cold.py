"""Cold start: what a command costs from nothing, as a multiple of `python -c pass` in the same run."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
PLAN = ("-m", "threatplan")
CASES: dict[str, Sequence[str]] = {
    "plan --version": (*PLAN, "--version"),
    "plan --help": (*PLAN, "--help"),
    "plan completion bash": (*PLAN, "completion", "bash"),
    "plan FILE": (*PLAN, "examples/kaggle.threat"),
    "plan FILE --format json": (*PLAN, "examples/kaggle.threat", "--format", "json"),
    "plan fmt --check FILE": (*PLAN, "fmt", "--check", "examples/kaggle.threat"),
    "plan check FILE": (*PLAN, "check", "examples/kaggle.threat"),
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
    """Median multiples; the cases take turns, so that a busy moment slows all of them."""
    seconds: dict[str, list[float]] = {name: [] for name in ("", *cases)}
    for _ in range(rounds):
        for name, arguments in {"": BARE, **cases}.items():
            seconds[name].append(_time(arguments))
    bare = median(seconds[""])
    return {name: round(median(seconds[name]) / bare, 1) for name in cases}


def _time(arguments: Sequence[str]) -> float:
    start = time.perf_counter()
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr.decode()}")
    return time.perf_counter() - start
