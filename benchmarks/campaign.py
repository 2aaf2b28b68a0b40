"""Throughput of a campaign by jobs, and what its workers hold as time goes by.

The same random scenarios run with one worker process and with two, in turns; each run also compares what a worker
holds early and late. Fails if memory grows by more than a quarter.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from time import perf_counter
from typing import Any

from threatplan.campaign.engines import processes
from threatplan.campaign.run import Memory
from threatplan.campaign.spec import of_seed
from threatplan.campaign.terms import MIB, Terms

SCENARIOS, SEED = 800, 1
TURN = 50  # scenarios at a time
GROWTH = 1.25
TERMS = Terms(trials=1)


def measure(jobs: Sequence[int], scenarios: int) -> list[dict[str, Any]]:
    """Campaigns without a journal, taking turns, so that a busy moment slows all of them."""
    seconds, memory = dict.fromkeys(jobs, 0.0), {one: Memory() for one in jobs}
    with ExitStack() as stack:
        engines = {one: stack.enter_context(processes(one, TERMS)) for one in jobs}
        for one, engine in engines.items():
            deque(engine(of_seed(2 * one, SEED).sources(())), maxlen=0)  # the workers are up before the clock starts
        for start in range(0, scenarios, TURN):
            done = range(start)
            for one, engine in engines.items():
                begun = perf_counter()
                for answer in engine(of_seed(min(start + TURN, scenarios), SEED).sources(done)):
                    memory[one].note(answer)
                seconds[one] += perf_counter() - begun
    return [_row(one, scenarios / seconds[one], seconds[jobs[0]] / seconds[one], memory[one]) for one in jobs]


def _row(jobs: int, rate: float, ratio: float, memory: Memory) -> dict[str, Any]:
    worker = max(memory.counts, key=lambda one: memory.counts[one])
    held = {"warm_mib": memory.warm[worker] // MIB, "last_mib": memory.last[worker] // MIB}
    return {"jobs": jobs, "a_second": round(rate, 2), "ratio": round(ratio, 2), **held}


def main(argv: Sequence[str] = ()) -> int:
    """Print throughput as a multiple of one worker's."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks campaign", description=__doc__)
    parser.add_argument("--jobs", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--scenarios", type=int, default=SCENARIOS)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    args = parser.parse_args(argv)
    runs = measure(args.jobs, args.scenarios)
    if args.format == "json":
        print(json.dumps({"campaign": runs}))
    else:
        for one in runs:
            print(
                f"{one['jobs']} jobs: {one['a_second']:6.1f} scenarios a second, {one['ratio']:.2f} x one; "
                f"a worker held {one['warm_mib']} MiB when warm, {one['last_mib']} MiB at the end"
            )
    return 0 if all(one["last_mib"] <= GROWTH * one["warm_mib"] for one in runs) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
