"""The language: time to read a scenario as files grow, and what the first one costs from nothing."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import dsl

ROOT = Path(__file__).parent.parent
SIZES = (10, 1_000, 10_000)
SCENARIO = """scenario s{i} "Scenario number {i}" {{
    N        = {n}
    K        = 2
    phi      = float64
    noise    = bounded(1e-{k})
    decimals = 5
    queries <= N/5
    time     = polynomial

    expect feasible
    expect queries <= N/5
}}

"""
COLD = {
    "python -c pass": "pass",
    "import lark": "import lark",
    "import dsl": "import dsl",
    "dsl.load(FILE)": "import dsl; dsl.load({file!r})",
}


def main(argv: Sequence[str] = ()) -> int:
    """Print milliseconds a scenario, their ratios, and cold starts as multiples of a bare interpreter."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks language", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    args = parser.parse_args(argv)
    reading = {size: milliseconds(size, max(1, min(args.rounds, 20_000 // size))) for size in SIZES}
    starts = cold(args.rounds)
    if args.format == "json":
        print(json.dumps({"milliseconds_per_scenario": reading, "cold": starts}))
        return 0
    for size, each in reading.items():
        ratio = each / reading[SIZES[1]]
        print(f"{size:>7,} scenarios {each:8.3f} ms each  ratio to {SIZES[1]:,}: {ratio:.2f}")
    for name, seconds in starts.items():
        print(f"{name:<17} {seconds * 1000:8.1f} ms       {seconds / starts['python -c pass']:.1f} x python -c pass")
    return 0


def text(size: int) -> str:
    """A file of `size` scenarios, no two alike."""
    return "".join(SCENARIO.format(i=i, n=1000 + i, k=i % 9 + 1) for i in range(size))


def milliseconds(size: int, rounds: int) -> float:
    """The least processor time that reading a file of `size` scenarios took, a scenario."""
    source, best = text(size), float("inf")
    for _ in range(rounds):
        began = time.process_time()
        dsl.loads(source)
        best = min(best, time.process_time() - began)
    return best * 1000 / size


def cold(rounds: int) -> dict[str, float]:
    """The least time of each command, the commands taken in turn."""
    best = dict.fromkeys(COLD, float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "one.threat"
        file.write_text(text(1), encoding="utf-8")
        for _ in range(rounds):
            for name, code in COLD.items():
                began = time.perf_counter()
                subprocess.run([sys.executable, "-c", code.format(file=str(file))], cwd=ROOT, check=True)
                best[name] = min(best[name], time.perf_counter() - began)
    return best


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
